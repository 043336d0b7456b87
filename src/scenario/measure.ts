// Parses the measures of claims: share(t), weight(t)@T, verdict(kind), …

import { err, ok, type Result } from '../base/result.ts';
import { VERDICT_KINDS } from '../trace/verdicts.ts';
import { listNames, nearestName } from './nearest_name.ts';
import type { Measure } from './scenario.ts';
import { parseTime } from './time_text.ts';

/** What an argument of a measure names. */
export type ArgumentKind = 'thread' | 'lock' | 'percentile' | 'text' | 'verdict';

export interface MeasureKind {
  readonly args: readonly ArgumentKind[];
  /** 'time': the claim's value is a time text; 'number': a number. */
  readonly unit: 'time' | 'number';
  /** Needs an instant, "@T". */
  readonly at?: true;
}

const time = (...args: ArgumentKind[]): MeasureKind => ({ args, unit: 'time' });
const number = (...args: ArgumentKind[]): MeasureKind => ({ args, unit: 'number' });

/** The measures of the scenario format. */
export const MEASURES: ReadonlyMap<string, MeasureKind> = new Map([
  ['share', number('thread')],
  ['cpuTime', time('thread')],
  ['finish', time('thread')],
  ['mark', time('text')],
  ['acquisitions', number('thread', 'lock')],
  ['longestWait', time('thread')],
  ['lockWait', time('thread', 'lock')],
  ['blocked', time('thread')],
  ['throttled', time('thread')],
  ['iterations', number('thread', 'lock')],
  ['execShare', number('thread', 'lock')],
  ['switches', number('thread')],
  ['migrations', number('thread')],
  ['missed', number('thread')],
  ['stint', time('thread', 'percentile')],
  ['wakeupLatency', time('thread', 'percentile')],
  ['sleepTime', time('thread', 'percentile')],
  ['effectivePriority', { args: ['thread'], unit: 'number', at: true }],
  ['weight', { args: ['thread'], unit: 'number', at: true }],
  ['verdict', number('verdict')],
]);

export interface MeasureError {
  readonly code: string;
  readonly message: string;
  readonly hint: string;
}

/** Names that arguments are looked up in. */
export interface MeasureNames {
  readonly threads: ReadonlySet<string>;
  readonly locks: ReadonlySet<string>;
}

/** name(args)@T, checked against what the document defines. Never throws. */
export function parseMeasure(text: string, names: MeasureNames): Result<Measure, MeasureError> {
  const parts = /^\s*([A-Za-z]+)\s*\((.*)\)\s*(?:@\s*(\S+)\s*)?$/s.exec(text);
  if (parts === null)
    return err({ code: 'measure', message: 'is no measure', hint: 'For example "share(low)" or "weight(low)@1s".' });
  const [, name = '', inside = '', at] = parts;
  const kind = MEASURES.get(name);
  if (kind === undefined) {
    const near = nearestName(name, MEASURES.keys());
    return err({
      code: 'unknown-measure',
      message: `names the measure "${name.slice(0, 40)}", which does not exist`,
      hint: near !== undefined ? `Did you mean "${near}"?` : `Measures: ${listNames([...MEASURES.keys()], 30)}.`,
    });
  }
  const args = splitArguments(inside, kind.args.length);
  if (args.length !== kind.args.length || args.some((arg) => arg === '')) {
    return err({
      code: 'measure',
      message: `has the wrong number of arguments`,
      hint: `Write ${name}(${kind.args.join(', ')})${kind.at ? '@T' : ''}.`,
    });
  }
  for (const [i, arg] of args.entries()) {
    const wrong = checkArgument(kind.args[i]!, arg, names);
    if (wrong !== undefined) return err(wrong);
  }
  if ((at !== undefined) !== (kind.at === true)) {
    return err({
      code: 'measure',
      message: kind.at ? 'lacks its instant' : 'has an instant',
      hint: `Write ${name}(${kind.args.join(', ')})${kind.at ? '@T, for example @1s' : ''}.`,
    });
  }
  if (at === undefined) return ok({ name, args, text });
  const atNs = parseTime(at);
  if (!atNs.ok)
    return err({
      code: atNs.error.code,
      message: `has the instant "${at.slice(0, 40)}", which ${atNs.error.message}`,
      hint: atNs.error.hint,
    });
  return ok({ name, args, atNs: atNs.value, text });
}

/** The last of two arguments begins after the last comma: names of threads may hold commas. */
function splitArguments(inside: string, count: number): string[] {
  if (count === 1) return [inside.trim()];
  const comma = inside.lastIndexOf(',');
  return comma < 0 ? [inside.trim()] : [inside.slice(0, comma).trim(), inside.slice(comma + 1).trim()];
}

function checkArgument(kind: ArgumentKind, arg: string, names: MeasureNames): MeasureError | undefined {
  switch (kind) {
    case 'thread':
      return checkName('thread', arg.endsWith('/*') ? groupName(arg, names.threads) : arg, names.threads);
    case 'lock':
      return checkName('lock', arg, names.locks);
    case 'percentile':
      return /^(?:p(?:100|\d{1,2})|min|max)$/.test(arg)
        ? undefined
        : {
            code: 'measure',
            message: `has the percentile "${arg.slice(0, 20)}"`,
            hint: 'Write p50, p95, p99 or the like.',
          };
    case 'verdict':
      return checkName('verdict', arg, new Set<string>(VERDICT_KINDS));
    case 'text':
      return undefined;
  }
}

/** "name/*" stands for name/0, name/1, …; one of them must exist. */
function groupName(arg: string, threads: ReadonlySet<string>): string {
  const first = `${arg.slice(0, -2)}/0`;
  return threads.has(first) ? first : threads.has(arg.slice(0, -2)) ? arg.slice(0, -2) : arg;
}

function checkName(what: string, name: string, known: ReadonlySet<string>): MeasureError | undefined {
  if (known.has(name)) return undefined;
  const near = nearestName(name, known);
  return {
    code: `unknown-${what}`,
    message: `names the ${what} ${JSON.stringify(name.slice(0, 40))}, which does not exist`,
    hint: near !== undefined ? `Did you mean "${near}"?` : `There is no such ${what}.`,
  };
}
