// Sets of CPUs as people write them: [0, 2] or "0-3,6", as in /proc and taskset.

import type { CpuId } from '../trace/ids.ts';
import type { Json } from './document.ts';
import { elementPath } from './json_path.ts';
import { isList, kindOf } from './json_value.ts';
import { addProblem, quoted } from './problems.ts';
import type { ReadContext } from './read_context.ts';
import { fieldName, readInteger } from './read_value.ts';

const MAX_CPU_NUMBER = 1_000_000;

export interface CpuSet {
  /** Ascending, all of the machine's. */
  readonly cpus: readonly CpuId[];
  /** CPUs were named that the machine lacks. */
  readonly dropped: boolean;
}

/** The CPUs that are named and that the machine has; an empty result is a problem. */
export function readCpuSet(ctx: ReadContext, value: Json, path: string, machineCpus: number): CpuSet | undefined {
  const ranges = isList(value) ? readNumbers(ctx, value, path) : readRanges(ctx, value, path);
  if (ranges === undefined) return undefined;
  const chosen = new Array<boolean>(machineCpus).fill(false);
  let dropped = false;
  for (const [first, last] of ranges) {
    if (last >= machineCpus) dropped = true;
    for (let cpu = first; cpu <= last && cpu < machineCpus; cpu++) chosen[cpu] = true;
  }
  const cpus = chosen.flatMap((is, cpu) => (is ? [cpu] : []));
  if (cpus.length > 0) return { cpus, dropped };
  addProblem(
    ctx.problems,
    'no-cpu',
    path,
    ranges.length === 0
      ? `${fieldName(path)} names no CPU.`
      : `${fieldName(path)} names only CPUs that the machine lacks; it has ${machineCpus}.`,
    `CPUs are numbered from 0 to ${machineCpus - 1}.`,
  );
  return undefined;
}

type Range = readonly [number, number];

function readNumbers(ctx: ReadContext, list: readonly Json[], path: string): readonly Range[] | undefined {
  const ranges: Range[] = [];
  for (let i = 0; i < list.length; i++) {
    const cpu = readInteger(ctx, list[i], elementPath(path, i), { min: 0, max: MAX_CPU_NUMBER });
    if (cpu === undefined) return undefined;
    ranges.push([cpu, cpu]);
  }
  return ranges;
}

function readRanges(ctx: ReadContext, value: Json, path: string): readonly Range[] | undefined {
  const wrong = (what: string): undefined => {
    addProblem(ctx.problems, 'cpu-list', path, `${fieldName(path)} is ${what}.`, 'Write [0, 2] or "0-3,6".');
  };
  if (typeof value !== 'string') return wrong(kindOf(value));
  if (value.length > 4096) return wrong('too long');
  const ranges: Range[] = [];
  for (const part of value.split(',')) {
    const match = /^\s*(\d{1,6})(?:-(\d{1,6}))?\s*$/.exec(part);
    if (match === null) return wrong(quoted(value));
    const first = Number(match[1]);
    const last = match[2] === undefined ? first : Number(match[2]);
    if (last < first) return wrong(`${quoted(value)}: a range that runs backwards`);
    ranges.push([first, last]);
  }
  return ranges;
}
