import { expect, test } from 'vitest';
import { usToNs } from '../base/units.ts';
import { type HandMade, pen } from '../testing/by_hand/hand_made.ts';
import { traceOf } from '../testing/by_hand/trace_of.ts';
import { NONE } from '../trace/ids.ts';
import { PickReason, StopReason, WaitReason, WakeReason } from '../trace/reasons.ts';
import { PrevState, RecordKind, WaitMode } from '../trace/records.ts';
import { SegKind } from '../trace/segments.ts';
import type { TraceStore } from '../trace/trace_store.ts';
import type { Verdict } from '../trace/verdicts.ts';
import { toPlainText } from './parts.ts';
import type { Why } from './why.ts';
import { explainClear, explainVerdict, shareBetween, shareOfHolder } from './why_verdict.ts';

const words = (why: Why): readonly string[] =>
  [why.question, why.answer, ...why.steps.map((s) => s.text)].map(toPlainText);

const HANG: Verdict = {
  kind: 'rt-spin-hang',
  fromNs: usToNs(300),
  toNs: usToNs(1000),
  forever: true,
  ended: false,
  tasks: [0, 1, 2],
  locks: [0],
  facts: [
    { fact: 'holds', task: 0, lock: 0, sinceNs: usToNs(100) },
    { fact: 'runnableOn', task: 0, cpu: 0, sinceNs: usToNs(300) },
    { fact: 'mayUse', task: 0, cpus: [0, 1] },
    { fact: 'spinsOn', task: 2, lock: 0, cpu: 0, sinceNs: usToNs(300) },
    { fact: 'spinsOn', task: 1, lock: 0, cpu: 1, sinceNs: usToNs(200) },
    { fact: 'cpuKeptBy', cpu: 0, by: 2, byPrio: 49, starvedPrio: 120 },
    { fact: 'neverSleeps', lock: 0, backoff: 'yield' },
    { fact: 'rescue', by: 'rt-throttling', state: 'off' },
    { fact: 'rescue', by: 'fair-server', state: 'absent' },
  ],
};

const SPINNERS: HandMade = {
  threads: [
    { name: 'WebProcess', allowedCpus: [0, 1] },
    { name: 'vqueue:src', policy: 'fifo', rtPrio: 50, allowedCpus: [0, 1] },
    { name: 'aqueue:src', policy: 'fifo', rtPrio: 50, allowedCpus: [0, 1] },
  ],
  locks: ['heap'],
  cpus: 2,
  endUs: 1000,
};

function empty(): TraceStore {
  const p = pen();
  p.put(0, RecordKind.taskAttrs, { task: 0, a: 120, b: 1024, c: 120 });
  return traceOf(SPINNERS, p.records);
}

test('a hang is told in the order of time, each spinner with its CPU, the conclusion last', () => {
  const why = explainVerdict(empty(), HANG);
  expect(words(why)).toEqual([
    'Why does it hang?',
    'Every CPU that WebProcess may use spins for heap, which WebProcess itself holds.',
    'WebProcess takes heap.',
    'vqueue:src wants heap, fails and loops. Another thread follows.',
    'WebProcess is ready on CPU 0 but does not get it: real-time 50 goes before nice 0. It may use CPUs 0 and 1; none is free.',
    'sched_yield steps aside only for threads of the same priority, so no spinner ever makes room. RT throttling is off and this kernel has no fair server.',
    'Only WebProcess can release heap, and no CPU is ever free for it.',
  ]);
  expect(why.steps.map((step) => step.atNs / 1000)).toEqual([100, 200, 300, 300, 300]);
  expect(why.steps[1]?.rows).toEqual([
    { task: 1, cpu: 1, atNs: usToNs(200) },
    { task: 2, cpu: 0, atNs: usToNs(300) },
  ]);
  expect(why.steps.map((step) => step.conclusion)).toEqual([undefined, undefined, undefined, undefined, 'danger']);
});

test('a stall ends with what ended it', () => {
  const server = { fact: 'rescue', by: 'fair-server', state: 'acts', atNs: usToNs(800) } as const;
  const facts = [...HANG.facts.filter((fact) => fact.fact !== 'rescue'), server];
  const why = explainVerdict(empty(), { ...HANG, forever: false, ended: true, toNs: usToNs(800), facts });
  expect(words(why).at(0)).toBe('Why does it stall?');
  expect(words(why).at(-1)).toBe('After 500 µs the fair server ends it: WebProcess gets a CPU.');
  expect(why.steps.at(-1)).toMatchObject({ atNs: usToNs(800), conclusion: 'warn' });
});

const BOOST: HandMade = {
  threads: [
    { name: 'low', nice: 10, allowedCpus: [0] },
    { name: 'high', allowedCpus: [0] },
  ],
  locks: ['m'],
  cpus: 1,
  endUs: 1000,
};

/** low takes m at 100 and runs until 300, when high comes and blocks on m; of 400..800 low runs 100: a quarter. */
function boosted(): TraceStore {
  const p = pen();
  p.put(0, RecordKind.taskAttrs, { task: 0, a: 130, b: 110, c: 130 });
  p.put(0, RecordKind.taskAttrs, { task: 1, a: 120, b: 1024, c: 120 });
  p.put(100, RecordKind.schedWaking, { task: 0, reason: WakeReason.start }).wakeup(100, 0);
  p.put(100, RecordKind.schedSwitch, { cpu: 0, task: 0, a: NONE, b: 0, reason: PickReason.only });
  p.put(100, RecordKind.lockAcquire, { task: 0, a: 0, b: 0 });
  p.put(300, RecordKind.taskState, { task: 1, a: SegKind.blocked, reason: StopReason.lockBlocked, b: 0, c: 0 });
  p.put(300, RecordKind.lockWait, { task: 1, a: 0, b: WaitMode.block, c: 0 });
  p.put(500, RecordKind.taskState, { task: 0, a: SegKind.runnable, reason: WaitReason.sliceEnded, b: NONE, cpu: 0 });
  p.put(500, RecordKind.schedSwitch, { cpu: 0, task: NONE, a: 0, b: PrevState.runnable, reason: PickReason.idle });
  return traceOf(BOOST, p.records);
}

const WEIGHT: Verdict = {
  kind: 'boost-without-weight',
  fromNs: usToNs(400),
  toNs: usToNs(800),
  forever: false,
  ended: true,
  tasks: [1, 0],
  locks: [0],
  facts: [
    { fact: 'waitedFor', task: 1, ns: usToNs(400) },
    { fact: 'inheritsPrio', task: 0, from: 1, basePrio: 130, prio: 120 },
    { fact: 'keepsWeight', task: 0, weight: 110, prioWeight: 1024 },
  ],
};

test('shares are counted from the trace: 300 of 400 µs, 100 of 400 µs, and nothing of an empty stretch', () => {
  const trace = boosted();
  expect(shareBetween(trace, 0, usToNs(200), usToNs(600))).toBeCloseTo(300 / 400, 6);
  expect(shareBetween(trace, 0, usToNs(400), usToNs(800))).toBeCloseTo(100 / 400, 6);
  expect(shareBetween(trace, 0, usToNs(800), usToNs(800))).toBeUndefined();
});

test('a boost without weight says which share the holder gets while the other waits', () => {
  const trace = boosted();
  expect(toPlainText(shareOfHolder(trace, WEIGHT)!)).toBe('low gets 25.0 % of CPU 0 while high waits');
  const why = explainVerdict(trace, WEIGHT);
  expect(words(why)).toContain('So low gets 25.0 % of CPU 0 while high waits.');
  expect(words(why)).toContain('Its weight stays 110. A thread of prio 120 weighs 1024.');
  expect(why.steps[0]?.atNs).toBe(usToNs(100));
  expect(why.steps.at(-1)).toMatchObject({ atNs: usToNs(800), conclusion: 'warn' });
});

test('a finding without a chain of its own shows its facts and how it ends', () => {
  const why = explainVerdict(empty(), {
    ...HANG,
    kind: 'starvation',
    tasks: [0],
    facts: HANG.facts.filter((fact) => fact.fact === 'runnableOn'),
  });
  expect(words(why).at(0)).toBe('Why does WebProcess get no CPU?');
  expect(words(why).at(2)).toBe('WebProcess is runnable on CPU 0 since 0.300 ms.');
  expect(why.steps.at(-1)?.conclusion).toBe('danger');
});

test('a run without findings tells how its longest wait ends', () => {
  const why = explainClear(boosted(), { lock: 0, waiter: 1, fromNs: usToNs(400), toNs: usToNs(800) });
  expect(words(why)).toEqual([
    'How does the longest wait end?',
    'low holds m, but it gets to run and releases it.',
    'low takes m.',
    'high wants m.',
    'low gets 25.0 % of CPU 0 while high waits.',
    'high gets m after 400 µs.',
  ]);
  expect(why.steps.at(-1)?.conclusion).toBe('ok');
});
