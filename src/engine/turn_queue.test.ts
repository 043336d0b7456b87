import { expect, test } from 'vitest';
import { createTurnQueue } from './turn_queue.ts';

/** A queue on a clock of its own; each job takes `jobMs`. */
function queueOf(jobMs: number) {
  let clockMs = 0;
  const log: string[] = [];
  const queue = createTurnQueue(
    () => clockMs,
    async () => {
      log.push('turn');
    },
  );
  const job = (name: string, wait: Promise<void> = Promise.resolve()) =>
    queue.run(() => {
      clockMs += jobMs;
      log.push(name);
      return wait;
    });
  return { log, job, queue };
}

test('jobs run in order, and the event loop gets a turn after 4 ms of work', async () => {
  const { log, job } = queueOf(3);
  await Promise.all(['a', 'b', 'c', 'd', 'e'].map((name) => job(name)));
  expect(log).toEqual(['a', 'b', 'turn', 'c', 'd', 'turn', 'e']);
});

test('a job that waits does not hold up the next', async () => {
  const { log, job } = queueOf(1);
  const never = job('a', new Promise(() => {}));
  await job('b');
  expect(log).toEqual(['a', 'b']);
  expect(await Promise.race([never.then(() => 'done'), Promise.resolve('waits')])).toBe('waits');
});

test('a job that throws rejects its own call only', async () => {
  const { log, job, queue } = queueOf(1);
  const failed = queue.run(() => {
    throw new Error('no room');
  });
  await expect(failed).rejects.toThrow('no room');
  await job('b');
  expect(log).toEqual(['b']);
});
