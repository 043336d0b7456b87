// Deadline threads that admission control certainly refuses. What depends on how the run goes (a thread that may have
// ended, a `set` step, a fork) is decided there.

import type { Ns } from '../base/units.ts';
import { admits, BANDWIDTH_UNIT, dlBandwidth, dlCapacity, serverBandwidth } from './dl_admission.ts';
import { childPath } from './json_path.ts';
import { addProblem, type ProblemList, quoted } from './problems.ts';
import { shortestNs } from './read_duration.ts';
import type { MachineSpec, Step, ThreadSpec } from './scenario.ts';

interface Admitted {
  readonly bandwidth: number;
  /** It is a deadline thread at least until then. */
  readonly untilNs: Ns;
}

/** @param paths place of each thread in the document */
export function checkAdmission(
  problems: ProblemList,
  machine: MachineSpec,
  threads: readonly ThreadSpec[],
  paths: readonly string[],
): void {
  const starting = threads.flatMap((thread, i) =>
    thread.dl !== undefined && thread.start !== 'fork'
      ? [{ dl: thread.dl, startNs: thread.start, thread, path: paths[i]! }]
      : [],
  );
  starting.sort((a, b) => a.startNs - b.startNs);
  const admitted: Admitted[] = [];
  for (const { dl, startNs, thread, path } of starting) {
    const bandwidth = dlBandwidth(dl.runtimeNs, dl.periodNs);
    const others = admitted.reduce((sum, other) => sum + (other.untilNs > startNs ? other.bandwidth : 0), 0);
    if (admits(machine, others, bandwidth)) {
      admitted.push({ bandwidth, untilNs: startNs + shortestStay(thread.program, startNs) });
      continue;
    }
    const server = serverBandwidth(machine);
    const left = Math.max(0, dlCapacity(machine)! - server - others);
    addProblem(
      problems,
      'admission',
      childPath(path, 'runtime'),
      `The kernel refuses ${quoted(thread.name)} (EBUSY): it asks for ${percent(bandwidth)} of a CPU, and of the ${percent(dlCapacity(machine)!)} for deadline threads ${percent(left)} are left.`,
      server > 0
        ? `The fair servers have ${percent(server)} of it; write a smaller "runtime", a longer "period", or "fairServer": false.`
        : 'Write a smaller "runtime" or a longer "period"; "rtThrottling": false switches admission off.',
    );
  }
}

/** In 2^-20, rounded to hundredths of a percent. */
function percent(bandwidth: number): string {
  return `${Math.round((bandwidth * 10_000) / BANDWIDTH_UNIT) / 100} %`;
}

/** Shortest time in which a program can come to its end, or to a step that may end the thread's policy. O(steps). */
function shortestStay(program: readonly Step[], startNs: Ns): Ns {
  const { throughNs, outNs } = shortest(program, startNs);
  return Math.min(throughNs, outNs);
}

/** Shortest time through steps, and to a step that ends the thread or changes its policy; Infinity: never. */
interface Shortest {
  readonly throughNs: number;
  readonly outNs: number;
}

/** @param startNs instant at which `steps` begin; undefined: any instant */
function shortest(steps: readonly Step[], startNs: Ns | undefined): Shortest {
  let throughNs = 0;
  let outNs = Number.POSITIVE_INFINITY;
  for (const step of steps) {
    const at = startNs === undefined ? undefined : startNs + throughNs;
    const next = shortestStep(step, at);
    outNs = Math.min(outNs, throughNs + next.outNs);
    throughNs += next.throughNs;
  }
  return { throughNs, outNs };
}

function shortestStep(step: Step, startNs: Ns | undefined): Shortest {
  const lasts = (throughNs: number): Shortest => ({ throughNs, outNs: Number.POSITIVE_INFINITY });
  switch (step.op) {
    case 'run':
      return lasts(step.forNs === 'forever' ? Number.POSITIVE_INFINITY : shortestNs(step.forNs));
    case 'sleep':
    case 'io':
      return lasts(shortestNs(step.forNs));
    case 'runUntil':
    case 'sleepUntil':
      return lasts(startNs === undefined ? 0 : Math.max(0, step.atNs - startNs));
    case 'exit':
      return { throughNs: Number.POSITIVE_INFINITY, outNs: 0 };
    case 'set':
      return { throughNs: 0, outNs: changesBandwidth(step) ? 0 : Number.POSITIVE_INFINITY };
    case 'deadlineAt':
      return shortest(step.do, startNs);
    case 'tryLock':
      return either(shortest(step.then, undefined), shortest(step.else, undefined));
    case 'lock':
      return step.else === undefined ? lasts(0) : either(lasts(0), shortest(step.else, undefined));
    case 'repeat':
      return shortestLoop(step);
    default:
      return lasts(0);
  }
}

function changesBandwidth({ set }: Step & { op: 'set' }): boolean {
  return set.policy !== undefined || set.runtimeNs !== undefined || set.periodNs !== undefined;
}

function either(a: Shortest, b: Shortest): Shortest {
  return { throughNs: Math.min(a.throughNs, b.throughNs), outNs: Math.min(a.outNs, b.outNs) };
}

function shortestLoop(step: Step & { op: 'repeat' }): Shortest {
  if (step.times === 0) return { throughNs: 0, outNs: Number.POSITIVE_INFINITY };
  const round = shortest(step.do, undefined);
  if (step.times === 'forever') return { throughNs: Number.POSITIVE_INFINITY, outNs: round.outNs };
  if (typeof step.times === 'object') return { throughNs: 0, outNs: round.outNs };
  return { throughNs: round.throughNs * step.times, outNs: round.outNs };
}
