// Hand-worked checks of the fact sheet, section 15, real-time class and its protections. Expected values are the sheet's.

import { expect, test } from 'vitest';
import { cpuTime, picture, run } from '../../testing/scene.ts';

const HOG = [{ run: 'forever' }];

function machine(over: object): object {
  return { cpus: 1, kernel: '6.1', hz: 1000, rtThrottling: false, ...over };
}

const fifo = (name: string, rtPrio: number, program: unknown, more: object = {}) => ({
  name,
  policy: 'fifo',
  priority: rtPrio,
  program,
  ...more,
});

test('V24: a preempted FIFO task resumes at the head; a yield goes to the tail of its own priority', () => {
  const threads = [
    fifo('A', 50, [{ runUntil: '4ms' }, 'yield', { run: 'forever' }]),
    fifo('B', 50, [{ run: '10ms' }, 'yield', { run: 'forever' }]),
    fifo('C', 50, [{ run: '5ms' }, 'yield', { run: 'forever' }]),
    fifo('D', 60, [{ run: '1ms' }], { start: '2ms' }),
  ];
  // After A's yield the list is B, C, A.
  expect(picture(run({ duration: '25ms', machine: machine({}), threads }))).toBe(
    'A[0-2] D[2-3] A[3-4] B[4-14] C[14-19] A[19-25]',
  );
});

test('V25: RR turns every 100 ms; beside a FIFO task of its priority it gets one turn', () => {
  const rr = (name: string) => ({ name, policy: 'rr', priority: 50, program: HOG });
  expect(picture(run({ duration: '300ms', machine: machine({}), threads: [rr('A'), rr('B')] }))).toBe(
    'A[0-100] B[100-200] A[200-300]',
  );
  const mixed = run({ duration: '1s', machine: machine({}), threads: [rr('A'), fifo('C', 50, HOG)] });
  expect(picture(mixed)).toBe('A[0-100] C[100-1000]');
  const cut = run({
    duration: '200ms',
    machine: machine({}),
    threads: [rr('A'), rr('B'), fifo('D', 60, [{ run: '10ms' }], { start: '60ms' })],
  });
  expect(picture(cut, 4)).toBe('A[0-60] D[60-70] A[70-110] B[110-200]');
});

test.each([
  [1000, 'RT[0-951] F[951-1000] RT[1000-1950] F[1950-2000] RT[2000-2950]'],
  [250, 'RT[0-952] F[952-1000] RT[1000-1952] F[1952-2000] RT[2000-2948] F[2948-3000] RT[3000-3952]'],
  [100, 'RT[0-960] F[960-1000] RT[1000-1950]'],
])('V27: RT throttling at HZ %i, the grid starting with the load', (hz, expected) => {
  const threads = [fifo('RT', 50, HOG), { name: 'F', program: HOG }];
  const ran = run({
    duration: '4s',
    machine: machine({ hz, rtThrottling: { runtime: '950ms', period: '1s' } }),
    threads,
  });
  expect(picture(ran).startsWith(expected)).toBe(true);
});

test.each([
  ['100ms', 'F[0-100] RT[100-1050] F[1050-1100] RT[1100-2050] F[2050-2100]'],
  ['120ms', 'F[0-120] RT[120-1070] F[1070-1120] RT[1120-2070] F[2070-2120]'],
])('V29: the fair server lets the fair hog run 950 ms after a FIFO hog, begun at %s, starves it', (start, expected) => {
  const threads = [{ name: 'F', program: HOG }, fifo('RT', 50, HOG, { start })];
  expect(picture(run({ duration: '3s', machine: machine({ kernel: '6.12' }), threads })).startsWith(expected)).toBe(
    true,
  );
});

test.each([
  [{ kernel: '6.12', fairServer: false }],
  [{ kernel: '7.2', fairServer: false }],
  [{ kernel: '6.1', rtThrottling: false }],
])('V31: without a safety net the fair task gets nothing in 10 s: %j', (over) => {
  const threads = [fifo('RT', 50, HOG), { name: 'F', start: '1ms', program: HOG }];
  expect(cpuTime(run({ duration: '10s', machine: machine({ hz: 250, ...over }), threads }), 'F')).toBe(0);
});

test('V32: RT push and placement on two CPUs', () => {
  const two = machine({ cpus: 2, kernel: '6.12', fairServer: false });
  const pushed = run({
    duration: '4ms',
    machine: two,
    threads: [fifo('ten', 10, HOG, { startCpu: 0 }), fifo('twenty', 20, HOG, { start: '1ms', startCpu: 0 })],
  });
  expect(picture(pushed, 9, 0)).toBe('ten[0-1] twenty[1-4]');
  expect(picture(pushed, 9, 1)).toBe('ten[1-4]');
  const weaker = run({
    duration: '4ms',
    machine: two,
    threads: [fifo('ten', 10, HOG, { startCpu: 0 }), fifo('five', 5, HOG, { start: '1ms', startCpu: 0 })],
  });
  expect(picture(weaker, 9, 0)).toBe('ten[0-4]');
  expect(picture(weaker, 9, 1)).toBe('five[1-4]');
  const fair = run({
    duration: '4ms',
    machine: two,
    threads: [
      { name: 'normal', startCpu: 0, cpus: [0], program: HOG },
      fifo('ten', 10, HOG, { start: '1ms', startCpu: 0 }),
    ],
  });
  // Preempts the fair task although CPU 1 is idle.
  expect(picture(fair, 9, 0)).toBe('normal[0-1] ten[1-4]');
  expect(picture(fair, 9, 1)).toBe('');
});

test('equal FIFO tasks, one more than CPUs: the last waits until one ends, without rotation', () => {
  const threads = [0, 1, 2].map((i) => fifo(`E${i}`, 30, [{ run: `${18 + i}ms` }]));
  const ran = run({ duration: '60ms', machine: machine({ cpus: 2 }), threads });
  expect(picture(ran, 9, 0)).toBe('E0[0-18] E2[18-38]');
  expect(picture(ran, 9, 1)).toBe('E1[0-19]');
});

test('lowering its own priority to that of a waiting equal keeps the CPU (head of the list)', () => {
  const threads = [
    fifo('lo', 60, [{ run: '10ms' }, { set: { priority: 50 } }, { run: '10ms' }]),
    fifo('eq', 50, [{ run: '10ms' }], { start: '2ms' }),
  ];
  expect(picture(run({ duration: '40ms', machine: machine({}), threads }))).toBe('lo[0-20] eq[20-30]');
});
