import { expect, test } from 'vitest';
import { msToNs, usToNs } from '../base/units.ts';
import { NONE } from '../trace/ids.ts';
import type { TaskInfo } from '../trace/meta.ts';
import { type Fact, VERDICT_KINDS, type Verdict } from '../trace/verdicts.ts';
import { cpuListText } from './cpu_list_text.ts';
import { factClause } from './fact_text.ts';
import type { NameTables } from './names.ts';
import { capitalised, say, toPlainText, toText } from './parts.ts';
import { policyText, prioText } from './prio_text.ts';
import { describeOutcome, describeVerdict } from './verdict_text.ts';

const TASKS = ['WebProcess', 'vqueue:src', 'aqueue:src', 'low', 'high'].map(
  (name, i): TaskInfo => ({ name, tid: 100 + i, policy: 'other', rtPrio: 0, nice: 0, allowedCpus: [0] }),
);
const TABLES: NameTables = {
  tasks: TASKS,
  locks: [
    { name: 'heap', kind: 'spin' },
    { name: 'm', kind: 'pi' },
  ],
};

const SPIN_FACTS: readonly Fact[] = [
  { fact: 'holds', task: 0, lock: 0, sinceNs: msToNs(5) },
  { fact: 'runnableOn', task: 0, cpu: 1, sinceNs: msToNs(9) },
  { fact: 'mayUse', task: 0, cpus: [0, 1] },
  { fact: 'spinsOn', task: 1, lock: 0, cpu: 0, sinceNs: msToNs(6) },
  { fact: 'spinsOn', task: 2, lock: 0, cpu: 1, sinceNs: msToNs(9) },
];

function verdict(part: Partial<Verdict> & Pick<Verdict, 'kind'>): Verdict {
  return {
    fromNs: msToNs(9),
    toNs: msToNs(1000),
    forever: false,
    ended: true,
    tasks: [0, 1, 2],
    locks: [0],
    facts: [],
    ...part,
  };
}

/** What a reader sees of it, in plain signs. */
function words(of: Verdict): readonly string[] {
  const text = describeVerdict(TABLES, of);
  return [toPlainText(say`${text.word}`), toPlainText(text.sentence), toPlainText(text.timeLine)];
}

test('a hang for ever: who spins where, who holds, and that it is proved', () => {
  expect(words(verdict({ kind: 'rt-spin-hang', forever: true, ended: false, facts: SPIN_FACTS }))).toEqual([
    'Hang',
    'All 2 CPUs spin on heap. WebProcess holds it, is runnable on CPU 1 and can never run.',
    'From 9.000 ms, for ever: no timer, wake-up or throttle is left that could stop it.',
  ]);
});

test('where the holder may not use every CPU the sentence names those that count', () => {
  const facts: readonly Fact[] = SPIN_FACTS.map((fact) =>
    fact.fact === 'mayUse'
      ? { ...fact, cpus: [2, 3] }
      : fact.fact === 'spinsOn'
        ? { ...fact, cpu: fact.cpu + 2 }
        : fact,
  );
  expect(words(verdict({ kind: 'rt-spin-hang', forever: true, facts }))[1]).toBe(
    'CPUs 2 and 3 spin on heap. WebProcess holds it, is runnable on CPU 1 and can never run.',
  );
});

test('one CPU spins, several spin', () => {
  const facts: readonly Fact[] = SPIN_FACTS.filter((fact) => fact.fact !== 'spinsOn' || fact.cpu === 0).map((fact) =>
    fact.fact === 'mayUse' ? { ...fact, cpus: [0] } : fact,
  );
  expect(words(verdict({ kind: 'rt-spin-hang', forever: true, facts }))[1]).toMatch(/^CPU 0 spins on heap\./);
});

test('a stall has its length in the word, and what ended it', () => {
  const server: Fact = { fact: 'rescue', by: 'fair-server', state: 'acts', atNs: msToNs(959) };
  expect(words(verdict({ kind: 'rt-spin-hang', toNs: msToNs(959), facts: [...SPIN_FACTS, server] }))).toEqual([
    'Stall of 950 ms',
    'All 2 CPUs spin on heap, held by WebProcess. The fair server lets WebProcess run.',
    'From 9.000 ms to 959.000 ms, 950 ms: ended by the fair server.',
  ]);
  const flip: Fact = { fact: 'rescue', by: 'intervention', state: 'acts', atNs: msToNs(500) };
  expect(words(verdict({ kind: 'rt-spin-hang', toNs: msToNs(500), facts: [...SPIN_FACTS, flip] }))[1]).toBe(
    'All 2 CPUs spin on heap, held by WebProcess, until a switch is flipped at 500.000 ms.',
  );
});

test('what was to act only after the end did not end it', () => {
  const late: Fact = { fact: 'rescue', by: 'rt-throttling', state: 'acts', atNs: msToNs(960) };
  const [, sentence, timeLine] = words(
    verdict({ kind: 'rt-spin-hang', toNs: msToNs(20), facts: [...SPIN_FACTS, late] }),
  );
  expect(sentence).toBe('All 2 CPUs spin on heap. WebProcess holds it, is runnable on CPU 1 and gets no CPU.');
  expect(timeLine).toBe('From 9.000 ms to 20.000 ms, 11 ms.');
});

test('a finding that the end of the run cuts off says when help would come', () => {
  const server: Fact = { fact: 'rescue', by: 'fair-server', state: 'acts', atNs: msToNs(959) };
  expect(
    words(verdict({ kind: 'rt-spin-hang', toNs: msToNs(100), ended: false, facts: [...SPIN_FACTS, server] }))[2],
  ).toBe('From 9.000 ms, still so when the run ends at 100.000 ms, then the fair server acts at 959.000 ms.');
});

test('a boost without weight is a stall of its waiter', () => {
  const facts: readonly Fact[] = [
    { fact: 'inheritsPrio', task: 3, from: 4, basePrio: 130, prio: 120 },
    { fact: 'keepsWeight', task: 3, weight: 110, prioWeight: 1024 },
  ];
  const text = words(
    verdict({ kind: 'boost-without-weight', fromNs: msToNs(300), toNs: msToNs(920), tasks: [3, 4], locks: [1], facts }),
  );
  expect(text.slice(0, 2)).toEqual([
    'Stall of 620 ms',
    'high waits 620 ms: low inherits its priority but keeps weight 110, not 1024.',
  ]);
});

test('a deadlock names its circle', () => {
  const facts: readonly Fact[] = [
    { fact: 'waitsFor', task: 3, lock: 1, holder: 4, sinceNs: 0 },
    { fact: 'waitsFor', task: 4, lock: 0, holder: 3, sinceNs: 0 },
  ];
  expect(words(verdict({ kind: 'deadlock', forever: true, tasks: [3, 4], locks: [0, 1], facts })).slice(0, 2)).toEqual([
    'Deadlock',
    'low waits for m, held by high; high waits for heap, held by low.',
  ]);
});

test('a deadlock that the kernel notices says so; one with oneself says that', () => {
  const facts: readonly Fact[] = [
    { fact: 'waitsFor', task: 3, lock: 1, holder: 4, sinceNs: 0 },
    { fact: 'waitsFor', task: 4, lock: 0, holder: 3, sinceNs: 0 },
    { fact: 'kernelNoticed', lock: 0 },
  ];
  expect(words(verdict({ kind: 'deadlock', tasks: [3, 4], facts }))[1]).toBe(
    'low waits for m, held by high; high waits for heap, held by low. The kernel notices: EDEADLK.',
  );
  const alone: readonly Fact[] = [{ fact: 'waitsFor', task: 3, lock: 1, holder: 3, sinceNs: 0 }];
  expect(words(verdict({ kind: 'deadlock', forever: true, tasks: [3], facts: alone })).slice(1)).toEqual([
    'low waits for m, which it holds itself.',
    'From 9.000 ms, for ever: only the thread that waits could release it.',
  ]);
});

function inversion(ran: readonly Fact[], waitedMs: number, bounded: boolean): readonly Fact[] {
  return [
    { fact: 'waitsFor', task: 4, lock: 1, holder: 3, sinceNs: 0 },
    { fact: 'waitedFor', task: 4, ns: msToNs(waitedMs) },
    ...ran,
    { fact: 'inversionBound', bounded, ns: msToNs(waitedMs) },
  ];
}

test('a priority inversion says who waits for whom, who runs meanwhile and for how long', () => {
  const facts = inversion([{ fact: 'ranInstead', task: 4, by: 1, ns: msToNs(50) }], 54, false);
  const text = words(verdict({ kind: 'priority-inversion', tasks: [4, 3, 1], locks: [1], facts }));
  expect(text.slice(0, 2)).toEqual([
    'Priority inversion',
    'high waits 54 ms for m, held by low. Meanwhile vqueue:src, no stronger than high, runs 50 ms: nothing bounds the wait.',
  ]);
});

test('of several inverted waits the longest is named, and what ran in all of them', () => {
  const facts = inversion(
    [
      { fact: 'ranInstead', task: 4, by: 1, ns: msToNs(50) },
      { fact: 'ranInstead', task: 4, by: 2, ns: msToNs(30) },
    ],
    54,
    false,
  );
  expect(words(verdict({ kind: 'priority-inversion', tasks: [4, 3, 1, 2], locks: [1], facts }))[1]).toBe(
    'high waits 54 ms at longest for m, held by low. Meanwhile vqueue:src and aqueue:src run 80 ms in all.',
  );
});

test('a wait that inheritance bounds says by what', () => {
  expect(words(verdict({ kind: 'priority-inversion', tasks: [4, 3], facts: inversion([], 5, true) }))[1]).toBe(
    'high waits 5 ms for m, held by low, which inherits its priority: what low does with the lock bounds the wait.',
  );
});

test('overload says who is late how often and by how much at worst', () => {
  const missed = (task: number, times: number, worstMs: number): Fact => ({
    fact: 'missed',
    task,
    times,
    worstNs: msToNs(worstMs),
  });
  const of = (...facts: Fact[]) => words(verdict({ kind: 'overload', toNs: msToNs(9), facts }));
  expect(of(missed(4, 1, 32))).toEqual(['Overload', 'high is late once, by 32 ms.', 'At 9.000 ms.']);
  expect(of(missed(3, 2, 4), missed(4, 12, 32))[1]).toBe(
    'high is late 12 times, by 32 ms at worst; low is late twice, by 4 ms at worst.',
  );
  expect(of(missed(1, 1, 1), missed(2, 2, 2), missed(3, 3, 3), missed(4, 4, 4))[1]).toBe(
    '4 threads are late, 10 times in all; the worst is high, by 4 ms.',
  );
  expect(words(verdict({ kind: 'overload', facts: [missed(4, 2, 32)] }))[2]).toBe('Between 9.000 ms and 1 000.000 ms.');
});

test('throttled says what is used up, whom that holds up, and for how long', () => {
  const of = (what: 'rt' | 'quota' | 'deadline', tasks: number[], times: number, group = -1) => {
    const facts: readonly Fact[] = [{ fact: 'throttledFor', what, group, cpu: 1, ns: msToNs(400), times }];
    const text = describeVerdict({ ...TABLES, groups: ['web'] }, verdict({ kind: 'throttled', tasks, facts }));
    return toPlainText(text.sentence);
  };
  expect(of('quota', [3, 4], 5, 0)).toBe(
    'The quota of group web is used up: it holds up low and high for 400 ms in all.',
  );
  expect(of('quota', [0, 1, 2, 3, 4], 1, 0)).toBe(
    'The quota of group web is used up: it holds up WebProcess, vqueue:src, aqueue:src and 2 more for 400 ms.',
  );
  expect(of('rt', [1], 10)).toBe(
    'Real-time throttling stops the real-time threads of CPU 1 10 times: vqueue:src stands still for 400 ms in all.',
  );
  expect(of('deadline', [3], 2)).toBe('low uses up its deadline budget twice and waits 400 ms in all for the next.');
});

test('what comes and goes is not said to last from its first to its last time', () => {
  const of = (times: number, ended: boolean) =>
    words(
      verdict({
        kind: 'throttled',
        ended,
        facts: [{ fact: 'throttledFor', what: 'rt', group: -1, cpu: 0, ns: msToNs(50), times }],
      }),
    )[2];
  expect(of(1, true)).toBe('From 9.000 ms to 1 000.000 ms, 991 ms.');
  expect(of(3, true)).toBe('Between 9.000 ms and 1 000.000 ms.');
  expect(of(3, false)).toBe('Between 9.000 ms and 1 000.000 ms, and still so when the run ends.');
});

test('a convoy says how often its lock changes hands, for how little work, and how many wait', () => {
  const facts: readonly Fact[] = [{ fact: 'queueOn', lock: 1, waiters: 3, handovers: 120, holdNs: usToNs(5) }];
  expect(words(verdict({ kind: 'convoy', locks: [1], facts })).slice(0, 2)).toEqual([
    'Convoy',
    'm goes from hand to hand 120 times, each time to a thread that waited: a switch for every 5 µs of work, while 3 more wait.',
  ]);
});

test('starvation says who keeps which CPUs', () => {
  const facts: readonly Fact[] = [
    { fact: 'cpuKeptBy', cpu: 1, by: 2, byPrio: 49, starvedPrio: 120 },
    { fact: 'cpuKeptBy', cpu: 0, by: 1, byPrio: 49, starvedPrio: 120 },
  ];
  expect(words(verdict({ kind: 'starvation', forever: true, tasks: [0], facts }))[1]).toBe(
    'WebProcess is runnable and can never run: aqueue:src and vqueue:src keep CPUs 0 and 1.',
  );
  expect(toPlainText(factClause(TABLES, facts[0]!))).toBe('aqueue:src keeps CPU 1: real-time 50 goes before nice 0');
});

test('every kind has words, however little its proof says, and no sentence is longer than 140 characters where names are short', () => {
  for (const kind of VERDICT_KINDS) {
    for (const facts of [[], SPIN_FACTS]) {
      const [word, sentence, timeLine] = words(verdict({ kind, facts }));
      expect(word, kind).toMatch(/^[A-Z]/);
      expect(sentence, kind).toMatch(/\.$/);
      expect(sentence!.length, sentence).toBeLessThanOrEqual(140);
      expect(`${word}${sentence}${timeLine}`).not.toMatch(/undefined|NaN|\[object| {2}/);
    }
  }
});

test('long names take the shorter sentence', () => {
  const long: NameTables = {
    ...TABLES,
    locks: [{ name: 'a-lock-with-a-name-that-somebody-meant-well-with-and-that-goes-on', kind: 'spin' }],
  };
  const text = describeVerdict(long, verdict({ kind: 'rt-spin-hang', forever: true, facts: SPIN_FACTS }));
  expect(toText(text.sentence).length).toBeLessThanOrEqual(140);
  expect(toText(text.sentence)).toContain('can never run');
});

test('no finding: the longest wait that cleared, or the one that the end cut off, or that nobody waited', () => {
  const wait = { lock: 'heap', waiter: 'vqueue:src', holder: 'WebProcess', fromNs: 0, waitedNs: usToNs(7020) };
  const run = { endNs: msToNs(1000), complete: true, longestClearedWait: wait };
  const text = describeOutcome(TABLES, [], run);
  expect([text.word, toPlainText(text.sentence), toPlainText(text.timeLine)]).toEqual([
    'No hang',
    'WebProcess runs and releases heap. The longest wait for it: 7.02 ms, by vqueue:src.',
    'Seen up to 1 000.000 ms. Not a proof: run longer, or search for the worst case.',
  ]);
  expect(toPlainText(describeOutcome(TABLES, [], { ...run, longestOpenWait: wait }).sentence)).toBe(
    'When the run ends vqueue:src has waited 7.02 ms for heap, held by WebProcess.',
  );
  expect(toPlainText(describeOutcome(TABLES, [], { ...run, longestClearedWait: undefined }).sentence)).toBe(
    'No thread waits for a lock.',
  );
  const none = { ...wait, waitedNs: 0 };
  expect(toPlainText(describeOutcome(TABLES, [], { ...run, longestClearedWait: none }).sentence)).toBe(
    'No thread waits for a lock.',
  );
  const short = { ...wait, waitedNs: usToNs(5) };
  expect(toPlainText(describeOutcome(TABLES, [], { ...run, longestOpenWait: short }).sentence)).toBe(
    'WebProcess runs and releases heap. The longest wait for it: 7.02 ms, by vqueue:src.',
  );
  expect(toPlainText(describeOutcome(TABLES, [], { ...run, complete: false }).timeLine)).toBe(
    'The run stopped at 1 000.000 ms: a bound was reached.',
  );
});

test('kernel numbers in words', () => {
  expect([-1, 0, 49, 98, 100, 120, 130, 139, 140].map((prio) => toPlainText(say`${prioText(prio)}`))).toEqual([
    'deadline',
    'real-time 99',
    'real-time 50',
    'real-time 1',
    'nice -20',
    'nice 0',
    'nice +10',
    'nice +19',
    '',
  ]);
  expect([
    policyText('fifo', 50, 0),
    policyText('other', 0, 0),
    policyText('other', 0, 10),
    policyText('rr', 1, 0),
    policyText('idle', 0, 0),
  ]).toEqual(['FIFO 50', 'OTHER', 'nice +10', 'RR 1', 'IDLE']);
  expect([[2], [0, 1], [0, 1, 2, 3], [0, 2, 4, 5, 6]].map(cpuListText)).toEqual([
    'CPU 2',
    'CPUs 0 and 1',
    'CPUs 0–3',
    'CPUs 0, 2 and 4–6',
  ]);
});

test('a name keeps its spelling at the head of a sentence, a clause gets its capital', () => {
  expect(toText(capitalised(say`${{ part: 'thread', task: 0, text: 'aqueue:src' }} runs`))).toBe('aqueue:src runs');
  expect(toText(capitalised(say`its timer fired`))).toBe('Its timer fired');
});

test('an id that no table knows does not break a sentence', () => {
  expect(toPlainText(factClause(TABLES, { fact: 'holds', task: 99, lock: NONE, sinceNs: 0 }))).toBe(
    'a thread holds a lock since 0.000 ms',
  );
});
