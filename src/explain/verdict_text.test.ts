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
    { fact: 'holds', task: 3, lock: 0, sinceNs: 0 },
    { fact: 'holds', task: 4, lock: 1, sinceNs: 0 },
  ];
  expect(words(verdict({ kind: 'deadlock', forever: true, tasks: [3, 4], locks: [0, 1], facts })).slice(0, 2)).toEqual([
    'Deadlock',
    'low waits for m, held by high; high waits for heap, held by low.',
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
