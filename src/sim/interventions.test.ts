// A flip while it runs: after all events of its instant; the holder stays holder; what had begun is finished.

import { expect, test } from 'vitest';
import type { JsonObject } from '../scenario/document.ts';
import { libraryDocument } from '../scenario/library/library.ts';
import { resolve } from '../scenario/resolve.ts';
import { cpuTime, picture, type Ran, run, runScenario, stints } from '../testing/scene.ts';
import { RecordKind } from '../trace/records.ts';

/** The hang of story 1 with flips at instants. */
function flipped(...flips: { at: string; set: Record<string, string> }[]): Ran {
  const resolved = resolve(libraryDocument('bmalloc-hang') as JsonObject, {}, flips);
  if (!resolved.ok) throw new Error(JSON.stringify(resolved.error));
  return runScenario(resolved.value, 50);
}

/** Instant at which the lock was first released. */
function releasedNs(ran: Ran): number {
  const r = ran.records;
  for (let i = 0; i < r.count; i++) if (r.kind[i] === RecordKind.lockRelease) return r.tsNs[i]!;
  return -1;
}

test.each([
  // At 100 ms the spinners' next turn ends within 4.02 us, then they sleep; the holder has 4 ms left.
  ['usleep150', 104_000_000, 104_700_000],
  // Sleeping at once in the kernel: the holder runs 4 ms from the flip.
  ['futex', 104_000_000, 104_020_000],
  ['pi', 104_000_000, 104_020_000],
])('back-off %s at 100 ms clears the hang', (backoff, earliest, latest) => {
  const ran = flipped({ at: '100ms', set: { backoff } });
  expect(releasedNs(ran)).toBeGreaterThanOrEqual(earliest);
  expect(releasedNs(ran)).toBeLessThanOrEqual(latest);
  const hang = ran.verdicts.find((v) => v.kind === 'rt-spin-hang');
  expect([hang?.fromNs, hang?.forever]).toEqual([9_000_000, false]);
  expect(hang!.toNs).toBeGreaterThanOrEqual(100_000_000);
  expect(hang!.toNs).toBeLessThanOrEqual(100_005_000);
  expect(cpuTime(ran, 'WebProcess', 9_000_000, 100_000_000)).toBe(0);
});

test('taking the real-time priorities away at 100 ms lets the holder share its CPU', () => {
  const ran = flipped({ at: '100ms', set: { rt: 'off' } });
  const first = stints(ran, 0).find((s) => s.name === 'WebProcess' && s.fromNs >= 100_000_000);
  expect(first).toBeDefined();
  expect(releasedNs(ran)).toBeGreaterThan(104_000_000);
  expect(ran.verdicts.find((v) => v.kind === 'rt-spin-hang')?.forever).toBe(false);
});

test('throttling switched on at 100 ms charges real-time tasks from then on', () => {
  const ran = flipped({ at: '100ms', set: { throttling: 'on' } });
  // 950 ms of real-time from 100 ms: exceeded at the tick of 1052 ms; the holder has 4 ms left.
  // It runs there, or on another CPU that the same tick throttles and that pulls it as newly idle.
  const back = [0, 1, 2, 3].flatMap((cpu) =>
    stints(ran, cpu).filter((s) => s.name === 'WebProcess' && s.fromNs > 9_000_000),
  );
  expect(Math.min(...back.map((s) => s.fromNs))).toBe(1_052_000_000);
});

test('a hang that throttling ends was ended by throttling, though a flip switched that on', () => {
  const hang = flipped({ at: '100ms', set: { throttling: 'on' } }).verdicts.find((v) => v.kind === 'rt-spin-hang')!;
  const acting = hang.facts.filter((f) => f.fact === 'rescue' && f.state === 'acts');
  expect(acting).toEqual([{ fact: 'rescue', by: 'rt-throttling', state: 'acts', atNs: 1_052_000_000 }]);
});

test('to yield and back: two flips, the second makes the hang again only if the holder still holds', () => {
  const ran = flipped({ at: '100ms', set: { backoff: 'usleep150' } }, { at: '102ms', set: { backoff: 'yield' } });
  const hangs = ran.verdicts.filter((v) => v.kind === 'rt-spin-hang');
  expect(hangs.length).toBe(2);
  expect(hangs[1]!.forever).toBe(true);
  // Sleepers wake within 150 us of the second flip and then spin for good.
  expect(hangs[1]!.fromNs).toBeLessThanOrEqual(102_200_000);
  expect(picture(ran, 99, 0)).toMatch(/-2000\]$/);
});

test.each(['ideal', 'server'])(
  'a queued real-time thread that becomes a fair one is weighed once (costs %s)',
  (costs) => {
    const document = {
      duration: '20ms',
      machine: { costs },
      threads: [
        { name: 'a', policy: 'fifo', priority: 16, program: [{ run: '1ms' }] },
        { name: 'hog', policy: 'rr', priority: 76, program: [{ run: '3ms' }] },
        { name: 'fair', nice: -1, program: [{ run: '1ms' }] },
      ],
      toggles: {
        flip: { values: { off: {}, on: { threads: { a: { policy: 'other', nice: 16 } } } }, default: 'off' },
      },
      interventions: [{ at: '1ms', set: { flip: 'on' } }],
    };
    // Invariants are checked after each event; three threads of 5 ms together end.
    const ran = run(document, {}, 1);
    expect(['a', 'hog', 'fair'].map((name) => cpuTime(ran, name) >= 1_000_000)).toEqual([true, true, true]);
  },
);
