// A process of its own for each cold run: `node cold_run.mjs <bundle> <index>` or `node cold_run.mjs bare <ms>` prints
// the CPU time of the first run as JSON. What the process did before it (reading and parsing the bundle) is not counted.

import { pathToFileURL } from 'node:url';
import { bareFixedPriority } from './bare_fp.mjs';

const [file, argument] = process.argv.slice(2);
let work = () => bareFixedPriority(Number(argument));
if (file !== 'bare') {
  const { COLD, runWorkload } = await import(pathToFileURL(file).href);
  work = () => {
    const { decisions } = runWorkload(COLD[Number(argument)]);
    return { events: decisions };
  };
}
const before = process.cpuUsage();
const { events } = work();
const { user, system } = process.cpuUsage(before);
console.log(JSON.stringify({ events, ms: (user + system) / 1000 }));
