// Arguments of `npm run golden`.

import type { Result } from '../../base/result.ts';
import { err, ok } from '../../base/result.ts';

export interface GoldenArguments {
  /** Workloads to compare; empty: all. */
  readonly only: readonly string[];
  /** Recorded kernels, or versions (`6.1`): empty: all. */
  readonly kernels: readonly string[];
  readonly json: boolean;
  /** Exit code 1 only for misses that are not on the list of known ones. */
  readonly ci: boolean;
  /** Makes a summary of recorded/ instead: `KERNEL/WORKLOAD`. */
  readonly record?: string;
  readonly help: boolean;
}

export const USAGE = `npm run golden -- [--only WORKLOAD]… [--kernel KERNEL]… [--json] [--ci]
  Simulates the recorded workloads and prints how far simulation and recorded kernel are apart.
  --only WORKLOAD   e.g. fair-share
  --kernel KERNEL   e.g. 6.12.117-deb, or 6.12 for all of that version
  --json            the rows as JSON
  --ci              exit code 1 only where misses and golden/known_misses.json differ
                    (without: for every miss)
  --record KERNEL/WORKLOAD
                    prints the summary of golden/recorded/ made from the trace.dat beside it`;

/** The error is a sentence. */
export function parseArguments(argv: readonly string[]): Result<GoldenArguments, string> {
  const only: string[] = [];
  const kernels: string[] = [];
  let record: string | undefined;
  const flags = new Set<string>();
  for (let i = 0; i < argv.length; i++) {
    const name = argv[i]!;
    if (['--json', '--ci', '--help'].includes(name)) {
      flags.add(name);
      continue;
    }
    if (!['--only', '--kernel', '--record'].includes(name)) {
      return err(`There is no argument "${name}".`);
    }
    const value = argv[++i];
    if (value === undefined) return err(`${name} needs a value.`);
    if (name === '--only') only.push(value);
    else if (name === '--kernel') kernels.push(value);
    else record = value;
  }
  return ok({
    only,
    kernels,
    json: flags.has('--json'),
    ci: flags.has('--ci'),
    help: flags.has('--help'),
    ...(record === undefined ? {} : { record }),
  });
}
