// `npm run build`: the page into dist/, for any static host.

import { ensurePageBuilt } from './lib/build_page.mjs';
import { ensureInstalled } from './lib/install.mjs';

process.exitCode = (await ensureInstalled()) && (await ensurePageBuilt({ force: true })) ? 0 : 1;
