// The worker of the page: the host, its clock, its turn of the event loop, and the wire.

import { exposeHost } from './expose_host.ts';
import { createSimHost } from './sim_host.ts';
import { createYieldTurn } from './yield_turn.ts';

exposeHost(createSimHost({ nowMs: () => performance.now(), yieldTurn: createYieldTurn() }), self as unknown as Worker);
