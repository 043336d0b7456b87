// Records in, segment rows out: the one place where what happened becomes what stands on a lane. Used by
// the simulation's host and by every importer. Incremental: rows depend on the records alone, never on
// how they were cut into pieces. Knows no scheduler: it believes what the records say.

import { assert } from '../base/assert.ts';
import type { Ns } from '../base/units.ts';
import { NONE } from './ids.ts';
import { addLane, createLaneWriter, settleLanes } from './lane_writer.ts';
import type { TaskInfo, TraceMeta } from './meta.ts';
import { PRIO_NONE } from './prio.ts';
import { PickReason } from './reasons.ts';
import { type RecordColumns, RecordKind } from './records.ts';
import { readLockAbort, readLockAcquire, readLockRelease, readLockWait } from './segment_locks.ts';
import { addTaskLane, blank, taskOf } from './segment_show.ts';
import { createLockCell, holdingOf, type Segmenter } from './segment_state.ts';
import {
  readExit,
  readFairServer,
  readMigrate,
  readPrio,
  readSpinState,
  readSwitch,
  readTaskState,
  readWakeup,
} from './segment_tasks.ts';
import { SegKind } from './segments.ts';

export type { Segmenter } from './segment_state.ts';

/** A segmenter at instant 0: CPUs idle, tasks absent, locks free. */
export function createSegmenter(meta: Pick<TraceMeta, 'cpus' | 'tasks' | 'locks'>): Segmenter {
  const writer = createLaneWriter();
  const { lanes, rows } = writer;
  const s: Segmenter = { lanes, rows, writer, table: [...meta.tasks], curr: [], tasks: [], locks: [], nowNs: 0 };
  for (let cpu = 0; cpu < meta.cpus; cpu++) {
    s.curr.push(NONE);
    addLane(writer, { kind: 'cpu', subject: cpu, task: NONE }, 0, blank(SegKind.idle, PickReason.idle, PRIO_NONE));
  }
  for (let task = 0; task < meta.tasks.length; task++) addTaskLane(s, 0);
  for (let lock = 0; lock < meta.locks.length; lock++) {
    const lane = addLane(writer, { kind: 'lock', subject: lock, task: NONE }, 0, {
      ...blank(SegKind.free, 0, PRIO_NONE),
      arg: 0,
    });
    s.locks.push(createLockCell(lane, holdingOf(meta.locks[lock]!.kind)));
  }
  return s;
}

/** Makes tasks known that appeared meanwhile. Call with the whole table, before the records that name them. */
export function addTasks(s: Segmenter, table: readonly TaskInfo[]): void {
  for (let task = s.table.length; task < table.length; task++) s.table.push(table[task]!);
}

/** Reads records [from, to), which are in order of time and not earlier than any before. About 0.1 us each. */
export function feedRecords(s: Segmenter, r: RecordColumns, from = 0, to = r.count): void {
  for (let i = from; i < to; i++) {
    const tsNs = r.tsNs[i]!;
    assert(tsNs >= s.nowNs, 'records come in order of time');
    s.nowNs = tsNs;
    readRecord(s, r, i);
  }
}

/** Settles what began before `watermarkNs`: call when no record earlier than that can follow. */
export function settle(s: Segmenter, watermarkNs: Ns): void {
  settleLanes(s.writer, watermarkNs);
}

function readRecord(s: Segmenter, r: RecordColumns, i: number): void {
  const t = r.tsNs[i]!;
  const a = r.a[i]!;
  const b = r.b[i]!;
  const c = r.c[i]!;
  const reason = r.reason[i]!;
  const taskId = r.task[i]!;
  switch (r.kind[i]) {
    case RecordKind.schedSwitch:
      readSwitch(s, t, r.cpu[i]!, taskId, a, b, reason, c);
      break;
    case RecordKind.schedWaking: {
      const task = taskOf(s, taskId);
      task.wakeReason = reason;
      task.waker = a;
      break;
    }
    case RecordKind.schedWakeup:
      readWakeup(s, t, taskOf(s, taskId), r.cpu[i]!, a);
      break;
    case RecordKind.schedMigrateTask:
      readMigrate(s, t, taskOf(s, taskId), a, b);
      break;
    case RecordKind.taskState:
      readTaskState(s, t, taskOf(s, taskId), r.cpu[i]!, a as SegKind, reason, b, c);
      break;
    case RecordKind.spinState:
      readSpinState(s, t, taskOf(s, taskId), a === 1, reason, b, c);
      break;
    case RecordKind.taskAttrs:
      readPrio(s, t, taskOf(s, taskId), a, c);
      break;
    case RecordKind.schedPiSetprio: {
      const task = taskOf(s, taskId);
      readPrio(s, t, task, b, c === NONE ? b : task.normalPrio);
      break;
    }
    case RecordKind.lockWait:
      readLockWait(s, t, taskId, a, b, c);
      break;
    case RecordKind.lockAcquire:
      readLockAcquire(s, t, taskId, a);
      break;
    case RecordKind.lockRelease:
      readLockRelease(s, t, taskId, a, b);
      break;
    case RecordKind.lockAbort:
      readLockAbort(s, t, taskId, a);
      break;
    case RecordKind.taskNew:
      taskOf(s, taskId).cpu = r.cpu[i]!;
      break;
    case RecordKind.taskExit:
      readExit(s, t, taskOf(s, taskId));
      break;
    case RecordKind.fairServer:
      readFairServer(s, t, r.cpu[i]!, a);
      break;
    default:
      break; // Marks, findings, counts and interrupts stand on no lane.
  }
}
