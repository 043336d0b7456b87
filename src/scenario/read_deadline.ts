// Reads the parameters of policy deadline, which stand on threads and in `set` steps.

import type { Ns } from '../base/units.ts';
import type { Policy } from '../trace/meta.ts';
import { mayBeDeadline } from './dl_admission.ts';
import type { JsonObject } from './document.ts';
import { childPath } from './json_path.ts';
import { own } from './json_value.ts';
import { addProblem } from './problems.ts';
import type { ReadContext } from './read_context.ts';
import { optional, readTime } from './read_value.ts';
import type { MachineSpec } from './scenario.ts';
import { formatTime } from './time_text.ts';

/** Shortest runtime that the kernel takes: it counts in 1.024 us. Source: deadline.c __checkparam_dl. */
const MIN_RUNTIME_NS = 1024;
/** Defaults of sched_deadline_period_min_us and sched_deadline_period_max_us. */
const MIN_PERIOD_NS = 100_000;
const MAX_PERIOD_NS = 4_194_304_000;

export interface DlContext extends ReadContext {
  readonly machine: MachineSpec;
}

/** Only what is written; with policy deadline all three, each in the kernel's range. */
export interface DlAttributes {
  readonly runtimeNs?: Ns;
  readonly deadlineNs?: Ns;
  readonly periodNs?: Ns;
}

const KEYS = ['runtime', 'deadline', 'period'] as const;

/**
 * The parameters that `object` names.
 *
 * @param policy undefined: whatever the thread has when the step comes
 * @param allowedCpus how many CPUs the object allows; undefined: it does not say
 */
export function readDeadline(
  ctx: DlContext,
  object: JsonObject,
  path: string,
  policy: Policy | undefined,
  allowedCpus: number | undefined,
): DlAttributes {
  const at = (key: string): string => childPath(path, key);
  if (policy !== undefined && policy !== 'deadline') {
    for (const key of KEYS) {
      if (own(object, key) !== undefined)
        addProblem(
          ctx.problems,
          'deadline-key',
          at(key),
          `"${key}" is for the policy "deadline" only.`,
          `Leave it out, or write "policy": "deadline".`,
        );
    }
    return {};
  }
  const [runtimeNs, writtenDeadlineNs, writtenPeriodNs] = KEYS.map((key) =>
    optional(object, path, key, undefined, (v, place) => readTime(ctx, v, place)),
  );
  if (policy === 'deadline') {
    if (own(object, 'runtime') === undefined) missing(ctx, at('runtime'), '"runtime"');
    if (own(object, 'period') === undefined && own(object, 'deadline') === undefined)
      missing(ctx, at('period'), '"period"');
    checkAffinity(ctx, at('cpus'), allowedCpus);
  }
  const isWhole = policy === 'deadline';
  // As sched_setattr has it: no period means the deadline; no deadline is taken as the period.
  const periodNs = writtenPeriodNs ?? (isWhole ? writtenDeadlineNs : undefined);
  const deadlineNs = writtenDeadlineNs ?? (isWhole ? writtenPeriodNs : undefined);
  checkRange(ctx, path, object, { runtimeNs, deadlineNs, periodNs });
  return {
    ...(runtimeNs !== undefined ? { runtimeNs } : {}),
    ...(deadlineNs !== undefined ? { deadlineNs } : {}),
    ...(periodNs !== undefined ? { periodNs } : {}),
  };
}

function missing(ctx: DlContext, path: string, what: string): void {
  addProblem(
    ctx.problems,
    'missing-key',
    path,
    `A thread of policy "deadline" lacks ${what}.`,
    'It needs "runtime" and "period", for example "10ms" and "100ms".',
  );
}

function checkAffinity(ctx: DlContext, path: string, allowedCpus: number | undefined): void {
  if (allowedCpus === undefined || mayBeDeadline(ctx.machine, allowedCpus)) return;
  addProblem(
    ctx.problems,
    'deadline-cpus',
    path,
    `The kernel refuses a deadline thread that may not run on every CPU (EPERM); this one has ${allowedCpus} of ${ctx.machine.cpus}.`,
    'Leave "cpus" out; "rtThrottling": false switches this check and admission off.',
  );
}

/** The kernel's rules (EINVAL). */
function checkRange(
  ctx: DlContext,
  path: string,
  object: JsonObject,
  { runtimeNs, deadlineNs, periodNs }: Readonly<Record<keyof DlAttributes, Ns | undefined>>,
): void {
  const problem = (key: string, message: string, hint: string): void =>
    addProblem(ctx.problems, 'deadline-range', childPath(path, key), message, hint);
  const { tunables } = ctx.machine;
  const minPeriodNs = tunables['sched_deadline_period_min_us'] ?? MIN_PERIOD_NS;
  const maxPeriodNs = tunables['sched_deadline_period_max_us'] ?? MAX_PERIOD_NS;
  const order = 'The kernel wants runtime <= deadline <= period.';
  const periodKey = own(object, 'period') === undefined ? 'deadline' : 'period';
  const deadlineKey = own(object, 'deadline') === undefined ? 'period' : 'deadline';
  if (runtimeNs !== undefined && runtimeNs < MIN_RUNTIME_NS)
    problem('runtime', `The runtime is ${formatTime(runtimeNs)}.`, 'The kernel takes 1.024us or more.');
  if (periodNs !== undefined && (periodNs < minPeriodNs || periodNs > maxPeriodNs))
    problem(
      periodKey,
      `The period is ${formatTime(periodNs)}.`,
      `The kernel takes ${formatTime(minPeriodNs)} to ${formatTime(maxPeriodNs)} (sched_deadline_period_min_us, _max_us).`,
    );
  if (runtimeNs !== undefined && deadlineNs !== undefined && runtimeNs > deadlineNs)
    problem('runtime', `The runtime is longer than the ${deadlineKey}.`, order);
  else if (runtimeNs !== undefined && periodNs !== undefined && runtimeNs > periodNs)
    problem('runtime', `The runtime is longer than the ${periodKey}.`, order);
  if (deadlineNs !== undefined && periodNs !== undefined && deadlineNs > periodNs)
    problem('deadline', 'The deadline is longer than the period.', order);
}
