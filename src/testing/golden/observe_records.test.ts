import { expect, test } from 'vitest';
import { WakeReason } from '../../trace/reasons.ts';
import { createRecords, PrevState, pushRecord, RecordKind, SpinCountAt, WaitMode } from '../../trace/records.ts';
import { RecordObserver } from './observe_records.ts';

const TEXTS = ['phase fair_125', 'before sleep', 'after sleep'];

function observer(): RecordObserver {
  return new RecordObserver(() => ({
    cpus: 2,
    tasks: [{ name: 'a' }, { name: 'b' }],
    locks: [{ name: 'm' }],
    texts: TEXTS,
  }));
}

test('switches become stints, the last of which is open', () => {
  const r = createRecords();
  pushRecord(r, 100, RecordKind.schedSwitch, 0, 0, 0, -1, PrevState.runnable, -1);
  pushRecord(r, 300, RecordKind.schedSwitch, 0, 0, 1, 0, PrevState.blocked, -1);
  pushRecord(r, 350, RecordKind.schedSwitch, 0, 0, -1, 1, PrevState.exiting, -1);
  pushRecord(r, 400, RecordKind.schedSwitch, 0, 1, 0, -1, PrevState.runnable, -1);
  const o = observer();
  o.add(r);
  expect(o.finish(1000).stints).toEqual([
    { thread: 'a', cpu: 0, fromNs: 100, toNs: 300, endedBy: 'sleeping' },
    { thread: 'b', cpu: 0, fromNs: 300, toNs: 350, endedBy: 'exited' },
    { thread: 'a', cpu: 1, fromNs: 400, toNs: 1000, endedBy: 'open' },
  ]);
});

test('a stint goes on over the edge between two batches', () => {
  const first = createRecords();
  pushRecord(first, 100, RecordKind.schedSwitch, 0, 0, 0, -1, PrevState.runnable, -1);
  const second = createRecords();
  pushRecord(second, 300, RecordKind.schedSwitch, 0, 0, -1, 0, PrevState.sleeping, -1);
  const o = observer();
  o.add(first);
  o.add(second);
  expect(o.finish(1000).stints).toEqual([{ thread: 'a', cpu: 0, fromNs: 100, toNs: 300, endedBy: 'sleeping' }]);
});

test('latency counts from waking to the switch; a first start has none, as in a recorded trace', () => {
  const r = createRecords();
  pushRecord(r, 50, RecordKind.schedWaking, WakeReason.fork, 0, 1, -1, 0, -1);
  pushRecord(r, 60, RecordKind.schedSwitch, 0, 0, 1, -1, PrevState.runnable, -1);
  pushRecord(r, 100, RecordKind.schedWaking, WakeReason.timer, 0, 0, -1, 0, -1);
  pushRecord(r, 140, RecordKind.schedSwitch, 0, 0, 0, 1, PrevState.runnable, -1);
  const o = observer();
  o.add(r);
  expect(o.finish(1000).wakeups).toEqual([{ thread: 'a', atNs: 100, latencyNs: 40 }]);
});

test('a contended lock is one call from the wait to the release, with its turns', () => {
  const r = createRecords();
  pushRecord(r, 10, RecordKind.lockAcquire, 0, 0, 0, 0, 0, -1);
  pushRecord(r, 20, RecordKind.lockWait, 0, 1, 1, 0, WaitMode.spin, 0);
  pushRecord(r, 90, RecordKind.lockRelease, 0, 0, 0, 0, -1, -1);
  pushRecord(r, 91, RecordKind.spinCount, SpinCountAt.acquired, 1, 1, 0, 17, -1);
  pushRecord(r, 91, RecordKind.lockAcquire, 0, 1, 1, 0, 1, -1);
  pushRecord(r, 95, RecordKind.lockRelease, 0, 1, 1, 0, -1, -1);
  const o = observer();
  o.add(r);
  expect(o.finish(1000).locks).toEqual([
    { thread: 'a', lock: 'm', askedNs: 10, acquiredNs: 10, releasedNs: 90 },
    { thread: 'b', lock: 'm', askedNs: 20, acquiredNs: 91, releasedNs: 95, iterations: 17 },
  ]);
});

test('the marks around a sleep give its elapsed time and leave the list of marks', () => {
  const r = createRecords();
  pushRecord(r, 0, RecordKind.mark, 0, 0, 0, 0, -1, -1);
  for (const [from, to] of [
    [10, 150],
    [160, 290],
    [300, 460],
  ] as const) {
    pushRecord(r, from, RecordKind.mark, 0, 0, 0, 1, -1, -1);
    pushRecord(r, to, RecordKind.mark, 0, 0, 0, 2, -1, -1);
  }
  const o = observer();
  o.add(r);
  const seen = o.finish(1000);
  expect(seen.marks.map((mark) => mark.text)).toEqual(['phase fair_125']);
  expect(seen.sleeps).toEqual([{ phase: 'fair_125', n: 3, minNs: 130, p50Ns: 140, maxNs: 160 }]);
});
