import fc from 'fast-check';
import { expect, test } from 'vitest';
import { clampViewport, fitViewport, MIN_SPAN_NS, panBy, reveal, zoomBy } from './viewport.ts';

const HOUR_NS = 3_600_000_000_000;
const time = fc.integer({ min: 0, max: HOUR_NS });
const viewports = fc
  .tuple(time, fc.integer({ min: MIN_SPAN_NS, max: HOUR_NS }))
  .map(([t0Ns, spanNs]) => ({ t0Ns, t1Ns: t0Ns + spanNs }));
const SEED = { seed: 20261130 };

test('zooming keeps the instant under the pointer where it is', () => {
  fc.assert(
    fc.property(
      viewports,
      fc.double({ min: 0.01, max: 100, noNaN: true }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (v, factor, at) => {
        const aboutNs = v.t0Ns + at * (v.t1Ns - v.t0Ns);
        const zoomed = zoomBy(v, factor, aboutNs);
        const after = (aboutNs - zoomed.t0Ns) / (zoomed.t1Ns - zoomed.t0Ns);
        // At 1 µs of an hour a float still tells 0.001 ns apart: 1e-6 of the view.
        expect(Math.abs(after - at)).toBeLessThan(1e-5);
      },
    ),
    SEED,
  );
});

test('zooming in and out again gives the same view', () => {
  fc.assert(
    fc.property(viewports, fc.double({ min: 1, max: 50, noNaN: true }), (v, factor) => {
      const middleNs = (v.t0Ns + v.t1Ns) / 2;
      const back = zoomBy(zoomBy(v, 1 / factor, middleNs), factor, middleNs);
      expect(Math.abs(back.t0Ns - v.t0Ns)).toBeLessThan(1);
      expect(Math.abs(back.t1Ns - v.t1Ns)).toBeLessThan(1);
    }),
    SEED,
  );
});

test('a view is never narrower than 1 µs and never wholly beside the data', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: -HOUR_NS, max: 2 * HOUR_NS }),
      fc.integer({ min: -10, max: 3 * HOUR_NS }),
      time,
      (t0Ns, spanNs, toNs) => {
        const v = clampViewport({ t0Ns, t1Ns: t0Ns + spanNs }, { fromNs: 0, toNs });
        // The ends are sums of floats of an hour's size.
        expect(v.t1Ns - v.t0Ns).toBeGreaterThanOrEqual(MIN_SPAN_NS - 0.01);
        expect(v.t0Ns).toBeLessThan(Math.max(toNs, MIN_SPAN_NS));
        expect(v.t1Ns).toBeGreaterThan(0);
      },
    ),
    SEED,
  );
});

test('clamping a view that is allowed changes nothing, and clamping twice is clamping once', () => {
  fc.assert(
    fc.property(viewports, (v) => {
      const bounds = { fromNs: 0, toNs: HOUR_NS };
      const once = clampViewport(v, bounds);
      const twice = clampViewport(once, bounds);
      expect(Math.abs(twice.t0Ns - once.t0Ns)).toBeLessThan(0.01);
      expect(Math.abs(twice.t1Ns - once.t1Ns)).toBeLessThan(0.01);
      if (v.t1Ns <= HOUR_NS) expect(Math.abs(once.t0Ns - v.t0Ns)).toBeLessThan(0.01);
    }),
    SEED,
  );
});

test('a view without numbers becomes the whole', () => {
  expect(clampViewport({ t0Ns: Number.NaN, t1Ns: 5 }, { fromNs: 0, toNs: 1_000_000 })).toEqual({
    t0Ns: 0,
    t1Ns: 1_000_000,
  });
});

test('panning by a half moves by half of the width', () => {
  expect(panBy({ t0Ns: 1_000, t1Ns: 3_000 }, 0.5)).toEqual({ t0Ns: 2_000, t1Ns: 4_000 });
});

test('fitting leaves the margin on both sides', () => {
  expect(fitViewport(10_000, 20_000, 0.1)).toEqual({ t0Ns: 9_000, t1Ns: 21_000 });
  expect(fitViewport(5_000, 5_000)).toEqual({ t0Ns: 4_500, t1Ns: 5_500 });
});

test('revealing moves only as far as needed', () => {
  const v = { t0Ns: 10_000, t1Ns: 20_000 };
  expect(reveal(v, 15_000)).toBe(v);
  expect(reveal(v, 25_000)).toEqual({ t0Ns: 16_000, t1Ns: 26_000 });
  expect(reveal(v, 5_000)).toEqual({ t0Ns: 4_000, t1Ns: 14_000 });
});
