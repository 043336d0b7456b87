// The deadline class against the fact sheet (V33, V34, section 5) and the recorded kernels; the rest is arithmetic.

import { expect, test } from 'vitest';
import { cpuTime, picture, type Ran, run, stints } from '../../testing/scene.ts';
import { FindingKind, RecordKind } from '../../trace/records.ts';

const HOG = [{ run: 'forever' }];

function machine(over: object): object {
  return { cpus: 1, kernel: '6.12', hz: 1000, fairServer: false, ...over };
}

const dl = (name: string, runtime: string, period: string, program: unknown = HOG, more: object = {}) => ({
  name,
  policy: 'deadline',
  runtime,
  period,
  program,
  ...more,
});

const fifo = (name: string, priority: number, program: unknown = HOG, more: object = {}) => ({
  name,
  policy: 'fifo',
  priority,
  program,
  ...more,
});

function findings(ran: Ran): string[] {
  const list: string[] = [];
  const r = ran.records;
  for (let i = 0; i < r.count; i++) {
    const kind = Object.entries(FindingKind).find(([, code]) => code === r.a[i]);
    if (r.kind[i] === RecordKind.finding) list.push(`${kind?.[0]} ${ran.sim.tasks[r.task[i]!]?.name}`);
  }
  return list;
}

test.each([
  [1000, 'D[0-10] D[100-110] D[200-210] D[300-310]'],
  // Noticed at ticks of 4 ms; the excess is paid back.
  [250, 'D[0-12] D[100-108] D[200-212] D[300-308]'],
])('V33: a deadline hog of 10/100 ms at HZ %i', (hz, expected) => {
  for (const kernel of ['6.1', '6.6', '6.12'])
    expect(
      picture(run({ duration: '400ms', machine: machine({ hz, kernel }), threads: [dl('D', '10ms', '100ms')] })),
    ).toBe(expected);
});

test('7.2 ends the budget on time, whatever the tick (HRTICK_DL)', () => {
  const ran = run({
    duration: '300ms',
    machine: machine({ hz: 250, kernel: '7.2' }),
    threads: [dl('D', '10ms', '30ms'), { name: 'F', program: HOG }],
  });
  expect(picture(ran, 5)).toBe('D[0-10] F[10-30] D[30-40] F[40-60] D[60-70]');
});

test('recorded: 10/30 ms beside fair hogs runs in whole ticks on 6.12 and a third of the time on average', () => {
  const threads = [dl('D', '10ms', '30ms'), { name: 'F', program: HOG }];
  const ran = run({ duration: '3s', machine: machine({ hz: 250 }), threads });
  // 100 periods of 10 ms; the last may be over by less than a tick.
  expect(cpuTime(ran, 'D') / 1e6).toBeGreaterThanOrEqual(1000);
  expect(cpuTime(ran, 'D') / 1e6).toBeLessThanOrEqual(1004);
});

test.each([
  // Recorded stints at HZ 250: median and longest 10.725 and 12.725 ms on 6.1, 10.35 and 12.35 on 6.12, 10 and 10 on
  // 7.2. Ticks are 4 ms and the period is 30 ms, so that stints differ by 2 ms; the phase against the tick is the boot's.
  ['6.1', '1.275ms', 10.725, 12.725],
  ['6.12', '1.65ms', 10.35, 12.35],
  ['7.2', '1.65ms', 10, 10],
])('recorded on %s: the stints of a 10/30 ms hog beside two fair ones', (kernel, start, median, longest) => {
  const hog = (name: string) => ({ name, program: HOG });
  const threads = [hog('A'), hog('B'), dl('D', '10ms', '30ms', HOG, { start })];
  const ran = run({ duration: '600ms', machine: machine({ hz: 250, kernel }), threads });
  const lengths = stints(ran)
    .filter((stint) => stint.name === 'D')
    .map((stint) => (stint.toNs - stint.fromNs) / 1e6)
    .sort((a, b) => a - b);
  expect([lengths[Math.floor(lengths.length / 2)], lengths.at(-1)]).toEqual([median, longest]);
});

test.each(['6.1', '6.12', '7.2'])(
  'recorded on %s: jobs of 4 ms and sched_yield preempt a FIFO hog once a period',
  (kernel) => {
    const job = [{ repeat: 'forever', do: [{ run: '4ms' }, 'yield'] }];
    const ran = run({
      duration: '100ms',
      machine: machine({ hz: 250, kernel, rtThrottling: { runtime: '950ms', period: '1s' } }),
      threads: [dl('D', '10ms', '30ms', job), fifo('R', 50)],
    });
    expect(picture(ran, 7)).toBe('D[0-4] R[4-30] D[30-34] R[34-60] D[60-64] R[64-90] D[90-94]');
  },
);

test('earliest deadline first: the strictly earlier one preempts, an equal one does not', () => {
  const threads = [
    dl('late', '10ms', '40ms', [{ run: '8ms' }]),
    // At 2 ms its deadline is 22 ms, before 40 ms.
    dl('early', '5ms', '20ms', [{ run: '3ms' }], { start: '2ms' }),
    // At 4 ms its deadline is 40 ms too.
    dl('equal', '5ms', '36ms', [{ run: '1ms' }], { start: '4ms' }),
  ];
  expect(picture(run({ duration: '20ms', machine: machine({}), threads }))).toBe(
    'late[0-2] early[2-5] late[5-11] equal[11-12]',
  );
});

test('the wake-up rule: what is left is kept while it is no more than its share of the time left', () => {
  // 10/100: runs 5 ms, sleeps. Awake at 40 ms: 5 left of 60 ms to go is less than a tenth, so 5 ms it is, until 100.
  const keeps = [{ run: '5ms' }, { sleep: '35ms' }, { run: 'forever' }];
  expect(picture(run({ duration: '150ms', machine: machine({}), threads: [dl('D', '10ms', '100ms', keeps)] }))).toBe(
    'D[0-5] D[40-45] D[100-110]',
  );
  // Awake at 60 ms: 5 left of 40 ms to go is more than a tenth: a new period, 10 ms until 160.
  const renews = [{ run: '5ms' }, { sleep: '55ms' }, { run: 'forever' }];
  expect(picture(run({ duration: '165ms', machine: machine({}), threads: [dl('D', '10ms', '100ms', renews)] }))).toBe(
    'D[0-5] D[60-70] D[160-165]',
  );
});

test('a constrained task that wakes between its deadline and its next period waits for that', () => {
  const program = [{ run: '5ms' }, { sleep: '45ms' }, { run: 'forever' }];
  const threads = [{ ...dl('D', '10ms', '100ms', program), deadline: '40ms' }];
  expect(picture(run({ duration: '130ms', machine: machine({}), threads }))).toBe('D[0-5] D[100-110]');
});

test('a constrained task that wakes before its deadline with too much left gets its share of the rest', () => {
  // Q/D = 1/4. Awake at 30 ms with 5 ms left of 10: a quarter of the 10 ms to the deadline, 2.5 ms, noticed at the tick.
  const program = [{ run: '5ms' }, { sleep: '25ms' }, { run: 'forever' }];
  const threads = [{ ...dl('D', '10ms', '100ms', program), deadline: '40ms' }];
  expect(picture(run({ duration: '130ms', machine: machine({}), threads }))).toBe('D[0-5] D[30-33] D[100-110]');
});

test('V34: admission at a thread of its own: 0.5 + 0.4 are taken, 0.1 more is EBUSY and stays fair', () => {
  const becomes = (runtime: string) => [
    { set: { policy: 'deadline', runtime, deadline: '100ms', period: '100ms' } },
    { sleep: '500ms' },
  ];
  const threads = [
    dl('half', '50ms', '100ms', [{ sleep: '500ms' }]),
    { name: 'more', program: becomes('40ms') },
    { name: 'tooMuch', start: '1ms', program: becomes('10ms') },
  ];
  const on61 = run({ duration: '10ms', machine: machine({ kernel: '6.1' }), threads });
  expect(findings(on61)).toEqual(['admissionRefused tooMuch']);
  // With the fair server 0.01 more is too much; without it, it is not.
  const less = threads.map((t) => (t.name === 'tooMuch' ? { ...t, program: becomes('1ms') } : t));
  const server = { runtime: '50ms', period: '1s' };
  expect(findings(run({ duration: '10ms', machine: machine({ fairServer: server }), threads: less }))).toEqual([
    'admissionRefused tooMuch',
  ]);
  expect(findings(run({ duration: '10ms', machine: machine({}), threads: less }))).toEqual([]);
});

test('bandwidth comes free when a deadline thread ends', () => {
  const becomes = [
    { set: { policy: 'deadline', runtime: '50ms', deadline: '100ms', period: '100ms' } },
    { run: '1ms' },
  ];
  const threads = [dl('first', '90ms', '100ms', [{ run: '5ms' }]), { name: 'second', start: '10ms', program: becomes }];
  expect(findings(run({ duration: '20ms', machine: machine({}), threads }))).toEqual([]);
});

test('fork by a deadline thread is refused (EAGAIN)', () => {
  const threads = [
    dl('D', '5ms', '20ms', [{ fork: 'child' }]),
    { name: 'child', start: 'fork', program: [{ run: '1ms' }] },
  ];
  const ran = run({ duration: '20ms', machine: machine({}), threads });
  expect(findings(ran)).toEqual(['forkRefused D']);
  expect(picture(ran)).toBe('');
});

test('global EDF: of three deadline tasks on two CPUs the two with the earliest deadlines run', () => {
  const threads = [
    dl('a', '10ms', '50ms', [{ run: '10ms' }], { startCpu: 0 }),
    dl('b', '10ms', '40ms', [{ run: '6ms' }], { startCpu: 0 }),
    dl('c', '10ms', '30ms', [{ run: '10ms' }], { start: '2ms', startCpu: 0 }),
  ];
  const ran = run({ duration: '30ms', machine: machine({ cpus: 2 }), threads });
  // b (deadline 40) pushes a (50) away; c (32) pushes b away, which takes the CPU of a until it ends.
  expect(picture(ran, 9, 0)).toBe('b[0-2] c[2-12]');
  expect(picture(ran, 9, 1)).toBe('a[0-2] b[2-6] a[6-14]');
});

test('a deadline task that blocks on a PI lock lends its budget: the fair holder runs at once and is not throttled', () => {
  const holder = [{ lock: 'L' }, { run: '30ms' }, { unlock: 'L' }, { run: 'forever' }];
  const waiter = [{ lock: 'L' }, { run: '1ms' }, { unlock: 'L' }];
  const ran = run({
    duration: '60ms',
    machine: machine({}),
    locks: { L: { kind: 'pi' } },
    threads: [
      { name: 'H', program: holder },
      fifo('R', 50, HOG, { start: '5ms' }),
      dl('D', '5ms', '20ms', waiter, { start: '10ms' }),
    ],
  });
  // H has run 5 ms; at 10 ms it goes on with D's parameters (25 ms more, five times D's budget), then D.
  expect(picture(ran)).toBe('H[0-5] R[5-10] H[10-35] D[35-36] R[36-60]');
});

test('the waiter with the earliest deadline gets the PI lock first', () => {
  const waiter = [{ lock: 'L' }, { run: '1ms' }, { unlock: 'L' }];
  const ran = run({
    duration: '40ms',
    machine: machine({}),
    locks: { L: { kind: 'pi' } },
    threads: [
      { name: 'H', program: [{ lock: 'L' }, { run: '10ms' }, { unlock: 'L' }] },
      dl('late', '5ms', '40ms', waiter, { start: '1ms' }),
      dl('early', '5ms', '20ms', waiter, { start: '2ms' }),
    ],
  });
  expect(picture(ran)).toBe('H[0-1] H[1-2] H[2-10] early[10-11] late[11-12]');
});

test('the active fair server stands among deadline tasks by its deadline', () => {
  // Starved from 0, the server is active at 950 ms with deadline 1950 ms; D of 100/200 ms has earlier ones.
  const threads = [dl('D', '100ms', '200ms', HOG), fifo('R', 50), { name: 'F', program: HOG }];
  const server = { runtime: '50ms', period: '1s' };
  const ran = run({ duration: '1200ms', machine: machine({ fairServer: server }), threads });
  expect(picture(ran, 20)).toContain('D[800-900] R[900-950] F[950-1000] D[1000-1100] R[1100-1200]');
});

test('deadline time counts in the RT budget, and is not throttled by it (6.1)', () => {
  const throttling = { runtime: '50ms', period: '100ms' };
  const threads = [dl('D', '20ms', '100ms', HOG, { start: '1ms' }), fifo('R', 50, HOG), { name: 'F', program: HOG }];
  const ran = run({ duration: '100ms', machine: machine({ kernel: '6.1', rtThrottling: throttling }), threads });
  // R 1 ms, D 20, R until more than 50 ms are used: the tick of 51 ms.
  expect(picture(ran)).toBe('R[0-1] D[1-21] R[21-51] F[51-100]');
});

test('shared RT budgets: a hog borrows what the other CPU does not use', () => {
  const threads = [fifo('R', 50, HOG, { startCpu: 0 }), { name: 'F', startCpu: 0, cpus: [0], program: HOG }];
  const two = (share: boolean) =>
    machine({ kernel: '6.1', cpus: 2, rtThrottling: { runtime: '60ms', period: '100ms', share } });
  expect(picture(run({ duration: '100ms', machine: two(false), threads }), 2)).toBe('R[0-61] F[61-100]');
  // Half of the 60 ms that CPU 1 has: 90 ms, then half of the 30 left, but no more than the period.
  expect(picture(run({ duration: '100ms', machine: two(true), threads }), 2)).toBe('R[0-100]');
});

test('RLIMIT_RTTIME ends a real-time thread at the tick after its limit; sleeping begins the count anew', () => {
  const killed = run({
    duration: '400ms',
    machine: machine({ hz: 250 }),
    threads: [fifo('R', 50, HOG, { rttimeLimit: '200ms' }), { name: 'F', program: HOG }],
  });
  // 50 ticks are allowed; the 51st ends it.
  expect(picture(killed)).toBe('R[0-204] F[204-400]');
  expect(findings(killed)).toEqual(['rttimeKilled R']);
  const program = [{ repeat: 'forever', do: [{ run: '150ms' }, { sleep: '1ms' }] }];
  const sleeps = run({
    duration: '400ms',
    machine: machine({ hz: 250 }),
    threads: [fifo('R', 50, program, { rttimeLimit: '200ms' })],
  });
  expect(findings(sleeps)).toEqual([]);
});

test('RLIMIT_RTTIME counts a yielding spinner too', () => {
  const ran = run({
    duration: '400ms',
    machine: machine({ hz: 250, cpus: 1 }),
    locks: { L: { kind: 'spin', backoff: { kind: 'yield', cost: '4us' } } },
    threads: [
      { name: 'H', program: [{ lock: 'L' }, { run: '10ms' }, { unlock: 'L' }] },
      fifo('S', 50, [{ lock: 'L' }, { run: '1ms' }, { unlock: 'L' }], { start: '5ms', rttimeLimit: '100ms' }),
    ],
  });
  // From 5 ms: ticks 8, 12, … the 26th is at 108 ms; then the holder has its last 5 ms.
  expect(picture(ran)).toBe('H[0-5] S[5-108] H[108-113]');
});

test('catalogue 13: of four deadline threads of 10/20 ms on two CPUs the fourth is refused, with or without server', () => {
  const becomes = [{ set: { policy: 'deadline', runtime: '10ms', deadline: '20ms', period: '20ms' } }, { run: '1s' }];
  const threads = [0, 1, 2, 3].map((i) => ({ name: `d${i}`, start: `${i}ms`, program: becomes }));
  for (const fairServer of [false, { runtime: '50ms', period: '1s' }])
    expect(findings(run({ duration: '50ms', machine: machine({ cpus: 2, fairServer }), threads }))).toEqual([
      'admissionRefused d3',
    ]);
  // sched_rt_runtime_us = -1 switches admission off.
  expect(findings(run({ duration: '50ms', machine: machine({ cpus: 2, rtThrottling: false }), threads }))).toEqual([]);
});

test('the affinity of a deadline thread can not be narrowed', () => {
  const threads = [dl('D', '5ms', '20ms', [{ set: { cpus: [0] } }, { run: '1ms' }])];
  expect(findings(run({ duration: '10ms', machine: machine({ cpus: 2 }), threads }))).toEqual(['admissionRefused D']);
});

test('a fair task that runs again by itself after a turn of the server begins a new wait of 950 ms', () => {
  // The server helps F at [950-1000]; R sleeps [1100-1200], so that F runs without help; starved anew from 1200.
  const program = [{ run: '1050ms' }, { sleep: '100ms' }, { run: 'forever' }];
  const threads = [fifo('R', 50, program), { name: 'F', program: HOG }];
  const server = { runtime: '50ms', period: '1s' };
  const ran = run({ duration: '2300ms', machine: machine({ fairServer: server }), threads });
  expect(picture(ran)).toBe('R[0-950] F[950-1000] R[1000-1100] F[1100-1200] R[1200-2150] F[2150-2200] R[2200-2300]');
});

test('other numbers for the fair server hold from the instant that they are set', () => {
  const document = {
    duration: '1s',
    machine: machine({ fairServer: { runtime: '50ms', period: '1s' } }),
    threads: [fifo('R', 50), { name: 'F', program: HOG }],
    toggles: {
      server: {
        values: { own: {}, short: { machine: { fairServer: { runtime: '20ms', period: '100ms' } } } },
        default: 'own',
      },
    },
    interventions: [{ at: '500ms', set: { server: 'short' } }],
  };
  // 50 ms of budget in the 500 ms left are no more than the new share of a fifth: both stay, the alarm is at 950 ms.
  expect(picture(run(document))).toBe('R[0-950] F[950-970] R[970-1000]');
});

test('a lender keeps an owner in the deadline class when the owner loses its own deadline policy', () => {
  const document = {
    duration: '40ms',
    machine: machine({}),
    locks: { L: { kind: 'pi' } },
    threads: [
      dl('H', '10ms', '50ms', [{ lock: 'L' }, { run: '8ms' }, { unlock: 'L' }, { run: '5ms' }]),
      dl('D', '5ms', '20ms', [{ lock: 'L' }, { run: '1ms' }, { unlock: 'L' }], { start: '2ms' }),
      fifo('R', 50, [{ run: '10ms' }], { start: '3ms' }),
    ],
    toggles: {
      h: {
        values: { dl: {}, fair: { threads: { H: { policy: 'other', runtime: null, period: null } } } },
        default: 'dl',
      },
    },
    interventions: [{ at: '4ms', set: { h: 'fair' } }],
  };
  expect(picture(run(document))).toBe('H[0-2] H[2-8] D[8-9] R[9-19] H[19-24]');
});

test('6.6 throttles real-time tasks as 6.1 does (V27), and has no fair server', () => {
  const ran = run({
    duration: '2s',
    machine: { cpus: 1, hz: 250, kernel: '6.6', rtThrottling: { runtime: '950ms', period: '1s' } },
    threads: [fifo('RT', 50), { name: 'F', program: HOG }],
  });
  expect(picture(ran)).toBe('RT[0-952] F[952-1000] RT[1000-1952] F[1952-2000]');
});

test('a real-time task that a deadline task preempts is pushed to a CPU that runs something weaker', () => {
  const threads = [
    fifo('R', 50, [{ run: '10ms' }], { startCpu: 0 }),
    dl('D', '5ms', '20ms', [{ run: '4ms' }], { start: '2ms', startCpu: 0 }),
    { name: 'F', cpus: [1], program: HOG },
  ];
  const ran = run({ duration: '15ms', machine: machine({ cpus: 2 }), threads });
  expect(picture(ran, 9, 0)).toBe('R[0-2] D[2-6]');
  expect(picture(ran, 9, 1)).toBe('F[0-2] R[2-10] F[10-15]');
});

test.each([
  ['6.12', 'A[0-6]', 'B[0-3] R[3-5]'],
  // Before 6.7 a CPU with a single RT task is not overloaded, and nobody pulls from it.
  ['6.6', 'A[0-6] R[6-8]', 'B[0-3]'],
])('%s: a CPU whose deadline task ends and a real-time task that waits behind another one', (kernel, cpu0, cpu1) => {
  const threads = [
    dl('A', '6ms', '20ms', [{ run: '6ms' }], { startCpu: 0 }),
    dl('B', '6ms', '20ms', [{ run: '3ms' }], { startCpu: 1 }),
    fifo('R', 50, [{ run: '2ms' }], { start: '1ms', startCpu: 0 }),
  ];
  const ran = run({ duration: '10ms', machine: machine({ cpus: 2, kernel }), threads });
  expect(picture(ran, 9, 0)).toBe(cpu0);
  expect(picture(ran, 9, 1)).toBe(cpu1);
});
