// Locks of every kind, and the steps that act on them.
// biome-ignore-all lint/suspicious/noThenProperty: the scenario format calls it "then".
import { describe, expect, test } from 'vitest';
import type { JsonObject, Problem } from './document.ts';
import { resolve } from './resolve.ts';
import type { Scenario } from './scenario.ts';
import { validateDocument } from './validate.ts';

const LOCKS: JsonObject = {
  f: { kind: 'futex' },
  a: { kind: 'adaptive', spins: 7 },
  p: { kind: 'pi' },
  t: { kind: 'protect', ceiling: 30 },
  h: { kind: 'handoff' },
  k: { kind: 'kernel' },
  r: { kind: 'rw', prefer: 'writers' },
  q: { kind: 'sem', initial: 2 },
  c: { kind: 'cond', requeue: true },
  b: { kind: 'barrier', parties: 2 },
};

function doc(steps: readonly unknown[], locks: JsonObject = LOCKS, more: Record<string, unknown> = {}): JsonObject {
  return {
    version: 1,
    duration: '1s',
    locks,
    threads: [{ name: 'a', count: 2, program: steps }],
    ...more,
  } as JsonObject;
}

function problemsOf(value: unknown): readonly Problem[] {
  const result = validateDocument(value);
  return result.ok ? [] : result.error;
}

function listOf(value: unknown): string[] {
  return problemsOf(value).map((problem) => `${problem.code} ${problem.path}`);
}

function ok(document: JsonObject): Scenario {
  const result = resolve(document);
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.value;
}

describe('locks', () => {
  test('of every kind are read with their keys', () => {
    const { locks } = ok(doc([{ run: '1ms' }]));
    expect(locks).toEqual([
      { name: 'f', marks: false, kind: 'futex' },
      { name: 'a', marks: false, kind: 'adaptive', spins: 7 },
      { name: 'p', marks: false, kind: 'pi' },
      { name: 't', marks: false, kind: 'protect', ceiling: 30 },
      { name: 'h', marks: false, kind: 'handoff' },
      { name: 'k', marks: false, kind: 'kernel' },
      { name: 'r', marks: false, kind: 'rw', prefer: 'writers' },
      { name: 'q', marks: false, kind: 'sem', initial: 2 },
      { name: 'c', marks: false, kind: 'cond', requeue: true },
      { name: 'b', marks: false, kind: 'barrier', parties: 2 },
    ]);
  });

  test('have the defaults of the format', () => {
    const locks: JsonObject = { a: { kind: 'adaptive' }, r: { kind: 'rw' }, q: { kind: 'sem' }, c: { kind: 'cond' } };
    expect(ok(doc([{ run: '1ms' }], locks)).locks).toMatchObject([
      { spins: 100 },
      { prefer: 'readers' },
      { initial: 0 },
      { requeue: false },
    ]);
  });

  test.each<[JsonObject, string]>([
    [{ kind: 'protect' }, 'missing-key locks.x.ceiling'],
    [{ kind: 'protect', ceiling: 0 }, 'range locks.x.ceiling'],
    [{ kind: 'protect', ceiling: 100 }, 'range locks.x.ceiling'],
    [{ kind: 'adaptive', spin: 3 }, 'unknown-key locks.x.spin'],
    [{ kind: 'adaptive', spins: -1 }, 'range locks.x.spins'],
    [{ kind: 'rw', prefer: 'readrs' }, 'unknown-value locks.x.prefer'],
    [{ kind: 'sem', initial: -1 }, 'range locks.x.initial'],
    [{ kind: 'sem', initial: '1' }, 'type locks.x.initial'],
    [{ kind: 'cond', requeue: 'yes' }, 'type locks.x.requeue'],
    [{ kind: 'barrier' }, 'missing-key locks.x.parties'],
    [{ kind: 'barrier', parties: 0 }, 'range locks.x.parties'],
    [{ kind: 'handoff', spins: 3 }, 'unknown-key locks.x.spins'],
    [{ kind: 'kernel', initial: 3 }, 'unknown-key locks.x.initial'],
  ])('%j is answered at its place', (lock, expected) => {
    expect(listOf(doc([{ run: '1ms' }], { x: lock }))).toEqual([expected]);
  });
});

test('a patch that changes the kind of a back-off drops the keys of the old one', () => {
  const locks: JsonObject = { s: { kind: 'spin', backoff: { kind: 'sleep', for: '9us', cost: '1us' } } };
  const toggles = { x: { values: { a: { locks: { s: { backoff: { kind: 'none', cost: '2us' } } } } }, default: 'a' } };
  expect(ok(doc([{ run: '1ms' }], locks, { toggles })).locks[0]).toMatchObject({
    backoff: { kind: 'none', costNs: 2000 },
  });
});

describe('steps on locks', () => {
  test('are read with ids of locks', () => {
    const steps = [
      { readLock: 'r' },
      { unlock: 'r' },
      { wait: 'q' },
      { post: 'q' },
      { lock: 'h' },
      { condWait: 'c', lock: 'h' },
      { signal: 'c' },
      { broadcast: 'c' },
      { unlock: 'h' },
      { barrier: 'b' },
      { deadlineAt: '10ms', do: [{ tryLock: 'k', then: [{ unlock: 'k' }] }] },
    ];
    const [thread] = ok(doc(steps)).threads;
    const at = (i: number) => `threads[0].program[${i}]`;
    expect(thread!.program).toEqual([
      { op: 'readLock', lock: 6, path: at(0) },
      { op: 'unlock', lock: 6, path: at(1) },
      { op: 'wait', sem: 7, path: at(2) },
      { op: 'post', sem: 7, path: at(3) },
      { op: 'lock', lock: 4, path: at(4) },
      { op: 'condWait', cond: 8, lock: 4, path: at(5) },
      { op: 'signal', cond: 8, path: at(6) },
      { op: 'broadcast', cond: 8, path: at(7) },
      { op: 'unlock', lock: 4, path: at(8) },
      { op: 'barrier', barrier: 9, path: at(9) },
      {
        op: 'deadlineAt',
        withinNs: 10_000_000,
        do: [
          {
            op: 'tryLock',
            lock: 5,
            then: [{ op: 'unlock', lock: 5, path: `${at(10)}.do[0].then[0]` }],
            else: [],
            path: `${at(10)}.do[0]`,
          },
        ],
        path: at(10),
      },
    ]);
  });

  test.each<[unknown, string]>([
    [{ post: 'f' }, 'lock-kind threads[0].program[0].post'],
    [{ wait: 'c' }, 'lock-kind threads[0].program[0].wait'],
    [{ signal: 'q' }, 'lock-kind threads[0].program[0].signal'],
    [{ broadcast: 'b' }, 'lock-kind threads[0].program[0].broadcast'],
    [{ barrier: 'q' }, 'lock-kind threads[0].program[0].barrier'],
    [{ readLock: 'f' }, 'lock-kind threads[0].program[0].readLock'],
    [{ lock: 'q' }, 'lock-kind threads[0].program[0].lock'],
    [{ tryLock: 'c', then: [] }, 'lock-kind threads[0].program[0].tryLock'],
    [{ unlock: 'b' }, 'lock-kind threads[0].program[0].unlock'],
    [{ condWait: 'q', lock: 'f' }, 'lock-kind threads[0].program[0].condWait'],
    [{ condWait: 'c', lock: 'r' }, 'lock-kind threads[0].program[0].lock'],
    [{ condWait: 'c' }, 'missing-key threads[0].program[0].lock'],
    [{ condWait: 'd', lock: 'f' }, 'unknown-lock threads[0].program[0].condWait'],
    [{ wait: 'qq' }, 'unknown-lock threads[0].program[0].wait'],
    [{ wait: 3 }, 'type threads[0].program[0].wait'],
    [{ wait: 'q', timeout: '1ms' }, 'unknown-key threads[0].program[0].timeout'],
    [{ deadlineAt: 10, do: [] }, 'time-unit threads[0].program[0].deadlineAt'],
    [{ deadlineAt: '0us', do: [] }, 'range threads[0].program[0].deadlineAt'],
    [{ deadlineAt: { uniform: ['1ms', '2ms'] }, do: [] }, 'random-time threads[0].program[0].deadlineAt'],
    [{ deadlineAt: '10ms' }, 'missing-key threads[0].program[0].do'],
    [{ deadlineAt: '10ms', do: [{ runn: '1ms' }] }, 'unknown-step threads[0].program[0].do[0]'],
    [{ period: { uniform: ['1ms', '2ms'] } }, 'random-time threads[0].program[0].period'],
  ])('%j is answered at its place', (step, expected) => {
    expect(listOf(doc([step]))).toContain(expected);
    expect(problemsOf(doc([step])).filter(({ hint }) => hint.length < 10)).toEqual([]);
  });

  test('the wrong step for a lock is told the right ones', () => {
    expect(problemsOf(doc([{ lock: 'q' }]))[0]!.hint).toContain('on "q" act "wait" and "post"');
    expect(problemsOf(doc([{ post: 'f' }]))[0]!.hint).toContain('"lock", "tryLock" and "unlock"');
  });

  test('a wait that nobody posts is no problem of the document', () => {
    expect(listOf(doc([{ wait: 'q' }, { wait: 'q' }, { wait: 'q' }]))).toEqual([]);
    expect(listOf(doc([{ lock: 'f' }, { condWait: 'c', lock: 'f' }, { unlock: 'f' }]))).toEqual([]);
  });

  test('a loop around a wait is no empty loop, a loop around an empty claim is', () => {
    expect(listOf(doc([{ repeat: 'forever', do: [{ wait: 'q' }] }]))).toEqual([]);
    expect(listOf(doc([{ repeat: 'forever', do: [{ deadlineAt: '1ms', do: [{ mark: 'x' }] }] }]))).toEqual([
      'empty-loop threads[0].program[0].do',
    ]);
  });
});

describe('a condition and its lock', () => {
  const wait = { condWait: 'c', lock: 'f' };
  test.each<[string, unknown[], string[]]>([
    ['held', [{ lock: 'f' }, wait, { unlock: 'f' }], []],
    ['never held', [wait], ['cond-lock threads[0].program[0].lock']],
    ['given back before', [{ lock: 'f' }, { unlock: 'f' }, wait], ['cond-lock threads[0].program[2].lock']],
    ['another is held', [{ lock: 'h' }, wait], ['cond-lock threads[0].program[1].lock']],
    ['still held after the wait', [{ lock: 'f' }, wait, wait, { unlock: 'f' }], []],
    ['held on one way', [{ tryLock: 'f', then: [] }, wait], []],
    ['inside a claim', [{ deadlineAt: '1ms', do: [{ lock: 'f' }] }, wait, { unlock: 'f' }], []],
    ['only in the second round', [{ repeat: 2, do: [{ lock: 'f' }, wait, { unlock: 'f' }] }], []],
  ])('%s', (_, steps, expected) => {
    expect(listOf(doc(steps))).toEqual(expected);
  });

  test('with requeue has one lock, whoever waits', () => {
    const waits = (lock: string) => [{ lock }, { condWait: 'c', lock }, { unlock: lock }];
    const both = [...waits('f'), { repeat: 2, do: waits('h') }];
    expect(listOf(doc(both))).toEqual(['cond-locks threads[0].program[3].do[1].lock']);
    expect(listOf(doc(both, { ...LOCKS, c: { kind: 'cond' } }))).toEqual([]);
    expect(listOf(doc([...waits('f'), ...waits('f')]))).toEqual([]);
  });

  test('what is read-locked is given back by unlock, as often as it was taken', () => {
    expect(listOf(doc([{ readLock: 'r' }, { readLock: 'r' }, { unlock: 'r' }, { unlock: 'r' }]))).toEqual([]);
    expect(listOf(doc([{ readLock: 'r' }, { unlock: 'r' }]))).toEqual([]);
    expect(listOf(doc([{ readLock: 'r' }, { unlock: 'r' }, { unlock: 'r' }]))).toEqual([
      'unlock-not-held threads[0].program[2].unlock',
    ]);
  });
});

describe('a barrier that can never fill', () => {
  const barrier = { barrier: 'b' };
  const of = (parties: number): JsonObject => ({ b: { kind: 'barrier', parties }, f: { kind: 'futex' } });
  const thread = (name: string, program: unknown[], more: object = {}) => ({ name, program, ...more });
  const fork = { start: 'fork' };
  test.each<[string, number, object[], boolean]>([
    ['two threads of two', 2, [thread('a', [barrier]), thread('b', [barrier])], false],
    ['one thread of two', 2, [thread('a', [barrier, barrier])], true],
    ['a count of three', 3, [thread('a', [barrier], { count: 3 })], false],
    ['a count of three for four', 4, [thread('a', [barrier], { count: 3 })], true],
    ['a step that is never reached', 2, [thread('a', [barrier]), thread('b', [{ run: 'forever' }, barrier])], true],
    ['a step after the exit', 2, [thread('a', [barrier]), thread('b', ['exit', barrier])], true],
    [
      'a step in a branch',
      2,
      [thread('a', [barrier]), thread('b', [{ tryLock: 'f', then: [], else: [barrier] }])],
      false,
    ],
    [
      'both branches leave before it',
      2,
      [thread('a', [barrier]), thread('b', [{ tryLock: 'f', then: ['exit'], else: ['exit'] }, barrier])],
      true,
    ],
    ['a loop of no rounds', 2, [thread('a', [barrier]), thread('b', [{ repeat: 0, do: [barrier] }])], true],
    ['a thread that nobody forks', 2, [thread('a', [barrier]), thread('b', [barrier], fork)], true],
    ['a thread that is forked', 2, [thread('a', [{ fork: 'b' }, barrier]), thread('b', [barrier], fork)], false],
    [
      'forked three times',
      4,
      [thread('a', [{ repeat: 3, do: [{ fork: 'b' }] }, barrier]), thread('b', [barrier], fork)],
      false,
    ],
    [
      'forked twice for four',
      4,
      [thread('a', [{ repeat: 2, do: [{ fork: 'b' }] }, barrier]), thread('b', [barrier], fork)],
      true,
    ],
    [
      'a child that forks its like',
      100,
      [thread('a', [{ fork: 'b' }]), thread('b', [{ fork: 'b' }, barrier], fork)],
      false,
    ],
    ['nobody uses it', 9, [thread('a', [{ run: '1ms' }])], false],
    ['inside a claim', 2, [thread('a', [{ deadlineAt: '1ms', do: [barrier] }], { count: 2 })], false],
  ])('%s', (_, parties, threads, isProblem) => {
    expect(listOf(doc([], of(parties), { threads }))).toEqual(isProblem ? ['barrier-parties locks.b.parties'] : []);
  });
});
