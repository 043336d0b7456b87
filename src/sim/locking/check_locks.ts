// Invariants of locks at rest. A broken one is a bug of ours, never of the document.

import { assert } from '../../base/assert.ts';
import type { Machine } from '../machine.ts';
import type { Task } from '../task.ts';
import type { Lock } from './lock_state.ts';

/** Asserts exclusion, counts and queues of every lock. O(locks + waiters + what all tasks hold). */
export function checkLocks(m: Machine): void {
  const holds: number[] = m.locks.map(() => 0);
  for (const p of m.tasks) for (const id of p.held) holds[id]!++;
  for (const lock of m.locks) checkLock(lock, holds[lock.id]!);
}

function checkLock(lock: Lock, holds: number): void {
  const { name, kind } = lock.spec;
  const { owner, rw } = lock;
  if (owner !== undefined) assert(owner.held.includes(lock.id), `the owner of ${name} holds it`);
  assert(owner === undefined || rw.readers === 0, `${name} has a writer or readers`);
  assert(rw.readers === 0 || kind === 'rw', `only a reader-writer lock has readers: ${name}`);
  assert(holds === (owner === undefined ? rw.readers : 1), `nobody else holds ${name}`);
  assert(lock.value >= 0, `the semaphore ${name} is not below 0`);
  if (lock.spec.kind === 'barrier')
    assert(lock.waiters.length < lock.spec.parties, `${name} opens when its parties are there`);
  assert(rw.primary === undefined || rw.readers > 0, `the first writer of ${name} waits for readers`);
  for (const queue of [lock.waiters, lock.newcomers, rw.waitingReaders]) checkQueue(lock, queue);
}

function checkQueue(lock: Lock, queue: readonly Task[]): void {
  for (let i = 0; i < queue.length; i++) {
    const p = queue[i]!;
    assert(p.waitsFor === lock.id, `${p.name}, in a queue of ${lock.spec.name}, waits for it`);
    const before = queue[i - 1];
    if (before !== undefined) assert(before.waitKey <= p.waitKey, `a queue of ${lock.spec.name} is sorted`);
  }
}
