// `npm run fuzz`: random documents, every invariant checked, failures printed as links.

import { runBundle } from './lib/bundle.mjs';
import { ensureInstalled } from './lib/install.mjs';

if (await ensureInstalled()) await runBundle('fuzz', 'src/testing/fuzz/main.ts', 'testing');
else process.exitCode = 1;
