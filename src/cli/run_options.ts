// The options of `run` that say what to simulate and over which stretch: --set, --at, --between.

import { err, ok, type Result } from '../base/result.ts';
import type { Ns } from '../base/units.ts';
import type { InterventionRequest } from '../scenario/resolve.ts';
import { parseTime } from '../scenario/time_text.ts';
import type { OptionSpec, ParsedArgs } from './args.ts';

export const RUN_OPTIONS: readonly OptionSpec[] = [
  { name: '--set', values: 1, many: true },
  { name: '--at', values: 2, many: true },
];

export const BETWEEN_OPTION: OptionSpec = { name: '--between', values: 2 };

export interface RunSettings {
  readonly settings: Readonly<Record<string, string>>;
  readonly interventions: readonly InterventionRequest[];
  readonly betweenNs: readonly [Ns, Ns] | undefined;
}

/** All mistakes together, as sentences. Whether a setting exists is the scenario's to say. */
export function readRunSettings(args: ParsedArgs): Result<RunSettings, readonly string[]> {
  const problems: string[] = [];
  const settings = new Map<string, string>();
  for (const [pair] of args.options.get('--set') ?? []) {
    const setting = readPair('--set', pair!, problems);
    if (setting === undefined) continue;
    // Set anew means: acts last.
    settings.delete(setting[0]);
    settings.set(...setting);
  }
  const interventions: InterventionRequest[] = [];
  for (const [at, pair] of args.options.get('--at') ?? []) {
    readTime('--at', at!, problems);
    const setting = readPair('--at', pair!, problems);
    if (setting !== undefined) interventions.push({ at: at!, set: Object.fromEntries([setting]) });
  }
  const betweenNs = readBetween(args.options.get('--between')?.[0], problems);
  if (problems.length > 0) return err(problems);
  return ok({ settings: Object.fromEntries(settings), interventions, betweenNs });
}

function readPair(option: string, text: string, problems: string[]): readonly [string, string] | undefined {
  const equals = text.indexOf('=');
  if (equals > 0) return [text.slice(0, equals), text.slice(equals + 1)];
  problems.push(
    `${option} has ${JSON.stringify(text.slice(0, 60))}, which is no "toggle=value". For example ${option === '--at' ? '--at 100ms rt=off' : '--set rt=off'}.`,
  );
  return undefined;
}

function readBetween(values: readonly string[] | undefined, problems: string[]): readonly [Ns, Ns] | undefined {
  if (values === undefined) return undefined;
  const from = readTime('--between', values[0]!, problems);
  const to = readTime('--between', values[1]!, problems);
  if (from === undefined || to === undefined) return undefined;
  if (from < to) return [from, to];
  problems.push('--between is an empty stretch: its end is not after its start. Write the earlier time first.');
  return undefined;
}

function readTime(option: string, text: string, problems: string[]): Ns | undefined {
  const time = parseTime(text);
  if (time.ok) return time.value;
  problems.push(`${option} has ${JSON.stringify(text.slice(0, 60))}, which ${time.error.message}. ${time.error.hint}`);
  return undefined;
}
