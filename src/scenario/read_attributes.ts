// Reads scheduling attributes: the same keys stand on a thread and in a `set` step.

import type { Ns } from '../base/units.ts';
import type { CpuId } from '../trace/ids.ts';
import type { Policy } from '../trace/meta.ts';
import { readCpuSet } from './cpu_list.ts';
import type { JsonObject } from './document.ts';
import { childPath } from './json_path.ts';
import { own } from './json_value.ts';
import { hasCustomSlice } from './kernel_names.ts';
import { addProblem } from './problems.ts';
import { addNote } from './read_context.ts';
import { type DlAttributes, type DlContext, readDeadline } from './read_deadline.ts';
import { optional, readChoice, readInteger, readTime } from './read_value.ts';
import type { KernelId } from './scenario.ts';

export const POLICIES: readonly Policy[] = ['other', 'batch', 'idle', 'fifo', 'rr', 'deadline'];

/** Keys that `set` and threads share. */
export const ATTRIBUTE_KEYS: readonly string[] = [
  'policy',
  'priority',
  'nice',
  'slice',
  'cpus',
  'timerSlack',
  'runtime',
  'deadline',
  'period',
];

/** What attributes are read against. */
export interface AttributeContext extends DlContext {
  /** Kernel that the document itself names. */
  readonly writtenKernel: KernelId;
  /** The switch `rt` is off by its fixed meaning: real-time policies are read as "other". */
  readonly rtOff: boolean;
}

/** Only what is written; with policy "deadline" all of runtimeNs, deadlineNs, periodNs. */
export interface Attributes extends DlAttributes {
  readonly policy?: Policy;
  readonly rtPrio?: number;
  readonly nice?: number;
  readonly sliceNs?: Ns;
  readonly cpus?: readonly CpuId[];
  readonly timerSlackNs?: Ns;
}

export function isRtPolicy(policy: Policy | undefined): boolean {
  return policy === 'fifo' || policy === 'rr';
}

/**
 * The attributes that `object` names.
 *
 * @param subject for notes: the thread's name
 * @param onThread a thread without `policy` is "other"; a `set` step or a forked thread without one has whatever it had
 */
export function readAttributes(
  ctx: AttributeContext,
  object: JsonObject,
  path: string,
  subject: string,
  onThread: boolean,
): Attributes {
  const written = optional(object, path, 'policy', undefined, (v, at) => readChoice(ctx, v, at, POLICIES));
  // A policy that is misspelt is unknown, not "other": its other keys must not be blamed for it.
  const policy = written ?? (onThread && own(object, 'policy') === undefined ? 'other' : undefined);
  const rtPrio = readPriority(ctx, object, path, policy);
  const nice = optional(object, path, 'nice', undefined, (v, at) =>
    readInteger(ctx, v, at, {
      min: -20,
      max: 19,
      code: 'nice-range',
      hint: 'Nice goes from -20 (most CPU) to 19 (least).',
    }),
  );
  const sliceNs = readSlice(ctx, object, path, subject);
  const set = optional(object, path, 'cpus', undefined, (v, at) => readCpuSet(ctx, v, at, ctx.machine.cpus));
  if (set?.dropped) {
    addNote(
      ctx.notes,
      'cpus-dropped',
      subject,
      (first, n) =>
        `${n === 1 ? `"${first}" names` : `${n} threads name`} CPUs that the machine lacks; they are left out.`,
    );
  }
  const timerSlackNs = optional(object, path, 'timerSlack', undefined, (v, at) => readTime(ctx, v, at));
  const dl = readDeadline(ctx, object, path, policy, set?.cpus.length);
  const rtIsOff = ctx.rtOff && isRtPolicy(written);
  return {
    ...(written !== undefined ? { policy: rtIsOff ? 'other' : written } : {}),
    ...(rtPrio !== undefined ? { rtPrio: ctx.rtOff ? 0 : rtPrio } : {}),
    ...(nice !== undefined ? { nice } : {}),
    ...(sliceNs !== undefined ? { sliceNs } : {}),
    ...(set !== undefined ? { cpus: set.cpus } : {}),
    ...(timerSlackNs !== undefined ? { timerSlackNs } : {}),
    ...dl,
  };
}

/** `policy` undefined: unknown until the step runs. */
function readPriority(
  ctx: AttributeContext,
  object: JsonObject,
  path: string,
  policy: Policy | undefined,
): number | undefined {
  const at = childPath(path, 'priority');
  const value = own(object, 'priority');
  if (value === undefined) {
    if (isRtPolicy(policy))
      addProblem(
        ctx.problems,
        'prio-missing',
        at,
        `A thread of policy "${policy}" needs a priority.`,
        'Add "priority", 1 (weakest) to 99.',
      );
    return undefined;
  }
  const hint = 'Real-time priorities go from 1 (weakest) to 99.';
  const prio = readInteger(ctx, value, at, {
    min: 1,
    max: 99,
    code: 'prio-range',
    hint: isRtPolicy(policy) ? hint : `${hint} For a normal thread use "nice".`,
  });
  if (prio === undefined || policy === undefined || isRtPolicy(policy)) return prio;
  addProblem(
    ctx.problems,
    'prio-policy',
    at,
    `A thread of policy "${policy}" has no priority.`,
    'Use "nice", or the policy "fifo" or "rr".',
  );
  return undefined;
}

/** sched_setattr clamps slices to this range (fact 3.10). */
const MIN_SLICE_NS = 100_000;
const MAX_SLICE_NS = 100_000_000;

function readSlice(ctx: AttributeContext, object: JsonObject, path: string, subject: string): Ns | undefined {
  const sliceNs = optional(object, path, 'slice', undefined, (v, at) => readTime(ctx, v, at));
  // 0 asks the kernel for its default.
  if (sliceNs === undefined || sliceNs === 0) return undefined;
  if (!hasCustomSlice(ctx.machine.kernel)) {
    if (ctx.machine.kernel === ctx.writtenKernel) {
      addProblem(
        ctx.problems,
        'no-slice',
        childPath(path, 'slice'),
        `Kernel ${ctx.machine.kernel} has no custom slices.`,
        'They came with 6.12; write "kernel": "6.12", or leave "slice" out.',
      );
    } else {
      addNote(
        ctx.notes,
        'slice-kernel',
        subject,
        (first, n) =>
          `The slice of ${n === 1 ? `"${first}"` : `${n} threads`} means nothing on kernel ${ctx.machine.kernel}.`,
      );
    }
    return undefined;
  }
  const clamped = Math.min(MAX_SLICE_NS, Math.max(MIN_SLICE_NS, sliceNs));
  if (clamped !== sliceNs)
    addNote(
      ctx.notes,
      'slice-clamped',
      subject,
      (first, n) => `The kernel clamps the slice of ${n === 1 ? `"${first}"` : `${n} threads`} to 0.1 … 100 ms.`,
    );
  return clamped;
}
