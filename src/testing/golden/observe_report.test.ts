import { expect, test } from 'vitest';
import { observeReport, sleepsOfLog } from './observe_report.ts';

// Lines as trace-cmd 3.1.6 prints them, from a recording of pi-reweight-short on 6.12, shortened.
const REPORT = `cpus=1
            main-242   [000]     9.565316671: print:                0xffffffff8121cdea: lab: workload pi-reweight
            main-242   [000]     9.565323534: print:                0xffffffff8121cdea: lab: thread main tid=242 policy=OTHER prio=0
            main-242   [000]     9.565510541: sched_switch:         main:242 [120] S ==> main:243 [120]
             low-243   [000]     9.565525130: print:                0xffffffff8121cdea: lab: thread low tid=243 policy=OTHER prio=10
             low-243   [000]     9.565527139: print:                0xffffffff8121cdea: lab: lock_req low m
             low-243   [000]     9.565529179: print:                0xffffffff8121cdea: lab: lock_acq low m
             low-243   [000]     9.565658231: sched_waking:         comm=main pid=242 prio=120 target_cpu=000
             low-243   [000]     9.565660828: sched_wakeup:         main:242 [120] CPU:000
             low-243   [000]     9.565663475: sched_switch:         low:243 [130] R ==> main:242 [120]
            main-242   [000]     9.572014742: sched_switch:         main:242 [120] R ==> ksoftirqd/0:17 [120]
     ksoftirqd/0-17    [000]     9.572041560: sched_switch:         ksoftirqd/0:17 [120] S ==> main:242 [120]
            main-242   [000]     9.588005048: sched_switch:         main:242 [120] R+ ==> low:243 [130]
             low-243   [000]     9.588105048: sched_pi_setprio:     comm=low pid=243 oldprio=130 newprio=120
             low-243   [000]     9.592005174: print:                0xffffffff8121cdea: lab: lock_rel low m
`;

test('a report becomes stints, named by the thread marks', () => {
  const { observation } = observeReport(REPORT, '');
  expect(observation.stints).toEqual([
    { thread: 'main', cpu: 0, fromNs: 0, toNs: 193_870, endedBy: 'sleeping' },
    { thread: 'low', cpu: 0, fromNs: 193_870, toNs: 346_804, endedBy: 'runnable' },
    { thread: 'main', cpu: 0, fromNs: 346_804, toNs: 6_698_071, endedBy: 'runnable' },
    { thread: 'main', cpu: 0, fromNs: 6_724_889, toNs: 22_688_377, endedBy: 'runnable' },
    { thread: 'low', cpu: 0, fromNs: 22_688_377, toNs: 26_688_503, endedBy: 'open' },
  ]);
});

test('latency counts from sched_waking to the switch', () => {
  expect(observeReport(REPORT, '').observation.wakeups).toEqual([{ thread: 'main', atNs: 341_560, latencyNs: 5_244 }]);
});

test('lock marks become calls and sched_pi_setprio becomes a boost', () => {
  const { observation } = observeReport(REPORT, '');
  expect(observation.locks).toEqual([
    { thread: 'low', lock: 'm', askedNs: 210_468, acquiredNs: 212_508, releasedNs: 26_688_503 },
  ]);
  expect(observation.boosts).toEqual(['low 130->120']);
});

test('counts of the slow path are read from its marks', () => {
  const report = `cpus=4
   x-1 [001] 5.000000000: print: 0x0: lab: workload bmalloc
   x-1 [001] 5.000001000: print: 0x0: lab: thread vqueue:src tid=1 policy=FIFO prio=50
   x-1 [001] 5.000002000: print: 0x0: lab: lock_req vqueue:src bmalloc
   x-1 [001] 5.000009000: print: 0x0: lab: lock_abort vqueue:src bmalloc iters=680431 wall_us=7 cpu_us=7
`;
  expect(observeReport(report, '').observation.locks).toEqual([
    { thread: 'vqueue:src', lock: 'bmalloc', askedNs: 2_000, abortedNs: 9_000, iterations: 680_431 },
  ]);
});

test('elapsed times of usleep come from the program itself', () => {
  const log = 'RES usleep fair req_us=125 min=181.6 p50=181.7 p90=181.8 p99=182.5 max=182.7 mean=181.7\nRES other';
  expect(sleepsOfLog(log)).toEqual([{ phase: 'fair_125', n: 200, minNs: 181_600, p50Ns: 181_700, maxNs: 182_700 }]);
});
