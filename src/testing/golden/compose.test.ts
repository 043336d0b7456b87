import { expect, test } from 'vitest';
import { composeDocument } from './compose.ts';

const DOCUMENT = {
  version: 1,
  params: { marker: { label: 'x', default: '1us' }, hold: { label: 'y', default: '8ms' } },
  machine: { cpus: 4, kernel: '6.12', hz: 250 },
  threads: [
    { name: 'a', program: ['exit'] },
    { name: 'b', cpus: [2], program: ['exit'] },
  ],
};
const COSTS = { machine: { contextSwitch: '4.4us' }, programs: { marker: '1.68us', create: '180us' } };

test('kernel, costs and boot conditions go into the document, all else stays', () => {
  const composed = composeDocument({
    document: DOCUMENT,
    kernel: '6.1',
    piReweight: false,
    costs: COSTS,
    boot: { tickPhaseNs: 989_088, throttlePhaseNs: 226_421_540, startCpu: { a: 3, b: 1, other: 0 } },
  });
  expect(composed).toEqual({
    version: 1,
    params: { marker: { label: 'x', default: '1.68us' }, hold: { label: 'y', default: '8ms' } },
    machine: {
      cpus: 4,
      kernel: '6.1',
      hz: 250,
      costs: { contextSwitch: '4.4us' },
      tickPhase: '989088ns',
      rtThrottling: { runtime: '950ms', period: '1s', phase: '226421540ns' },
    },
    // A pinned thread starts where it is pinned, whatever CPU its creation ran on.
    threads: [
      { name: 'a', program: ['exit'], startCpu: 3 },
      { name: 'b', cpus: [2], program: ['exit'] },
    ],
  });
});

test('what a document switches off stays off', () => {
  const composed = composeDocument({
    document: { ...DOCUMENT, machine: { ...DOCUMENT.machine, rtThrottling: false } },
    kernel: '7.2',
    piReweight: true,
    costs: COSTS,
    boot: { tickPhaseNs: 1 },
  }) as { machine: Record<string, unknown> };
  expect(composed.machine.rtThrottling).toBe(false);
  expect(composed.machine.piReweight).toBe(true);
});
