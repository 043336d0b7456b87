import { expect, test } from 'vitest';
import { type HandMade, pen, resultOf } from '../testing/by_hand/hand_made.ts';
import { NONE } from '../trace/ids.ts';
import { PrevState } from '../trace/records.ts';
import { irqStretches, irqTimeIn } from './irq_time.ts';

const US = 1000;
/** At 10, 30, 50, 70, 90 us on CPU 0, 5 us each. */
const NIC = { cpu: 0, name: 'nic', firstNs: 10 * US, periodNs: 20 * US, runNs: 5 * US };
const HAND: HandMade = { threads: [{ name: 'a' }], cpus: 2, irqSources: [NIC], endUs: 100 };

test('busy, idle and interrupt time add up to the window on every CPU, interrupts first', () => {
  // a runs 0-32 on CPU 0: interrupts 10-15 and 30-32 of it.
  const p = pen().wakeup(0, 0).sw(0, 0, NONE, 0, 0).sw(32, 0, 0, PrevState.sleeping, NONE);
  const [cpu0, cpu1] = resultOf(HAND, p.records).cpus;
  expect(cpu0).toEqual({ cpu: 0, busy_ns: 25 * US, idle_ns: 50 * US, irq_ns: 25 * US, switches: 2 });
  expect(cpu1).toEqual({ cpu: 1, busy_ns: 0, idle_ns: 100 * US, irq_ns: 0, switches: 0 });
  const [inWindow] = resultOf(HAND, p.records, [12, 31]).cpus;
  expect(inWindow).toEqual({ cpu: 0, busy_ns: 15 * US, idle_ns: 0, irq_ns: 4 * US, switches: 0 });
});

test('interrupt time in closed form equals the sum over every single interrupt', () => {
  for (const [from, to] of [
    [0, 100],
    [0, 10],
    [10, 15],
    [11, 14],
    [12, 33],
    [14, 90],
    [95, 96],
    [55, 55],
    [60, 40],
  ] as const) {
    let sum = 0;
    for (let us = from; us < to; us++) if (us >= 10 && (us - 10) % 20 < 5) sum += US;
    expect(irqTimeIn([NIC], from * US, to * US), `${from}-${to}`).toBe(sum);
  }
  // An hour costs no more than a moment: 3 600 s at one 5 us interrupt each 20 us is a quarter, less the late start.
  expect(irqTimeIn([{ ...NIC, firstNs: 0 }], 0, 3_600e9)).toBe(900e9);
});

test('interrupts that overlap run one after the other: sums and rows agree with a microsecond by microsecond model', () => {
  // Two sources meet every 60 us and then some: 10, 30, 50, … for 5 us; 12, 42, 72, … for 9 us.
  const disk = { cpu: 0, name: 'disk', firstNs: 12 * US, periodNs: 30 * US, runNs: 9 * US };
  const owner: string[] = [];
  const queue: string[] = [];
  for (let us = 0; us < 300; us++) {
    if (us >= 10 && (us - 10) % 20 === 0) queue.push(...Array<string>(5).fill('nic'));
    if (us >= 12 && (us - 12) % 30 === 0) queue.push(...Array<string>(9).fill('disk'));
    owner.push(queue.shift() ?? '');
  }
  for (const [from, to] of [
    [0, 300],
    [14, 60],
    [21, 22],
    [17, 100],
    [130, 131],
    [250, 299],
  ] as const) {
    const busyUs = owner.slice(from, to).filter((name) => name !== '').length;
    expect(irqTimeIn([NIC, disk], from * US, to * US), `${from}-${to}`).toBe(busyUs * US);
    const painted = Array<string>(300).fill('');
    for (const row of irqStretches([NIC, disk], from * US, to * US))
      painted.fill(row.name, row.startNs / US, row.endNs / US);
    expect(painted.slice(from, to)).toEqual(owner.slice(from, to));
  }
});
