// What a segment is, in a few lines: tooltip on the page, accessible name of a cell, line of `why` on the
// command line. The first line alone says who does what.

import { assertNever } from '../base/assert.ts';
import { formatMs, formatNs } from '../base/format.ts';
import { NONE } from '../trace/ids.ts';
import { normalPrioOf, PRIO_NONE } from '../trace/prio.ts';
import { nextSegment, stateAt } from '../trace/query.ts';
import { SpinReason } from '../trace/reasons.ts';
import { type LaneInfo, SegFlag, SegKind, type Segment } from '../trace/segments.ts';
import type { TraceStore } from '../trace/trace_store.ts';
import { lockPart, type NameTables, threadPart } from './names.ts';
import { capitalised, cpuPart, listOf, type Sentence, say, toText } from './parts.ts';
import { prioText } from './prio_text.ts';
import { type ReasonCode, reasonClause } from './reason_text.ts';

/** Tables of a trace for names. */
export function tablesOf(trace: TraceStore): NameTables {
  const { locks, groups } = trace.meta;
  return groups === undefined ? { tasks: trace.tasks, locks } : { tasks: trace.tasks, locks, groups };
}

/** Lines of a tooltip: who does what; from, to and how long; why; priority; locks held; how it ends. Empty ones are left out. */
export function stateLines(trace: TraceStore, segment: Segment): readonly Sentence[] {
  const lane = trace.lanes[segment.lane];
  if (lane === undefined) return [];
  const lines = [
    headline(trace, lane, segment),
    spanLine(trace, segment),
    whyLine(trace, lane, segment),
    prioLine(trace, lane, segment),
    holdsLine(trace, lane, segment),
    endLine(trace, lane, segment),
  ];
  return lines.filter((line) => line.length > 0);
}

/** `WebProcess: runnable, waits for CPU 1`, `CPU 2: vqueue:src spins`, `heap: held by WebProcess, 3 wait`. */
export function headline(trace: TraceStore, lane: LaneInfo, segment: Segment): Sentence {
  return say`${laneName(trace, lane)}: ${doesClause(trace, lane, segment)}`;
}

/** Name of a lane as its row bears it: `CPU 0`, the thread's name, `lock heap`. */
export function laneName(trace: TraceStore, lane: LaneInfo): Sentence {
  const tables = tablesOf(trace);
  switch (lane.kind) {
    case 'cpu':
      return say`${cpuPart(lane.subject)}`;
    case 'thread':
      return say`${threadPart(tables, lane.subject)}`;
    case 'lock':
      return say`lock ${lockPart(tables, lane.subject)}`;
    case 'lockWait':
      return say`${threadPart(tables, lane.task)} at lock ${lockPart(tables, lane.subject)}`;
    default:
      return assertNever(lane.kind);
  }
}

/** One line for screen readers: headline, length and reason, in plain punctuation. */
export function accessibleText(trace: TraceStore, segment: Segment): string {
  return stateLines(trace, segment)
    .slice(0, 3)
    .map((line) => toText(line))
    .join(', ');
}

function doesClause(trace: TraceStore, lane: LaneInfo, segment: Segment): Sentence {
  const tables = tablesOf(trace);
  const onThreadLane = lane.kind === 'thread';
  const who = lane.kind === 'cpu' && segment.who !== NONE ? say`${threadPart(tables, segment.who)} ` : say``;
  const where = onThreadLane && segment.who !== NONE ? say` on ${cpuPart(segment.who)}` : say``;
  switch (segment.kind) {
    case SegKind.absent:
      return say`${reasonClause(tables, segment)}`;
    case SegKind.run:
      return onThreadLane ? say`running${where}` : say`${who}runs`;
    case SegKind.spin:
      return onThreadLane ? say`spinning${where}` : say`${who}spins`;
    case SegKind.runnable: {
      const how = (segment.flags & SegFlag.preempted) !== 0 ? 'preempted' : 'runnable';
      return segment.who === NONE ? say`${how}` : say`${how}, waits for ${cpuPart(segment.who)}`;
    }
    case SegKind.blocked:
      return say`blocked`;
    case SegKind.sleep:
      return say`sleeping`;
    case SegKind.throttled:
      return say`throttled${where}`;
    case SegKind.idle:
      return say`idle`;
    case SegKind.irq:
      return say`interrupt`;
    case SegKind.unknown:
      return say`unknown: events were lost`;
    case SegKind.free:
      if (NOBODY_HOLDS.has(trace.meta.locks[lane.subject]?.kind ?? ''))
        return segment.arg > 0 ? say`${segment.arg} waiting` : say`nobody waits`;
      return segment.arg > 0 ? say`free, ${segment.arg} still waiting` : say`free`;
    case SegKind.held:
      return say`held by ${threadPart(tables, segment.who)}${segment.arg > 0 ? `, ${segment.arg} waiting` : ''}`;
    default:
      return assertNever(segment.kind);
  }
}

/** Kinds of locks that have waiters, but no holder. */
const NOBODY_HOLDS: ReadonlySet<string> = new Set(['sem', 'cond', 'barrier']);

function spanLine(trace: TraceStore, segment: Segment): Sentence {
  const from = formatMs(segment.startNs);
  const length = formatNs(segment.endNs - segment.startNs);
  const open = nextSegment(trace, segment) === undefined;
  return open ? say`from ${from} to the end, ${length}` : say`${from} – ${formatMs(segment.endNs)}, ${length}`;
}

function whyLine(trace: TraceStore, lane: LaneInfo, segment: Segment): Sentence {
  if (segment.kind === SegKind.absent) return [];
  const clause = reasonClause(tablesOf(trace), codeOn(lane, segment));
  return clause.length === 0 ? [] : capitalised(clause);
}

/** Reason and operands as `reasonClause` reads them: on a lock's lane `arg` counts waiters, and who took it stands in the headline. */
function codeOn(lane: LaneInfo, segment: Segment): ReasonCode {
  if (lane.kind !== 'lock') return segment;
  const reason = segment.reason === SpinReason.acquired ? 0 : segment.reason;
  return { reason, arg: lane.subject, arg2: segment.arg2 };
}

function prioLine(trace: TraceStore, lane: LaneInfo, segment: Segment): Sentence {
  const task = lane.kind === 'thread' ? lane.subject : segment.who;
  const words = segment.prio === PRIO_NONE ? '' : prioText(segment.prio);
  if (words === '' || task === NONE || segment.kind === SegKind.absent || segment.kind === SegKind.idle) return [];
  if ((segment.flags & SegFlag.boosted) === 0) return say`${capitalised(say`${words}`)} (prio ${segment.prio})`;
  const own = trace.tasks[task];
  const base = own === undefined ? '' : `; its own: ${normalPrioOf(own)}`;
  return say`Boosted to ${words} (prio ${segment.prio}${base})`;
}

function holdsLine(trace: TraceStore, lane: LaneInfo, segment: Segment): Sentence {
  if ((segment.flags & SegFlag.holdsLock) === 0 || lane.kind === 'lock') return [];
  const task = lane.kind === 'thread' ? lane.subject : segment.who;
  const held = locksHeldAt(trace, task, segment.startNs);
  return held.length === 0 ? [] : say`Holds ${listOf(held.map((lock) => lockPart(tablesOf(trace), lock)))}`;
}

/** Locks that `task` holds at `atNs`, in the order of the document. O(locks log rows). */
export function locksHeldAt(trace: TraceStore, task: number, atNs: number): readonly number[] {
  return trace.meta.locks.map((_, lock) => lock).filter((lock) => holderAt(trace, lock, atNs) === task);
}

/** Who holds `lock` at `atNs`; NONE when it is free. */
export function holderAt(trace: TraceStore, lock: number, atNs: number): number {
  const lane = trace.laneOf.lock[lock];
  const state = lane === undefined ? undefined : stateAt(trace, lane, atNs);
  return state?.kind === SegKind.held ? state.who : NONE;
}

function endLine(trace: TraceStore, lane: LaneInfo, segment: Segment): Sentence {
  const next = nextSegment(trace, segment);
  if (next === undefined || next.kind === segment.kind) return [];
  const clause = reasonClause(tablesOf(trace), codeOn(lane, next));
  return clause.length === 0 ? [] : say`Then: ${clause}`;
}
