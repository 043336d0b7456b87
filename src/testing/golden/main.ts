// `npm run golden`: simulated workloads beside recorded kernels.

import { parseArguments, USAGE } from './arguments.ts';
import { comparedPairs, comparePair } from './compare.ts';
import { openGolden } from './golden_files.ts';
import { judgeRows } from './known_misses.ts';
import { recordedJson } from './record_command.ts';
import { reportText, tableText } from './table.ts';

/** Relative to the checkout, where npm starts scripts. */
const GOLDEN_FOLDER = 'golden';

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

function main(argv: readonly string[]): number {
  const parsed = parseArguments(argv);
  if (!parsed.ok) {
    console.error(`${parsed.error}\n${USAGE}`);
    return 2;
  }
  const args = parsed.value;
  if (args.help) {
    print(USAGE);
    return 0;
  }
  const golden = openGolden(GOLDEN_FOLDER);
  if (args.record !== undefined) {
    const json = recordedJson(golden, args.record);
    if (!json.ok) {
      console.error(json.error);
      return 2;
    }
    print(json.value.trimEnd());
    return 0;
  }
  const pairs = comparedPairs(golden, args.only, args.kernels);
  if (pairs.length === 0) {
    console.error('No recorded workload has that name and kernel.');
    return 2;
  }
  const rows = pairs.flatMap((pair) => comparePair(golden, pair));
  const complete = args.only.length === 0 && args.kernels.length === 0;
  const report = judgeRows(rows, golden.knownMisses, complete);
  const { passed, failed } = report;
  const fresh = report.fresh.map((row) => row.id);
  if (args.json) print(JSON.stringify({ rows, passed, failed, fresh }, undefined, 1));
  else print(`${tableText(rows)}\n${reportText(rows, report, golden.knownMisses)}`);
  const unlisted = report.fresh.length + report.healed.length + report.stale.length;
  return (args.ci ? unlisted : report.failed) === 0 ? 0 : 1;
}

process.exitCode = main(process.argv.slice(2));
