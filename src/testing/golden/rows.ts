// From two summaries, the recorded and the simulated one, to the rows of the table.

import { assertNever } from '../../base/assert.ts';
import type { Ns } from '../../base/units.ts';
import { NS_PER_MS } from '../../base/units.ts';
import type { MeasureKind, MeasureSpec, Tolerance, WorkloadSpec } from './measure_spec.ts';
import { TICK_NS } from './recorded.ts';
import type { Row, RowUnit } from './row.ts';
import { sequenceLikeness } from './sequence.ts';
import type { LockSummary, PhaseSummary, Summary } from './summary.ts';
import type { ToleranceContext } from './tolerance.ts';
import { countTolerance, shareTolerance, toleranceNs } from './tolerance.ts';

/** A thread with less of the CPU than this only passes by; its share says nothing. */
const NOTABLE_SHARE = 0.002;
/** Thread that holds the lock in the bmalloc workloads. */
const HOLDER = 'WebProcess';
/**
 * The recording machine gives n busy CPUs 1/n of its speed each. While a spinner of the sleeping kind computes, the
 * holder does so on another CPU: two are busy.
 */
const BUSY_WHEN_SLEEPING = 2;

export interface CompareInput {
  readonly spec: MeasureSpec;
  readonly workload: string;
  readonly recordedKernel: string;
  readonly recorded: Summary;
  readonly simulated: Summary;
  /** CPU time of one failed turn of the yielding loop, of this kernel's cost set. */
  readonly yieldTurnNs: Ns;
}

/** Base slice of EEVDF with hrtick as the kernel scales it by CPUs (1 + floor(log2(min(cpus, 8)))). */
function hrtickSliceNs(cpus: number): Ns {
  const factor = cpus >= 8 ? 4 : cpus >= 4 ? 3 : cpus >= 2 ? 2 : 1;
  return 0.7 * NS_PER_MS * factor;
}

/** All rows of one workload on one recorded kernel. */
export function rowsOf(input: CompareInput): Row[] {
  const workload = input.spec.workloads[input.workload];
  if (workload === undefined) throw new Error(`bug: ${input.workload} must be listed in measures.json`);
  return workload.measures.flatMap((measure) => new RowMaker(input, workload, measure).rows());
}

/** Numbers that are compared within a tolerance. */
interface NumberPair {
  readonly at?: string;
  readonly unit: RowUnit;
  readonly recorded: number | undefined;
  readonly simulated: number | undefined;
  readonly tolerance: number;
  readonly detail?: string;
}

class RowMaker {
  private readonly input: CompareInput;
  private readonly workload: WorkloadSpec;
  private readonly measure: MeasureKind;
  private readonly tolerance: Tolerance;
  private readonly base: ToleranceContext;

  constructor(input: CompareInput, workload: WorkloadSpec, measure: MeasureKind) {
    this.input = input;
    this.workload = workload;
    this.measure = measure;
    this.tolerance = input.spec.tolerances[measure];
    const sliced = input.spec.kernels[input.recordedKernel]?.kernel === '7.2';
    this.base = { tickNs: TICK_NS, ...(sliced ? { hrtickSliceNs: hrtickSliceNs(input.recorded.cpus) } : {}) };
  }

  rows(): Row[] {
    const { recorded, simulated } = this.input;
    switch (this.measure) {
      case 'share':
        return this.perThread((phase, thread, ours, at) => {
          if (thread.share < NOTABLE_SHARE) return undefined;
          const stintsNs = Object.values(phase.threads)
            .filter((t) => t.share >= NOTABLE_SHARE && t.stints.n > 0)
            .map((t) => t.stints.p50Ns);
          const stintNs = stintsNs.length === 0 ? 0 : Math.min(...stintsNs);
          const tolerance = shareTolerance(this.tolerance, stintNs, phase.toNs - phase.fromNs);
          return { at, unit: 'share', recorded: thread.share, simulated: ours?.share ?? 0, tolerance };
        });
      case 'stint':
        return this.perThread((_phase, thread, ours, at) => {
          if (thread.stints.n < (this.tolerance.atLeast ?? 1)) return undefined;
          return this.ns(
            at,
            thread.stints.p50Ns,
            ours !== undefined && ours.stints.n > 0 ? ours.stints.p50Ns : undefined,
          );
        });
      case 'wakeup':
        return this.perPhase((phase, ours, name) =>
          phase.wakeups === undefined
            ? []
            : [
                this.ns(`${name}/p50`, phase.wakeups.p50Ns, ours?.wakeups?.p50Ns),
                this.ns(`${name}/p99`, phase.wakeups.p99Ns, ours?.wakeups?.p99Ns),
              ],
        );
      case 'order':
        return this.phases().map(([name, phase]) => this.equal(name, namesOf(phase), namesOf(simulated.phases[name])));
      case 'lengths':
      case 'throttleLengths':
        return this.perPhase((phase, ours, name) => [this.worstLength(name, phase, ours)]);
      case 'boosts':
        return [this.equal(undefined, recorded.boosts.join(', '), simulated.boosts.join(', '))];
      case 'piWait': {
        const mainStintNs = recorded.phases.contended?.threads.main?.stints.p50Ns ?? 0;
        const wait = (s: Summary) => s.locks.find((call) => call.thread === 'high')?.waitNs;
        return [this.number(this.ns('high', wait(recorded), wait(simulated), { mainStintNs }))];
      }
      case 'sleepP50':
        return this.sleeps((s) => s.p50Ns);
      case 'sleepMin':
        return this.sleeps((s) => s.minNs);
      case 'sleepMax':
        return this.sleeps((s) => s.maxNs);
      case 'outcome':
        return [this.equal(undefined, outcomeOf(recorded), outcomeOf(simulated))];
      case 'released':
        return [this.number(this.ns(undefined, holderOf(recorded)?.releasedAtNs, holderOf(simulated)?.releasedAtNs))];
      case 'hold':
        return [this.number(this.ns(undefined, holderOf(recorded)?.holdNs, holderOf(simulated)?.holdNs))];
      case 'longestOffCpu':
        return [this.number(this.ns(HOLDER, recorded.longestOffCpuNs[HOLDER], simulated.longestOffCpuNs[HOLDER]))];
      case 'spinWait':
      case 'sleepingWait': {
        // Which spinner gets the lock first is a matter of microseconds: the waits are compared by rank.
        const theirs = waitsOf(recorded);
        const ours = waitsOf(simulated);
        const turnNs = turnOf(recorded);
        return theirs.map((waitNs, i) => this.number(this.ns(`${i + 1}`, waitNs, ours[i], { turnNs })));
      }
      case 'spinExecShare':
      case 'sleepingExecShare': {
        const scale = this.measure === 'sleepingExecShare' ? BUSY_WHEN_SLEEPING : 1;
        const theirs = total(recorded, 'onCpuNs') / total(recorded, 'waitNs') / scale;
        const ours = total(simulated, 'onCpuNs') / total(simulated, 'waitNs');
        const tolerance = (this.tolerance.points ?? 0) / 100;
        return [this.number({ unit: 'share', recorded: theirs, simulated: ours, tolerance })];
      }
      case 'yieldRate': {
        // CPU time of a turn, in units of the kernel's own sched_yield; with four busy CPUs each has a quarter of the speed.
        const theirs = turnOnCpu(recorded) / (this.input.yieldTurnNs * recorded.cpus);
        const ours = turnOnCpu(simulated) / this.input.yieldTurnNs;
        return [this.ratio('ratio', theirs, ours)];
      }
      case 'sleepingRate': {
        const rate = (s: Summary) => (total(s, 'iterations') / total(s, 'waitNs')) * NS_PER_MS;
        return [this.ratio('perMs', rate(recorded), rate(simulated))];
      }
      case 'sequence':
        // On 7.2 stints end at the hrtick, not at ticks: their order is compared by the workloads that have `order`.
        if (this.base.hrtickSliceNs !== undefined) return [];
        return this.phases().flatMap(([name, phase]) => {
          const theirs = phase.sequence ?? [];
          if (theirs.length === 0) return [];
          const likeness = sequenceLikeness(theirs, simulated.phases[name]?.sequence ?? []);
          const tolerance = (this.tolerance.points ?? 0) / 100;
          return [
            this.number({
              at: name,
              unit: 'share',
              recorded: 1,
              simulated: likeness.share,
              tolerance,
              detail: likeness.first,
            }),
          ];
        });
      case 'sortedShare':
        return this.phases().flatMap(([name, phase]) => {
          const theirs = sharesOf(phase);
          const ours = sharesOf(simulated.phases[name]);
          const tolerance = (this.tolerance.points ?? 0) / 100;
          return theirs.flatMap((share, i) =>
            share < NOTABLE_SHARE
              ? []
              : [
                  this.number({
                    at: `${name}/${i + 1}`,
                    unit: 'share',
                    recorded: share,
                    simulated: ours[i] ?? 0,
                    tolerance,
                  }),
                ],
          );
        });
      case 'migrations':
        return this.phases().map(([name, phase]) => {
          const theirs = phase.migrations;
          const ours = simulated.phases[name]?.migrations;
          return this.number({
            at: name,
            unit: 'count',
            recorded: theirs,
            simulated: ours,
            tolerance: countTolerance(this.tolerance, theirs, ours ?? 0),
          });
        });
      default:
        return assertNever(this.measure);
    }
  }

  private phases(): [string, PhaseSummary][] {
    const wanted = this.workload.phases;
    return Object.entries(this.input.recorded.phases).filter(([name]) => wanted?.includes(name) ?? true);
  }

  private perPhase(make: (phase: PhaseSummary, ours: PhaseSummary | undefined, name: string) => NumberPair[]): Row[] {
    return this.phases().flatMap(([name, phase]) =>
      make(phase, this.input.simulated.phases[name], name).map((pair) => this.number(pair)),
    );
  }

  private perThread(
    make: (
      phase: PhaseSummary,
      thread: PhaseSummary['threads'][string],
      ours: PhaseSummary['threads'][string] | undefined,
      at: string,
    ) => NumberPair | undefined,
  ): Row[] {
    return this.perPhase((phase, ours, name) =>
      Object.entries(phase.threads).flatMap(([thread, summary]) => {
        const pair = make(phase, summary, ours?.threads[thread], `${name}/${thread}`);
        return pair === undefined ? [] : [pair];
      }),
    );
  }

  private sleeps(read: (s: Summary['sleeps'][string]) => Ns): Row[] {
    return Object.entries(this.input.recorded.sleeps).map(([phase, sleep]) => {
      const ours = this.input.simulated.sleeps[phase];
      const hasSlack = phase.startsWith('fair_') && !phase.startsWith('fair_slack1');
      const besideHog = phase.startsWith('fair_hog');
      const context = { hasSlack, besideHog };
      return this.number(this.ns(phase, read(sleep), ours === undefined ? undefined : read(ours), context));
    });
  }

  private worstLength(name: string, phase: PhaseSummary, ours: PhaseSummary | undefined): NumberPair {
    const theirs = phase.sequence ?? [];
    const simulated = ours?.sequence ?? [];
    let worst: NumberPair | undefined;
    let worstExcess = -1;
    theirs.forEach(([thread, lengthNs], i) => {
      const other = simulated[i];
      const pair = this.ns(name, lengthNs, other?.[1]);
      const apart = other === undefined ? Number.POSITIVE_INFINITY : Math.abs(other[1] - lengthNs) / pair.tolerance;
      if (apart > worstExcess) {
        worstExcess = apart;
        worst = { ...pair, detail: `stint ${i + 1} of ${theirs.length}, ${thread}` };
      }
    });
    return worst ?? this.ns(name, undefined, undefined);
  }

  private ns(
    at: string | undefined,
    recorded: Ns | undefined,
    simulated: Ns | undefined,
    context: Partial<ToleranceContext> = {},
  ): NumberPair {
    const tolerance = toleranceNs(this.tolerance, {
      ...this.base,
      ...(recorded === undefined ? {} : { recorded }),
      ...context,
    });
    return { ...(at === undefined ? {} : { at }), unit: 'ns', recorded, simulated, tolerance };
  }

  private ratio(unit: RowUnit, recorded: number, simulated: number): Row {
    const tolerance = (this.tolerance.relative ?? 0) * recorded;
    return this.number({ unit, recorded, simulated, tolerance });
  }

  private number(pair: NumberPair): Row {
    const { recorded, simulated, tolerance } = pair;
    const ok =
      recorded === undefined
        ? simulated === undefined
        : simulated !== undefined && Math.abs(recorded - simulated) <= tolerance;
    return {
      ...this.head(pair.at),
      unit: pair.unit,
      recorded,
      simulated,
      tolerance,
      ok,
      ...(pair.detail === undefined ? {} : { detail: pair.detail }),
    };
  }

  private equal(at: string | undefined, recorded: string, simulated: string): Row {
    return { ...this.head(at), unit: 'text', recorded, simulated, tolerance: undefined, ok: recorded === simulated };
  }

  private head(at: string | undefined): Pick<Row, 'id' | 'workload' | 'kernel' | 'measure'> {
    const { workload, recordedKernel } = this.input;
    const measure = at === undefined ? this.measure : `${this.measure}/${at}`;
    return { id: `${workload}/${recordedKernel}/${measure}`, workload, kernel: recordedKernel, measure };
  }
}

/** Largest first. */
function sharesOf(phase: PhaseSummary | undefined): number[] {
  return Object.values(phase?.threads ?? {})
    .map((thread) => thread.share)
    .sort((x, y) => y - x);
}

function namesOf(phase: PhaseSummary | undefined): string {
  return (phase?.sequence ?? []).map(([thread]) => thread).join(' ');
}

function holderOf(s: Summary): LockSummary | undefined {
  return s.locks.find((call) => call.thread === HOLDER);
}

function spinnersOf(s: Summary): LockSummary[] {
  return s.locks.filter((call) => call.thread !== HOLDER);
}

function outcomeOf(s: Summary): string {
  const spinners = spinnersOf(s);
  if (spinners.some((call) => call.outcome !== 'acquired')) return 'hang';
  return spinners.length > 0 ? 'clears' : 'no spinner';
}

function waitsOf(s: Summary): Ns[] {
  return spinnersOf(s)
    .map((call) => call.waitNs)
    .sort((x, y) => x - y);
}

function total(s: Summary, key: 'waitNs' | 'onCpuNs' | 'iterations'): number {
  return spinnersOf(s).reduce((sum, call) => sum + (call[key] ?? 0), 0);
}

/** Wall time of one turn of the loop, over all spinners. */
function turnOf(s: Summary): Ns {
  return total(s, 'waitNs') / Math.max(1, total(s, 'iterations'));
}

/** CPU time of one turn of the loop, over all spinners. */
function turnOnCpu(s: Summary): Ns {
  return total(s, 'onCpuNs') / Math.max(1, total(s, 'iterations'));
}
