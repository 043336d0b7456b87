// The worker of the transport benchmark; no page of the product loads it.

import { exposeHost } from './expose_host.ts';
import { createSyntheticHost } from './synthetic.ts';
import { syntheticScenario } from './synthetic_scenario.ts';
import { createYieldTurn } from './yield_turn.ts';

exposeHost(
  createSyntheticHost({ scenario: syntheticScenario(), nowMs: () => performance.now(), yieldTurn: createYieldTurn() }),
  self as unknown as Worker,
);
