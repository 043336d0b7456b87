// An hour of the four-CPU hang, with ticks that cost time and a hardware interrupt: closed form, exact turn counts.

import { expect, test } from 'vitest';
import { run } from '../testing/scene.ts';
import { RecordKind, SpinCountAt } from '../trace/records.ts';

test('an hour of the hang takes few events, and its turns are those of the arithmetic', () => {
  const costNs = 4020;
  const tickNs = 4_000_000;
  const tickCost = 3000;
  const irqPeriod = 10_000_000;
  const irqCost = 20_000;
  const endNs = 3_600_000_000_000;
  const ran = run({
    duration: '1h',
    machine: {
      cpus: 4,
      kernel: '6.1',
      hz: 250,
      rtThrottling: false,
      costs: { tick: '3us' },
      interrupts: [{ cpu: 0, period: '10ms', run: '20us', name: 'irq' }],
    },
    locks: { heap: { kind: 'spin', backoff: { kind: 'yield', cost: '4.02us' } } },
    threads: [
      { name: 'H', start: '5ms', startCpu: 0, program: [{ lock: 'heap' }, { run: '8ms' }, { unlock: 'heap' }] },
      ...[1, 2, 3, 0].map((cpu, i) => ({
        name: `S${cpu}`,
        policy: 'fifo',
        priority: 50,
        start: `${6 + i}ms`,
        startCpu: cpu,
        cpus: [cpu],
        program: [{ lock: 'heap' }, { unlock: 'heap' }],
      })),
    ],
  });
  expect(ran.sim.events).toBeLessThan(1000);
  const r = ran.records;
  let checked = 0;
  for (let i = 0; i < r.count; i++) {
    if (r.kind[i] !== RecordKind.spinCount || r.reason[i] !== SpinCountAt.end) continue;
    const name = ran.sim.tasks[r.task[i]!]!.name;
    const startNs = name === 'S0' ? 9_000_000 : (5 + Number(name[1])) * 1_000_000;
    // Ticks and interrupts from its start to the end, the one that the end cuts off included in full if it is over.
    const ticks = Math.ceil(endNs / tickNs) - Math.ceil(startNs / tickNs);
    const irqs = name === 'S0' ? Math.ceil(endNs / irqPeriod) - Math.ceil(startNs / irqPeriod) : 0;
    const own = endNs - startNs - ticks * tickCost - irqs * irqCost;
    // The first attempt at once, then one at each full turn before the end.
    expect(r.b[i]).toBe(Math.ceil(own / costNs));
    checked++;
  }
  expect(checked).toBe(4);
  expect(ran.verdicts.map((v) => [v.kind, v.fromNs, v.forever])).toEqual([['rt-spin-hang', 9_000_000, true]]);
});
