// The words on a wide segment, from the longest form to the shortest. Only what fits a label: full sentences
// about causes are made in explain/.

import { formatShort } from '../base/format.ts';
import { NONE } from '../trace/ids.ts';
import { PickReason, SpinReason, StopReason, WaitReason } from '../trace/reasons.ts';
import { SegFlag, SegKind } from '../trace/segments.ts';
import { hueOf } from './hues.ts';
import { type Label, MIN_LABEL_PX, nextLabel } from './labels.ts';
import { type LaneContext, rowEnd } from './lane_context.ts';
import type { NameForms } from './names.ts';

/** Adds the label of row `row`, which covers [x0, x1) device px, if there is room for one. */
export function labelSegment(c: LaneContext, row: number, x0: number, x1: number): void {
  const { dpr } = c.inks;
  const visible = Math.min(x1, c.widthPx) - Math.max(x0, 0);
  if (visible < MIN_LABEL_PX * dpr || x1 - x0 < c.frame.labels.minPx * dpr) return;
  const kind = c.columns.kind[row]!;
  const forms = formsOf(c, row, kind);
  if (forms.length === 0) return;
  const label = nextLabel(c.frame.labels);
  label.x0Px = x0 / dpr;
  label.x1Px = (x1 - c.metrics.gapPx) / dpr;
  label.endPx = x1;
  label.topPx = c.fillY / dpr;
  label.bottomPx = c.fillEndY / dpr;
  // A lock's bar keeps its height however tall its lane is.
  label.fontPx = c.kind === 'lock' && c.metrics.scale === 1 ? LOCK_FONT_PX : c.metrics.fontPx;
  label.forms = forms;
  dress(c, label, row, kind);
}

/** Colour, plate and pads of the label by the ground it stands on. */
function dress(c: LaneContext, label: Label, row: number, kind: number): void {
  const { tokens } = c.inks;
  const isFill = kind === SegKind.run || kind === SegKind.held;
  const isHollow = kind === SegKind.runnable;
  const isHatched = kind === SegKind.spin || kind === SegKind.blocked || kind === SegKind.throttled;
  label.fixed = false;
  label.centred = !isFill && !isHollow && !isHatched;
  label.colour = isFill ? hueOf(c, row, kind).label : label.centred ? tokens.text2 : tokens.text;
  label.plate = isFill || isHollow ? '' : tokens.lane;
  label.weight = isFill || kind === SegKind.spin ? 600 : label.centred ? 400 : 500;
  label.padPx = c.metrics.scale * padOf(c, row, isFill, isHollow, isHatched);
}

function padOf(c: LaneContext, row: number, isFill: boolean, isHollow: boolean, isHatched: boolean): number {
  if (isFill) return takesLock(c, row) ? 10 : 5;
  // The pattern shows for 4 px before the plate begins.
  if (isHatched) return 9;
  if (!isHollow) return 6;
  return (c.columns.flags[row]! & SegFlag.preempted) !== 0 ? 12 : 8;
}

/** A padlock stands at the start of such a row; the words make room for it. */
function takesLock(c: LaneContext, row: number): boolean {
  const { flags } = c.columns;
  if (c.kind !== 'thread' || (flags[row]! & SegFlag.holdsLock) === 0) return false;
  return row === 0 || (flags[row - 1]! & SegFlag.holdsLock) === 0;
}

const LOCK_FONT_PX = 11;

const NO_FORMS: readonly string[] = [];
const RUNS: readonly string[] = ['runs'];
const THROTTLED: readonly string[] = ['throttled'];
const QUOTA_SPENT: readonly string[] = ['throttled: quota used up', 'throttled'];
const BUDGET_SPENT: readonly string[] = ['throttled: budget used up', 'throttled'];
const IDLE_THROTTLED: readonly string[] = ['idle: its real-time threads are throttled', 'throttled'];

function formsOf(c: LaneContext, row: number, kind: number): readonly string[] {
  const { columns } = c;
  const reason = columns.reason[row]!;
  switch (kind) {
    case SegKind.run:
      return c.kind === 'cpu' ? taskForms(c, columns.who[row]!) : runForms(c, row);
    case SegKind.spin:
      return c.kind === 'cpu' ? taskForms(c, columns.who[row]!) : spinForms(c, reason, columns.arg[row]!);
    case SegKind.runnable:
      return runnableForms(c, row, reason);
    case SegKind.blocked:
      return blockedForms(c, reason, columns.arg[row]!, columns.arg2[row]!);
    case SegKind.sleep:
      return sleepForms(c, row, reason);
    case SegKind.throttled:
      return throttledForms(reason);
    case SegKind.idle:
      return reason === PickReason.idleThrottled ? IDLE_THROTTLED : NO_FORMS;
    case SegKind.unknown:
      return unknownForms(columns.arg[row]!);
    case SegKind.held:
      return heldForms(c, columns.who[row]!);
    default:
      return NO_FORMS;
  }
}

function throttledForms(reason: number): readonly string[] {
  if (reason === StopReason.quotaSpent) return QUOTA_SPENT;
  return reason === StopReason.dlBudgetSpent ? BUDGET_SPENT : THROTTLED;
}

function taskForms(c: LaneContext, task: number): NameForms {
  return c.frame.taskNames[task] ?? NO_FORMS;
}

function runForms(c: LaneContext, row: number): readonly string[] {
  const { columns } = c;
  const boosted = (columns.flags[row]! & SegFlag.boosted) !== 0;
  const cpu = columns.who[row]!;
  if (boosted) return [`${columns.prio[row]!}, inherited`, String(columns.prio[row]!), 'runs'];
  // Which CPU is worth saying only where it can change.
  if (cpu === NONE || !movesAround(c, row)) return RUNS;
  runsOn[cpu] ??= [`runs, CPU ${cpu}`, 'runs'];
  return runsOn[cpu];
}

const runsOn: (readonly string[])[] = [];

/** Whether the thread's neighbouring stretches were on another CPU. */
function movesAround(c: LaneContext, row: number): boolean {
  const { who, count } = c.columns;
  for (let i = Math.max(0, row - 4); i < Math.min(count, row + 5); i++) {
    if (who[i] !== NONE && who[i] !== who[row]) return true;
  }
  return false;
}

function spinForms(c: LaneContext, reason: number, lock: number): readonly string[] {
  const name = reason === SpinReason.contended ? c.frame.lockNames[lock] : undefined;
  return name === undefined ? SPINS : [`spins on ${name}`, 'spins'];
}

const SPINS: readonly string[] = ['spins'];

function runnableForms(c: LaneContext, row: number, reason: number): readonly string[] {
  const isOpen = row + 1 >= c.columns.count;
  const ns = rowEnd(c, row) - c.columns.startNs[row]!;
  if (isOpen) return WAITS_ON;
  const lasts = `runnable ${formatShort(ns)}`;
  const by = preempts(reason) ? taskForms(c, c.columns.arg[row]!)[0] : undefined;
  return by === undefined
    ? [lasts, 'runnable']
    : [`${lasts}, preempted by ${by}`, `preempted by ${by}`, lasts, 'runnable'];
}

/** No length: it would only say how long the run is. */
const WAITS_ON: readonly string[] = ['runnable, gets no CPU', 'runnable, no CPU', 'runnable'];

function preempts(reason: number): boolean {
  return (
    reason === WaitReason.preemptedByClass ||
    reason === WaitReason.preemptedByWakeup ||
    reason === WaitReason.preemptedByServer
  );
}

function blockedForms(c: LaneContext, reason: number, lock: number, holder: number): readonly string[] {
  if (reason === StopReason.io) return WAITS_FOR_IO;
  const name = c.frame.lockNames[lock];
  if (name !== undefined && reason === StopReason.barrierWait) return [`waits at ${name}`, 'waits'];
  if (name !== undefined && (reason === StopReason.semWait || reason === StopReason.condWait))
    return [`waits for ${name}`, 'waits'];
  if (reason !== StopReason.lockBlocked || name === undefined) return WAITS;
  const by = taskForms(c, holder)[0];
  return by === undefined
    ? [`waits for ${name}`, 'waits']
    : [`waits for ${name}, held by ${by}`, `waits for ${name}`, 'waits'];
}

const WAITS: readonly string[] = ['waits'];
const WAITS_FOR_IO: readonly string[] = ['waits for I/O', 'waits'];

/** A sleep says how long it is where the whole of it is in view; the view's own edges would say something else. */
function sleepForms(c: LaneContext, row: number, reason: number): readonly string[] {
  if (reason === StopReason.notStarted || reason === StopReason.ended || row + 1 >= c.columns.count) return NO_FORMS;
  const startNs = c.columns.startNs[row]!;
  const endNs = rowEnd(c, row);
  if (startNs < c.t0Ns || endNs > c.t0Ns + c.widthPx / c.pxPerNs) return NO_FORMS;
  const lasts = formatShort(endNs - startNs);
  return [`sleeps ${lasts}`, lasts];
}

function unknownForms(lost: number): readonly string[] {
  return lost > 0 ? [`unknown, ${lost} ${lost === 1 ? 'event' : 'events'} lost`, 'unknown'] : ['unknown'];
}

const held: (readonly string[])[] = [];

function heldForms(c: LaneContext, task: number): readonly string[] {
  const names = taskForms(c, task);
  const full = names[0];
  if (full === undefined) return NO_FORMS;
  const kept = held[task];
  if (kept !== undefined && kept[1] === full) return kept;
  const forms = [`held by ${full}`, ...names];
  held[task] = forms;
  return forms;
}
