// `npm run -s sim -- …`: the command line, built when its sources are newer.

import { runBundle } from './lib/bundle.mjs';
import { ensureInstalled } from './lib/install.mjs';

if (await ensureInstalled()) await runBundle('sim', 'src/cli/main.ts', 'cli');
else process.exitCode = 1;
