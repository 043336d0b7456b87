// `npm run bench [-- SECTION… --runs N]`: what the speed goals are measured by. Each section compares two ways in
// one run on this machine, so its ratio means something elsewhere too.

import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { flipSection } from './bench/flip.mjs';
import { simSection } from './bench/sim.mjs';
import { printTable } from './bench/table.mjs';
import { transportSection } from './bench/transport.mjs';
import { viewSection } from './bench/view.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { BUILD_DIR } from './lib/project.mjs';

const SECTIONS = { sim: simSection, transport: transportSection, view: viewSection, flip: flipSection };
const DEFAULT_RUNS = 5;

const { sections, runs } = readArguments(process.argv.slice(2));
if (await ensureInstalled()) await runSections();
else process.exitCode = 1;

async function runSections() {
  warnOfLoad();
  const rows = [];
  for (const name of sections) {
    console.error(`bench: ${name} …`);
    try {
      rows.push(...(await SECTIONS[name](runs)).map((row) => ({ section: name, ...row })));
    } catch (error) {
      console.error(`bench: ${name} failed: ${error.message}`);
      process.exitCode = 1;
    }
  }
  printTable(rows);
  mkdirSync(join(BUILD_DIR, 'reports'), { recursive: true });
  writeFileSync(join(BUILD_DIR, 'reports', 'bench.json'), `${JSON.stringify(rows, undefined, 2)}\n`);
}

/** Times on a machine that is busy with other work say little; ratios say a little more. */
function warnOfLoad() {
  const [load] = loadavg();
  if (load > cpus().length / 4) {
    console.error(
      `bench: other work is running (load ${load.toFixed(1)} on ${cpus().length} CPUs): times will be too long.`,
    );
  }
}

function readArguments(args) {
  const chosen = [];
  let runs = DEFAULT_RUNS;
  for (let i = 0; i < args.length; i++) {
    if (args[i] in SECTIONS) chosen.push(args[i]);
    else if (args[i] === '--runs' && Number(args[i + 1]) >= 1) runs = Math.floor(Number(args[++i]));
    else {
      console.error(`Unknown argument: ${args[i]}. Sections: ${Object.keys(SECTIONS).join(', ')}; --runs N.`);
      process.exit(2);
    }
  }
  return { sections: chosen.length > 0 ? chosen : Object.keys(SECTIONS), runs };
}
