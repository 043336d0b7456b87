// Findings that form from what was recorded: each event's new records are looked at once, when the machine is at rest.

import { RecordKind, WaitMode } from '../../trace/records.ts';
import { SegKind } from '../../trace/segments.ts';
import type { Machine } from '../machine.ts';
import { noteTaken, noteWaitOn } from './convoy.ts';
import { noteCircle, noteMemberLeft } from './deadlock.ts';
import { noteLate, noteMissedRelease } from './overload.ts';
import { noteStrongWait, noteWaitOver } from './priority_inversion.ts';
import { noteGroupThrottle, noteHeldUp, noteRtThrottle } from './throttled.ts';

/** Looks at the records that were written since the last look. */
export function watchRecords(m: Machine): void {
  const { records, tracker } = m;
  for (let i = tracker.seenRecords; i < records.count; i++) {
    const kind = records.kind[i]!;
    // Most records are of kinds that no finding is made of.
    if (kind === RecordKind.schedSwitch || kind === RecordKind.decision) continue;
    look(m, kind, i);
  }
  tracker.seenRecords = records.count;
}

function look(m: Machine, kind: number, i: number): void {
  const { records } = m;
  const task = records.task[i]!;
  const a = records.a[i]!;
  const b = records.b[i]!;
  switch (kind) {
    case RecordKind.lockWait:
      noteCircle(m, m.tasks[task]!, a);
      noteStrongWait(m, m.tasks[task]!, a);
      if (b === WaitMode.block) noteWaitOn(m, a);
      break;
    case RecordKind.lockAcquire:
      noteWaitOver(m, task, a);
      noteTaken(m, task, a, b === 1);
      break;
    case RecordKind.lockAbort:
      noteWaitOver(m, task, a);
      noteMemberLeft(m, task, a);
      break;
    case RecordKind.rtThrottle:
      noteRtThrottle(m, records.cpu[i]!, a === 1);
      break;
    case RecordKind.groupThrottle:
      noteGroupThrottle(m, records.cpu[i]!, a, b === 1);
      break;
    case RecordKind.taskState:
      noteHeldUp(m, task, a === SegKind.throttled, records.reason[i]!, b);
      break;
    case RecordKind.deadlineEnd:
      if (a === 0) noteLate(m, task, b);
      break;
    case RecordKind.release:
      if (b > 0) noteMissedRelease(m, task);
      break;
    default:
  }
}
