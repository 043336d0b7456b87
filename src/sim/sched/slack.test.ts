// Timer slack across fork and policy changes. Expected: sleep plus the slack of the rule, on an ideal machine; recorded on
// 6.1, 6.12 and 7.2: a fair thread that a FIFO thread created sleeps 5.00 ms, not 5.05.

import { expect, test } from 'vitest';
import { run, stints } from '../../testing/scene.ts';

const NAP = [{ run: '1us' }, { sleep: '5ms' }, { run: '1us' }];

/** How long the thread `t` was off its CPU at its only sleep, in us. */
function asleepUs(threads: object[]): number {
  const machine = { cpus: 2, kernel: '6.12', hz: 250, costs: 'ideal' };
  const ran = run({ duration: '20ms', machine, threads });
  const mine = [0, 1].flatMap((cpu) => stints(ran, cpu)).filter((s) => s.name === 't');
  return (mine[1]!.fromNs - mine[0]!.toNs) / 1000;
}

const parent = (attributes: object, cpu = 0) => ({ name: 'p', ...attributes, cpus: [cpu], program: [{ fork: 't' }] });
const child = (attributes: object, program: object[] = NAP) => ({
  name: 't',
  start: 'fork',
  cpus: [1],
  ...attributes,
  program,
});

test.each([
  ['a fair thread has 50 us', [{ name: 't', cpus: [1], program: NAP }], 5050],
  ['a fair child of a fair thread has 50 us', [parent({}), child({})], 5050],
  [
    'a fair child of a FIFO thread has none',
    [parent({ policy: 'fifo', priority: 10 }), child({ policy: 'other' })],
    5000,
  ],
  [
    'a child that makes itself fair has none either',
    [parent({ policy: 'fifo', priority: 10 }), child({}, [{ set: { policy: 'other' } }, ...NAP])],
    5000,
  ],
  [
    'a thread that nobody forked gets its 50 us back after a real-time policy',
    [{ name: 't', policy: 'fifo', priority: 10, cpus: [1], program: [{ set: { policy: 'other' } }, ...NAP] }],
    5050,
  ],
  ['a FIFO child of a fair thread has none', [parent({}), child({ policy: 'fifo', priority: 10 })], 5000],
])('%s', (_, threads, us) => {
  expect(asleepUs(threads)).toBe(us);
});
