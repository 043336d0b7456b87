// Quotas inside quotas: a group that is out of quota inside one that left before takes nothing along a second time.

import { expect, test } from 'vitest';
import { cpuTime, run } from '../../testing/scene.ts';

test.each(['6.1', '6.12', '7.2'])('on kernel %s both limits hold, and invariants after each event', (kernel) => {
  const document = {
    duration: '600ms',
    machine: { kernel, hz: 1000 },
    groups: {
      outer: { quota: '8ms', period: '24ms' },
      middle: { parent: 'outer' },
      inner: { quota: '11ms', period: '27ms', parent: 'middle' },
    },
    threads: [
      { name: 'in', group: 'inner', program: [{ run: 'forever' }] },
      {
        name: 'beside',
        group: 'outer',
        start: '3ms',
        program: [{ repeat: 'forever', do: [{ run: '2ms' }, { sleep: '5ms' }] }],
      },
    ],
  };
  const ran = run(document, {}, 1);
  // 25 periods of 8 ms; each overrun of up to a tick is paid back in the next period.
  const both = cpuTime(ran, 'in') + cpuTime(ran, 'beside');
  expect(both).toBeGreaterThanOrEqual(25 * 8e6 - 8e6);
  expect(both).toBeLessThanOrEqual(25 * 8e6 + 2e6);
});
