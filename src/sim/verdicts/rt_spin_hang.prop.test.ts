// The verdict follows from the state, never from names or from one set of numbers: values drawn per run, what to
// expect worked out by arithmetic. Seeds print on failure.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cpuTime, run, stints } from '../../testing/scene.ts';

/** A box of `cpus` CPUs: the holder on CPU 0, spinners one after another, each 1 ms apart, the last on the holder's CPU. */
interface Box {
  readonly cpus: number;
  readonly spinners: number;
  readonly shiftNs: number;
  readonly holdNs: number;
  readonly names: readonly string[];
  readonly hz: number;
}

const BOX: fc.Arbitrary<Box> = fc.record({
  cpus: fc.integer({ min: 2, max: 6 }),
  spinners: fc.integer({ min: 1, max: 7 }),
  shiftNs: fc.integer({ min: 0, max: 5_000_000 }),
  holdNs: fc.integer({ min: 9_000_000, max: 30_000_000 }),
  names: fc.uniqueArray(fc.stringMatching(/^[a-z][a-z0-9:]{0,12}$/), { minLength: 8, maxLength: 8 }),
  hz: fc.constantFrom(100, 250, 300, 1000),
});

const START_NS = 5_000_000;

/** No more than CPUs: two yielders on one CPU switch every 4 us, which is right but slow to test. */
function spinnersOf(box: Box): number {
  return Math.min(box.spinners, box.cpus);
}

function documentOf(box: Box, machine: object): object {
  const ns = (x: number) => `${x + box.shiftNs}ns`;
  return {
    duration: '2s',
    machine: { cpus: box.cpus, hz: box.hz, ...machine },
    locks: { [box.names[7]!]: { kind: 'spin', backoff: { kind: 'yield', cost: '4.02us' } } },
    threads: [
      {
        name: box.names[0],
        start: ns(START_NS),
        program: [
          { lock: box.names[7] },
          { run: `${box.holdNs}ns` },
          { unlock: box.names[7] },
          { mark: 'released' },
          { sleep: '10s' },
        ],
      },
      ...Array.from({ length: spinnersOf(box) }, (_, i) => ({
        name: box.names[1 + i],
        policy: 'fifo',
        priority: 50,
        start: ns(START_NS + (i + 1) * 1_000_000),
        program: [{ lock: box.names[7] }, { run: '20us' }, { unlock: box.names[7] }, { sleep: '10s' }],
      })),
    ],
  };
}

/** The holder takes CPU 0; the first spinners take the idle CPUs 1, 2, …; the one after that preempts the holder. */
function hangAtNs(box: Box): number | undefined {
  const spinners = spinnersOf(box);
  return spinners >= box.cpus ? START_NS + box.shiftNs + box.cpus * 1_000_000 : undefined;
}

test('without a safety net the box hangs for ever exactly when there are as many spinners as CPUs, from the instant of the last one', () => {
  fc.assert(
    fc.property(BOX, (box) => {
      const ran = run(documentOf(box, { kernel: '6.1', rtThrottling: false }));
      const at = hangAtNs(box);
      const hangs = ran.verdicts.filter((v) => v.kind === 'rt-spin-hang');
      if (at === undefined) {
        expect(hangs).toEqual([]);
        expect(cpuTime(ran, box.names[0]!)).toBe(box.holdNs);
        return;
      }
      expect(hangs.map((v) => [v.fromNs, v.forever, v.tasks[0]])).toEqual([[at, true, 0]]);
      expect(hangs[0]!.tasks.length).toBe(1 + box.cpus);
      expect(cpuTime(ran, box.names[0]!)).toBe(box.cpus * 1_000_000);
    }),
    { numRuns: 30 },
  );
});

test('with the fair server the holder runs 950 ms after it began to starve', () => {
  fc.assert(
    fc.property(BOX, fc.constantFrom('6.12', '7.2'), (box, kernel) => {
      const at = hangAtNs(box);
      if (at === undefined) return;
      const ran = run(documentOf(box, { kernel }));
      const back = stints(ran, 0).find((s) => s.name === box.names[0] && s.fromNs > at);
      // The server was armed when the holder became runnable, and counts its CPU time: alarm at start + 950 + what it ran.
      expect(back?.fromNs).toBe(at + 950_000_000);
      const stall = ran.verdicts.find((v) => v.kind === 'rt-spin-hang');
      expect([stall?.fromNs, stall?.toNs, stall?.forever]).toEqual([at, at + 950_000_000, false]);
    }),
    { numRuns: 20 },
  );
});

test('with throttling on 6.1 the holder runs at the first tick at which its CPU, or another, has had more than 950 ms of real-time', () => {
  fc.assert(
    fc.property(BOX, (box) => {
      const at = hangAtNs(box);
      if (at === undefined) return;
      const ran = run(documentOf(box, { kernel: '6.1', rtThrottling: { runtime: '950ms', period: '1s' } }));
      // Ticks that come more than 950 ms after a spinner began. The first spinner began first, but a throttled CPU
      // without a fair thread idles; the holder's own CPU frees it, or an idle one pulls it as newly idle.
      const tickNs = Math.round(1e9 / box.hz);
      const firstSpinnerNs = START_NS + box.shiftNs + 1_000_000;
      const firstThrottleNs = (Math.floor((firstSpinnerNs + 950_000_000) / tickNs) + 1) * tickNs;
      const ownThrottleNs = (Math.floor((at + 950_000_000) / tickNs) + 1) * tickNs;
      const first = Math.min(
        ...Array.from({ length: box.cpus }, (_, cpu) => cpu).flatMap((cpu) =>
          stints(ran, cpu)
            .filter((s) => s.name === box.names[0] && s.fromNs > at)
            .map((s) => s.fromNs),
        ),
      );
      expect(first).toBeGreaterThanOrEqual(firstThrottleNs);
      expect(first).toBeLessThanOrEqual(ownThrottleNs);
    }),
    { numRuns: 20 },
  );
});

test('a back-off that sleeps never hangs, whatever the box', () => {
  fc.assert(
    fc.property(BOX, fc.integer({ min: 20, max: 1000 }), (box, sleepUs) => {
      const document = documentOf(box, { kernel: '6.1', rtThrottling: false }) as { locks: Record<string, object> };
      document.locks[box.names[7]!] = { kind: 'spin', backoff: { kind: 'sleep', for: `${sleepUs}us`, cost: '7.3us' } };
      const ran = run(document);
      expect(ran.verdicts.filter((v) => v.kind === 'rt-spin-hang')).toEqual([]);
      expect(cpuTime(ran, box.names[0]!)).toBe(box.holdNs);
    }),
    { numRuns: 20 },
  );
});
