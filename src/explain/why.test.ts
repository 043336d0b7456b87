import { expect, test } from 'vitest';
import { usToNs } from '../base/units.ts';
import { type HandMade, pen } from '../testing/by_hand/hand_made.ts';
import { traceOf } from '../testing/by_hand/trace_of.ts';
import { NONE } from '../trace/ids.ts';
import { stateAt } from '../trace/query.ts';
import { PickReason, SpinReason, StopReason, WaitReason, WakeReason } from '../trace/reasons.ts';
import { PrevState, RecordKind, WaitMode } from '../trace/records.ts';
import { SegKind } from '../trace/segments.ts';
import type { TraceStore } from '../trace/trace_store.ts';
import type { Verdict } from '../trace/verdicts.ts';
import { toPlainText } from './parts.ts';
import { stateLines } from './state_text.ts';
import { explainSegment, type Why } from './why.ts';

const HAND: HandMade = {
  threads: [
    { name: 'WebProcess', allowedCpus: [0, 1] },
    { name: 'vqueue:src', policy: 'fifo', rtPrio: 50, allowedCpus: [0, 1] },
    { name: 'aqueue:src', policy: 'fifo', rtPrio: 50, allowedCpus: [0, 1] },
  ],
  locks: ['heap'],
  cpus: 2,
  endUs: 1000,
};

/** WebProcess takes heap at 100 on CPU 0; vqueue:src spins on CPU 1 from 200; aqueue:src takes CPU 0 at 300 and spins. */
function hang(): TraceStore {
  const p = pen();
  p.put(0, RecordKind.taskAttrs, { task: 0, a: 120, b: 1024, c: 120 });
  p.put(100, RecordKind.schedWaking, { task: 0, reason: WakeReason.start }).wakeup(100, 0);
  p.put(100, RecordKind.schedSwitch, { cpu: 0, task: 0, a: NONE, b: 0, reason: PickReason.only });
  p.put(100, RecordKind.lockAcquire, { task: 0, a: 0, b: 0 });
  spin(p, 200, 1, 1, NONE);
  p.put(300, RecordKind.taskState, { task: 0, a: SegKind.runnable, reason: WaitReason.preemptedByClass, b: 2, cpu: 0 });
  spin(p, 300, 2, 0, 0);
  return traceOf(HAND, p.records);
}

function spin(p: ReturnType<typeof pen>, us: number, task: number, cpu: number, prev: number): void {
  p.put(us, RecordKind.taskAttrs, { task, a: 49, b: 1024, c: 49 });
  p.put(us, RecordKind.schedWaking, { task, reason: WakeReason.start }).put(us, RecordKind.schedWakeup, { task, cpu });
  p.put(us, RecordKind.schedSwitch, { cpu, task, a: prev, b: PrevState.runnable, reason: PickReason.rtClass, c: prev });
  p.put(us, RecordKind.lockWait, { task, a: 0, b: WaitMode.spin, c: 0 });
  p.put(us, RecordKind.spinState, { task, a: 1, reason: SpinReason.contended, b: 0, c: 0 });
}

const PROOF: Verdict = {
  kind: 'rt-spin-hang',
  fromNs: usToNs(300),
  toNs: usToNs(1000),
  forever: true,
  ended: false,
  tasks: [0, 1, 2],
  locks: [0],
  facts: [{ fact: 'holds', task: 0, lock: 0, sinceNs: usToNs(100) }],
};

function ask(trace: TraceStore, verdicts: readonly Verdict[], lane: number | undefined, us: number): Why {
  const segment = stateAt(trace, lane!, usToNs(us));
  const why = explainSegment(trace, verdicts, segment!.lane, segment!.row);
  if (why === undefined) throw new Error('no explanation');
  return why;
}

function lines(why: Why): readonly string[] {
  return [
    toPlainText(why.question),
    toPlainText(why.answer),
    ...why.steps.map(
      (step) =>
        `${step.atNs / 1000} ${toPlainText(step.text)}${step.conclusion === undefined ? '' : ` [${step.conclusion}]`}`,
    ),
  ];
}

test('a preempted holder: who has its CPUs, what it holds, and that it is proved', () => {
  const trace = hang();
  expect(lines(ask(trace, [PROOF], trace.laneOf.thread[0], 500))).toEqual([
    "Why isn't WebProcess running?",
    'aqueue:src has CPU 0: real-time 50 goes before nice 0.',
    '300 WebProcess is runnable: preempted by aqueue:src (FIFO 50)',
    '100 WebProcess holds heap, 2 wait for it',
    '300 CPU 0: aqueue:src spins, real-time 50',
    '200 CPU 1: vqueue:src spins, real-time 50',
    '300 WebProcess can never run: proved [danger]',
  ]);
});

test('without a verdict the chain says only what was seen', () => {
  const trace = hang();
  expect(lines(ask(trace, [], trace.laneOf.thread[0], 500)).at(-1)).toBe(
    '1000 WebProcess does not run again before the end [warn]',
  );
});

test('a spinner: which lock, who holds it and why that one does not go on', () => {
  const trace = hang();
  const why = ask(trace, [PROOF], trace.laneOf.thread[2], 600);
  expect(lines(why)).toEqual([
    'Why does aqueue:src spin?',
    'heap is held by WebProcess, which is runnable and gets no CPU.',
    '300 aqueue:src wants heap and enters its loop',
    '300 WebProcess holds it and is runnable: preempted by aqueue:src (FIFO 50); aqueue:src has CPU 0',
    '300 aqueue:src never gets the lock: proved [danger]',
  ]);
  // The names are parts of their own, so that the page can set them.
  expect(why.answer.filter((part) => part.part !== 'text')).toEqual([
    { part: 'lock', lock: 0, text: 'heap' },
    { part: 'thread', task: 0, text: 'WebProcess' },
  ]);
});

test('a CPU lane asks the thread that is on it, an idle CPU who could use it', () => {
  const trace = hang();
  expect(lines(ask(trace, [], trace.laneOf.cpu[1], 600))[0]).toBe('Why does vqueue:src spin?');
  expect(lines(ask(trace, [], trace.laneOf.cpu[1], 50))).toEqual([
    'Why is CPU 1 idle?',
    'Nothing to explain here: CPU 1 is idle and no thread waits for it.',
  ]);
});

test('an idle CPU beside a runnable thread names it and the end of its wait', () => {
  const p = pen().wakeup(0, 0).wakeup(0, 1).sw(0, 0, NONE, 0, 1);
  p.put(80, RecordKind.schedMigrateTask, { task: 0, a: 0, b: 1 }).put(80, RecordKind.schedSwitch, {
    cpu: 1,
    task: 0,
    a: NONE,
    b: 0,
    reason: PickReason.only,
  });
  const trace = traceOf(HAND, p.records);
  expect(lines(ask(trace, [], trace.laneOf.cpu[1], 50))).toEqual([
    'Why is CPU 1 idle?',
    'WebProcess could run here, but waits on another CPU until a balancer moves it.',
    '0 CPU 1 falls idle',
    '0 WebProcess waits on CPU 0',
    '80 WebProcess takes it [ok]',
  ]);
});

test('a chain of blocked holders is followed, and a circle is said to be one', () => {
  const hand: HandMade = { threads: [{ name: 'a' }, { name: 'b' }], locks: ['x', 'y'], cpus: 2, endUs: 100 };
  const p = pen().wakeup(0, 0).sw(0, 0, NONE, 0, 0).wakeup(0, 1).sw(0, 1, NONE, 0, 1);
  p.put(1, RecordKind.lockAcquire, { task: 0, a: 0 }).put(2, RecordKind.lockAcquire, { task: 1, a: 1 });
  const block = (us: number, task: number, cpu: number, lock: number, holder: number) => {
    p.put(us, RecordKind.lockWait, { task, a: lock, b: WaitMode.block, c: holder });
    p.put(us, RecordKind.taskState, {
      task,
      cpu,
      a: SegKind.blocked,
      reason: StopReason.lockBlocked,
      b: lock,
      c: holder,
    });
    p.sw(us, cpu, task, PrevState.blocked, NONE);
  };
  block(10, 0, 0, 1, 1);
  block(20, 1, 1, 0, 0);
  const trace = traceOf(hand, p.records);
  expect(lines(ask(trace, [], trace.laneOf.thread[0], 50))).toEqual([
    'Why is a blocked?',
    'It waits for y, held by b.',
    '10 a asks for y and sleeps',
    // At 10 b still runs: the chain is that of the instant when a began to wait.
    '0 b holds it and runs on CPU 1',
    '100 a is still blocked at the end [warn]',
  ]);
  expect(lines(ask(trace, [], trace.laneOf.thread[1], 50)).slice(3, 5)).toEqual([
    '10 a holds it and waits for y',
    '20 b waits for the first one: a circle',
  ]);
});

test('asleep, running and absent have answers of their own', () => {
  const p = pen();
  p.put(100, RecordKind.schedWaking, { task: 0, reason: WakeReason.start }).wakeup(100, 0);
  p.put(100, RecordKind.schedSwitch, { cpu: 0, task: 0, a: NONE, b: 0, reason: PickReason.cfsLeftmost, c: 1 });
  p.state(200, 0, SegKind.sleep, StopReason.sleepStep).sw(200, 0, 0, PrevState.sleeping, NONE);
  p.put(350, RecordKind.schedWaking, { task: 0, reason: WakeReason.timer }).wakeup(350, 0);
  p.put(350, RecordKind.schedSwitch, { cpu: 0, task: 0, a: NONE, b: 0, reason: PickReason.only });
  p.put(400, RecordKind.taskExit, { task: 0 }).sw(400, 0, 0, PrevState.exiting, NONE);
  const trace = traceOf(HAND, p.records);
  const lane = trace.laneOf.thread[0];
  expect(lines(ask(trace, [], lane, 50)).slice(0, 2)).toEqual(['Where is WebProcess?', 'It has not started yet.']);
  expect(lines(ask(trace, [], lane, 150))).toEqual([
    'Why does WebProcess run on CPU 0?',
    'Picked: smallest vruntime, before vqueue:src.',
    '100 picked: smallest vruntime, before vqueue:src',
    '200 WebProcess leaves the CPU after 100 µs: asleep by its own wish [ok]',
  ]);
  expect(lines(ask(trace, [], lane, 300)).slice(0, 2)).toEqual([
    'Why is WebProcess asleep?',
    'Asleep by its own wish, until 0.350 ms.',
  ]);
  expect(lines(ask(trace, [], lane, 500)).slice(0, 2)).toEqual(['Where is WebProcess?', 'It has ended.']);
});

test('a lock lane: who holds it, what that one does, and when it is released', () => {
  const trace = hang();
  expect(lines(ask(trace, [], trace.laneOf.lock[0], 400))).toEqual([
    'Why is heap held?',
    'WebProcess holds it: it is runnable and gets no CPU.',
    '100 WebProcess takes heap',
    '1000 it is not released before the end [warn]',
  ]);
  expect(lines(ask(trace, [], trace.laneOf.lock[0], 50)).slice(0, 2)).toEqual([
    'Why is heap free?',
    'Nobody holds it and nobody waits for it.',
  ]);
});

test('a tooltip says who does what, how long, why, with which priority, holding what', () => {
  const trace = hang();
  const segment = stateAt(trace, trace.laneOf.thread[0]!, usToNs(500))!;
  expect(stateLines(trace, segment).map(toPlainText)).toEqual([
    'WebProcess: preempted, waits for CPU 0',
    'from 0.300 ms to the end, 700 µs',
    'Preempted by aqueue:src (FIFO 50)',
    'Nice 0 (prio 120)',
    'Holds heap',
  ]);
  const spinner = stateAt(trace, trace.laneOf.cpu[1]!, usToNs(500))!;
  expect(stateLines(trace, spinner).map(toPlainText)).toEqual([
    'CPU 1: vqueue:src spins',
    'from 0.200 ms to the end, 800 µs',
    'Spins on heap, held by WebProcess',
    'Real-time 50 (prio 49)',
  ]);
});

/** WebProcess runs from 100 and is stopped by a budget at 200, with `reason`. */
function stoppedBy(reason: number, arg: number): TraceStore {
  const p = pen();
  p.put(0, RecordKind.taskAttrs, { task: 0, a: 120, b: 1024, c: 120 });
  p.put(100, RecordKind.schedWaking, { task: 0, reason: WakeReason.start }).wakeup(100, 0);
  p.put(100, RecordKind.schedSwitch, { cpu: 0, task: 0, a: NONE, b: 0, reason: PickReason.only });
  p.put(200, RecordKind.taskState, { task: 0, a: SegKind.throttled, reason, b: arg, cpu: 0 });
  p.put(200, RecordKind.schedSwitch, { cpu: 0, task: NONE, a: 0, b: PrevState.throttled, reason: PickReason.idle });
  return traceOf(HAND, p.records);
}

test.each([
  [StopReason.quotaSpent, 0, /^The quota of its group is used up\. It waits until the quota is filled up again/],
  [StopReason.dlBudgetSpent, NONE, /^Its deadline budget is used up\./],
  [StopReason.dlYielded, NONE, /^It gave up the rest of its deadline budget \(sched_yield\)/],
  [StopReason.rtThrottled, NONE, /^Real-time throttling: the real-time threads of CPU 0 have used up/],
])('a thread that a budget stops names that budget (reason %i)', (reason, arg, answer) => {
  const trace = stoppedBy(reason, arg);
  expect(toPlainText(ask(trace, [], trace.laneOf.thread[0], 500).answer)).toMatch(answer);
});

test('a thread that waits behind a deadline thread is told the rule that really decides', () => {
  const p = pen();
  p.put(0, RecordKind.taskAttrs, { task: 0, a: 120, b: 1024, c: 120 });
  p.put(0, RecordKind.taskAttrs, { task: 1, a: -1, b: 1024, c: -1 });
  p.put(0, RecordKind.taskAttrs, { task: 2, a: -1, b: 1024, c: -1 });
  p.put(100, RecordKind.schedWaking, { task: 1, reason: WakeReason.start }).wakeup(100, 1);
  p.put(100, RecordKind.schedSwitch, { cpu: 0, task: 1, a: NONE, b: 0, reason: PickReason.dlEarliest });
  p.put(150, RecordKind.schedWaking, { task: 0, reason: WakeReason.start }).wakeup(150, 0);
  p.put(150, RecordKind.schedWaking, { task: 2, reason: WakeReason.start }).wakeup(150, 2);
  const trace = traceOf(HAND, p.records);
  expect(toPlainText(ask(trace, [], trace.laneOf.thread[0], 500).answer)).toBe(
    'vqueue:src has CPU 0: deadline threads go before all others.',
  );
  expect(toPlainText(ask(trace, [], trace.laneOf.thread[2], 500).answer)).toBe(
    'vqueue:src has CPU 0: both are deadline threads, and its deadline is earlier.',
  );
});
