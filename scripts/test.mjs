// `npm test`: installs what is missing, a browser included, then runs every check there is.
// Only the version check stands here, in syntax that old Nodes can read; the rest is imported after it.

import { nodeIsTooOld } from './lib/node_version.mjs';

if (nodeIsTooOld()) process.exit(1);
void import('./lib/test_stages.mjs').then((stages) => stages.runAllStages(process.argv.slice(2)));
