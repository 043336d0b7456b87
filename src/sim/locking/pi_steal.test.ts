// As the kernels were recorded (workload pi-chain): between a release and the moment at which the woken waiter runs, a
// stronger thread may take a PI mutex, an equal one may not. Source: rtmutex.c rt_mutex_steal.

import { expect, test } from 'vitest';
import { cpuTime, picture, run } from '../../testing/scene.ts';

/** H releases at 5 ms and computes on; W1 was woken by that. W2 comes at 6 ms and asks at 7 ms, before W1 has run. */
function scene(rtPrio: number, patience: object = {}, after: readonly object[] = []) {
  return run({
    duration: '40ms',
    machine: { cpus: 1, kernel: '6.12', fairServer: false },
    locks: { l: { kind: 'pi' } },
    threads: [
      {
        name: 'H',
        policy: 'fifo',
        priority: 30,
        program: [{ lock: 'l' }, { sleep: '1ms' }, { run: '4ms' }, { unlock: 'l' }, { run: '2ms' }],
      },
      {
        name: 'W1',
        policy: 'fifo',
        priority: 15,
        program: [{ lock: 'l', ...patience }, { run: '1ms' }, { unlock: 'l' }],
      },
      {
        name: 'W2',
        policy: 'fifo',
        priority: rtPrio,
        start: '6ms',
        program: [{ lock: 'l' }, { run: '3ms' }, ...after, { unlock: 'l' }],
      },
    ],
  });
}

test('a stronger newcomer takes the lock before the woken waiter has run', () => {
  expect(picture(scene(20))).toBe('H[1-7] W2[7-10] W1[10-11]');
});

test('an equal newcomer waits its turn', () => {
  expect(picture(scene(15))).toBe('H[1-7] W1[7-8] W2[8-11]');
});

test('who lost the lock so keeps its time limit', () => {
  // W2 takes the lock at 7 ms and sleeps with it from 10 to 15 ms; W1 sleeps on at 10 ms and gives up at 12 ms.
  const ran = scene(20, { timeout: '12ms', else: ['exit'] }, [{ sleep: '5ms' }]);
  expect(picture(ran)).toBe('H[1-7] W2[7-10]');
  expect(cpuTime(ran, 'W1')).toBe(0);
});
