// `npm start`: installs what is missing, builds, serves the page on localhost, says where.
// Only the version check stands here, in syntax that old Nodes can read; the rest is imported after it.

import { nodeIsTooOld } from './lib/node_version.mjs';

if (nodeIsTooOld()) process.exit(1);
void import('./lib/start_page.mjs').then((page) => page.startPage(process.argv.slice(2)));
