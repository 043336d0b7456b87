// Arguments of one command: options with their values, operands, and what is wrong with them.

import { nearestName } from '../scenario/nearest_name.ts';

export interface OptionSpec {
  /** With its dashes. */
  readonly name: string;
  /** How many values follow. */
  readonly values: 0 | 1 | 2;
  /** May stand more than once. */
  readonly many?: true;
}

export interface ParsedArgs {
  readonly operands: readonly string[];
  /** Values of each occurrence by option name, in order. */
  readonly options: ReadonlyMap<string, readonly (readonly string[])[]>;
  /** Complete sentences; empty when all is well. */
  readonly problems: readonly string[];
}

/** Parses without stopping at the first mistake. `--name=value` is the same as `--name value`; `--` ends the options; `-` is an operand. */
export function parseArgs(args: readonly string[], specs: readonly OptionSpec[]): ParsedArgs {
  const operands: string[] = [];
  const options = new Map<string, string[][]>();
  const problems: string[] = [];
  for (let i = 0; i < args.length; i++) {
    const arg = args[i]!;
    if (arg === '--') {
      operands.push(...args.slice(i + 1));
      break;
    }
    if (!arg.startsWith('-') || arg === '-') {
      operands.push(arg);
      continue;
    }
    const equals = arg.startsWith('--') ? arg.indexOf('=') : -1;
    const name = equals < 0 ? arg : arg.slice(0, equals);
    const spec = specs.find((known) => known.name === name);
    if (spec === undefined) {
      problems.push(unknownOption(name, specs));
      continue;
    }
    if (equals >= 0 && spec.values === 0) {
      problems.push(`${name} takes no value.`);
      continue;
    }
    const values = equals >= 0 ? [arg.slice(equals + 1)] : [];
    while (values.length < spec.values && i + 1 < args.length && !isOption(args[i + 1]!, specs))
      values.push(args[++i]!);
    if (values.length < spec.values)
      problems.push(`${name} needs ${spec.values === 1 ? 'a value' : `${spec.values} values`}.`);
    else if (options.has(name) && spec.many !== true && spec.values > 0) problems.push(`${name} stands twice.`);
    else options.set(name, [...(options.get(name) ?? []), values]);
  }
  return { operands, options, problems };
}

/** A value may begin with a dash, but a known option is never a value. */
function isOption(arg: string, specs: readonly OptionSpec[]): boolean {
  const name = arg.split('=', 1)[0]!;
  return arg === '--' || specs.some((spec) => spec.name === name);
}

function unknownOption(name: string, specs: readonly OptionSpec[]): string {
  const shown = JSON.stringify(name.slice(0, 40));
  const near = nearestName(
    name,
    specs.map((spec) => spec.name),
  );
  return near === undefined ? `There is no option ${shown}.` : `There is no option ${shown}. Did you mean ${near}?`;
}
