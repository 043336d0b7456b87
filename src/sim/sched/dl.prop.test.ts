// Random deadline threads among others: invariants after every event, and nobody gets more than its budgets.

import { expect, test } from 'vitest';
import { createStream, intBelow, type Stream } from '../../base/prng.ts';
import { cpuTime, run } from '../../testing/scene.ts';

function pick<T>(s: Stream, list: readonly T[]): T {
  return list[intBelow(s, list.length)]!;
}

function step(s: Stream): unknown {
  switch (intBelow(s, 6)) {
    case 0:
      return { run: `${1 + intBelow(s, 6000)}us` };
    case 1:
      return { sleep: `${1 + intBelow(s, 9000)}us` };
    case 2:
      return 'yield';
    case 3:
      return { set: pick(s, [{ policy: 'other' }, { policy: 'fifo', priority: 40 }, dlSet(s), dlSet(s)]) };
    case 4:
      return { run: `${1 + intBelow(s, 900)}us` };
    default:
      return { mark: 'm' };
  }
}

function dlSet(s: Stream): object {
  const period = 2 + intBelow(s, 40);
  return {
    policy: 'deadline',
    runtime: `${100 + intBelow(s, period * 200)}us`,
    period: `${period}ms`,
    deadline: `${period}ms`,
  };
}

function program(s: Stream): unknown[] {
  const body: unknown[] = [{ run: '10us' }];
  for (let n = 1 + intBelow(s, 5); n > 0; n--) body.push(step(s));
  if (intBelow(s, 2) === 0) body.push({ lock: 'L' }, { run: `${intBelow(s, 4000)}us` }, step2(s), { unlock: 'L' });
  return [{ repeat: 'forever', do: body }];
}

/** Inside the lock: no change of policy. */
function step2(s: Stream): unknown {
  return pick(s, [{ sleep: '700us' }, 'yield', { run: '2ms' }]);
}

function documentOf(seed: number): object {
  const s = createStream(seed, 'dl');
  const cpus = 1 + intBelow(s, 3);
  const threads = [];
  for (let i = 0; i < 3 + intBelow(s, 4); i++) {
    const kind = intBelow(s, 4);
    const policy =
      kind < 2 ? dlSet(s) : kind === 2 ? { policy: 'fifo', priority: 1 + intBelow(s, 90), rttimeLimit: '30ms' } : {};
    threads.push({ name: `t${i}`, ...policy, start: `${i * intBelow(s, 3000)}us`, program: program(s) });
  }
  return {
    duration: '150ms',
    seed,
    machine: {
      cpus,
      kernel: pick(s, ['6.1', '6.12', '7.2']),
      hz: pick(s, [100, 250, 1000]),
      costs: pick(s, ['ideal', 'server', 'set-top-box']),
      rtThrottling: pick(s, [false, { runtime: '40ms', period: '50ms', share: true }]),
    },
    locks: { L: { kind: 'pi' } },
    threads,
  };
}

test('invariants hold after every event, whatever deadline threads do', () => {
  let ran = 0;
  for (let seed = 1; seed <= 20; seed++) {
    const document = documentOf(seed);
    try {
      run(document, {}, 1);
      ran++;
    } catch (error) {
      // Admission at the start is the reader's; any other refusal or a broken invariant is a fault.
      if (!String(error).includes('"admission"'))
        throw new Error(`seed ${seed}: ${String(error)}\n${JSON.stringify(document)}`);
    }
  }
  expect(ran).toBeGreaterThan(10);
});

test('a deadline hog gets its budget in each of its periods, and over many no more than ticks make it', () => {
  for (let seed = 1; seed <= 60; seed++) {
    const s = createStream(seed, 'share');
    const hz = pick(s, [100, 250, 1000]);
    const periodMs = 5 + intBelow(s, 60);
    const budgetUs = 500 + intBelow(s, periodMs * 600);
    const ran = run({
      duration: `${periodMs * 20}ms`,
      machine: { cpus: 1, kernel: pick(s, ['6.1', '6.12', '7.2']), hz, fairServer: false },
      threads: [
        {
          name: 'D',
          policy: 'deadline',
          runtime: `${budgetUs}us`,
          period: `${periodMs}ms`,
          program: [{ run: 'forever' }],
        },
        { name: 'R', policy: 'fifo', priority: 50, program: [{ run: 'forever' }] },
      ],
    });
    const got = cpuTime(ran, 'D');
    // Overdrawn by less than a tick, and a budget shorter than a tick may be taken that far in advance.
    expect(got, `seed ${seed}`).toBeLessThanOrEqual(21 * budgetUs * 1000 + 2e9 / hz);
    expect(got, `seed ${seed}`).toBeGreaterThan(19 * budgetUs * 1000 - 1e9 / hz);
  }
});
