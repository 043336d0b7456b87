// `npm run golden`: simulated workloads beside recorded kernels, as a table.

import { runBundle } from './lib/bundle.mjs';
import { ensureInstalled } from './lib/install.mjs';

if (await ensureInstalled()) await runBundle('golden', 'src/testing/golden/main.ts', 'testing');
else process.exitCode = 1;
