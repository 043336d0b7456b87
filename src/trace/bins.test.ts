import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Bins, createBins, fillBins } from './bins.ts';
import type { SegmentChunk } from './chunks.ts';
import { NONE } from './ids.ts';
import { appendRows, createLaneColumns } from './lane_columns.ts';
import { createPyramid, extendPyramid, keyOf, type LanePyramid } from './lod.ts';
import { createSegmentRows, pushSegmentRow } from './segment_rows.ts';
import { type LaneKind, SegKind, type SegmentColumns } from './segments.ts';

interface Piece {
  readonly ns: number;
  readonly kind: number;
  readonly who: number;
  readonly prio: number;
}

interface Lane {
  readonly laneKind: LaneKind;
  readonly cols: SegmentColumns;
  readonly pyramid: LanePyramid;
  readonly endNs: number;
}

/** A lane whose rows came in `chunks` pieces, the pyramid extended after each. */
function laneOf(laneKind: LaneKind, pieces: readonly Piece[], chunks = 3): Lane {
  const rows = createSegmentRows();
  let t = 0;
  for (const piece of pieces) {
    pushSegmentRow(rows, 0, t, piece.kind, 0, piece.who, piece.prio, 0, NONE, NONE);
    t += piece.ns;
  }
  const cols = createLaneColumns(0);
  const pyramid = createPyramid(laneKind);
  const size = Math.max(1, Math.ceil(pieces.length / chunks));
  for (let from = 0; from < pieces.length; from += size) {
    appendRows(cols, rows as SegmentChunk, from, Math.min(pieces.length, from + size), 0);
    extendPyramid(pyramid, cols);
  }
  return { laneKind, cols, pyramid, endNs: t };
}

interface Naive {
  busy: number;
  spin: number;
  rt: number;
  count: number;
  byKey: Map<number, number>;
}

/** The bin [fromNs, toNs) by going through all rows. */
function naiveBin(lane: Lane, fromNs: number, toNs: number): Naive {
  const { cols, laneKind } = lane;
  const sums: Naive = { busy: 0, spin: 0, rt: 0, count: 0, byKey: new Map() };
  for (let row = 0; row < cols.count; row++) {
    const end = row + 1 < cols.count ? cols.startNs[row + 1]! : lane.endNs;
    const ns = Math.min(end, toNs) - Math.max(cols.startNs[row]!, fromNs);
    if (ns <= 0) continue;
    sums.count++;
    const kind = cols.kind[row]!;
    const onCpu = kind === SegKind.run || kind === SegKind.spin || kind === SegKind.held || kind === SegKind.irq;
    const busy = laneKind === 'lockWait' ? kind !== SegKind.absent : onCpu;
    if (busy) sums.busy += ns;
    if (kind === SegKind.spin) sums.spin += ns;
    if (busy && cols.prio[row]! >= 0 && cols.prio[row]! < 100) sums.rt += ns;
    const key = keyOf(laneKind, kind, cols.who[row]!);
    if (key !== NONE) sums.byKey.set(key, (sums.byKey.get(key) ?? 0) + ns);
  }
  return sums;
}

function fill(lane: Lane, t0: number, t1: number, bins: number): Bins {
  const out = createBins(bins);
  fillBins(lane.pyramid, lane.cols, lane.endNs, t0, t1, bins, out);
  return out;
}

const cpuPiece: fc.Arbitrary<Piece> = fc.record({
  ns: fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 5000 })),
  kind: fc.constantFrom(SegKind.run, SegKind.spin, SegKind.idle),
  who: fc.nat({ max: 300 }),
  prio: fc.constantFrom(-1, 0, 89, 99, 100, 120, 140),
});
const threadPiece: fc.Arbitrary<Piece> = fc.record({
  ns: fc.integer({ min: 1, max: 200 }),
  kind: fc.constantFrom(SegKind.run, SegKind.spin, SegKind.runnable, SegKind.sleep, SegKind.blocked, SegKind.absent),
  who: fc.constant(0),
  prio: fc.constantFrom(89, 120),
});

test('where every row is wider than its bin, bins say exactly what a count of all rows says', () => {
  fc.assert(
    fc.property(
      fc.array(cpuPiece, { minLength: 1, maxLength: 200 }),
      fc.integer({ min: 1, max: 40 }),
      (pieces, bins) => {
        const wide = pieces.map((piece) => ({ ...piece, ns: piece.ns * 1000 }));
        const lane = laneOf('cpu', wide);
        const t0 = Math.floor(lane.endNs / 3);
        const width = 900;
        const out = fill(lane, t0, t0 + width * bins, bins);
        for (let bin = 0; bin < bins; bin++) {
          const naive = naiveBin(lane, t0 + bin * width, t0 + (bin + 1) * width);
          expect(out.busy[bin]).toBeCloseTo(naive.busy / width, 5);
          expect(out.spin[bin]).toBeCloseTo(naive.spin / width, 5);
          expect(out.rt[bin]).toBeCloseTo(naive.rt / width, 5);
          expect(out.count[bin]).toBe(naive.count);
          const most = Math.max(0, ...naive.byKey.values());
          expect(out.keyShare[bin]).toBeCloseTo(most / width, 5);
          if (most > 0) expect(naive.byKey.get(out.key[bin]!)).toBe(most);
          else expect(out.key[bin]).toBe(NONE);
        }
      },
    ),
    { numRuns: 100 },
  );
});

test.each(['cpu', 'thread'] as const)(
  'over any range of a %s lane no time is lost or made up, however much is merged',
  (laneKind) => {
    const piece = laneKind === 'cpu' ? cpuPiece : threadPiece;
    const anyRange = fc.tuple(
      fc.double({ min: 0, max: 0.9, noNaN: true }),
      fc.double({ min: 0.001, max: 1, noNaN: true }),
    );
    fc.assert(
      fc.property(
        fc.array(piece, { minLength: 1, maxLength: 2000 }),
        anyRange,
        fc.integer({ min: 1, max: 60 }),
        (pieces, range, bins) => {
          const lane = laneOf(laneKind, pieces);
          const t0 = lane.endNs * range[0];
          const t1 = t0 + Math.max(1, lane.endNs * range[1]);
          const width = (t1 - t0) / bins;
          const out = fill(lane, t0, t1, bins);
          const sum = (column: Float32Array) => column.reduce((total, share) => total + share, 0) * width;
          const naive = naiveBin(lane, t0, t1);
          // Rounding of float32 sums, and blocks no longer than a bin that are cut by the range's two ends.
          const slack = lane.endNs * 1e-4 + 2 * width;
          expect(Math.abs(sum(out.busy) - naive.busy)).toBeLessThan(slack);
          expect(Math.abs(sum(out.spin) - naive.spin)).toBeLessThan(slack);
          expect(Math.abs(sum(out.rt) - naive.rt)).toBeLessThan(slack);
          for (let bin = 0; bin < bins; bin++) {
            expect(out.busy[bin]).toBeLessThan(1.0001);
            expect(out.keyShare[bin]).toBeLessThan(1.0001);
          }
        },
      ),
      { numRuns: 60 },
    );
  },
);

test('a bin knows the thread with most time in it, found through the pyramid', () => {
  // In each thousand of ns thread 7 runs 600, threads 0..3 the rest in turns.
  const pieces: Piece[] = [];
  for (let i = 0; i < 5000; i++) {
    pieces.push(
      { ns: 600, kind: SegKind.run, who: 7, prio: 120 },
      { ns: 400, kind: SegKind.run, who: i & 3, prio: 89 },
    );
  }
  const out = fill(laneOf('cpu', pieces), 0, 5_000_000, 10);
  expect([...out.key]).toEqual(Array(10).fill(7));
  for (const share of out.keyShare) expect(share).toBeCloseTo(0.6, 2);
  for (const share of out.rt) expect(share).toBeCloseTo(0.4, 2);
  for (const count of out.count) {
    expect(count).toBeGreaterThan(990);
    expect(count).toBeLessThan(1010);
  }
});

test('a duty of four per cent is neither lost nor blown up when seen from afar', () => {
  const pieces: Piece[] = [];
  for (let i = 0; i < 10_000; i++) {
    pieces.push({ ns: 4, kind: SegKind.spin, who: 1, prio: 89 }, { ns: 96, kind: SegKind.idle, who: NONE, prio: 140 });
  }
  const out = fill(laneOf('cpu', pieces), 0, 1_000_000, 100);
  for (let bin = 0; bin < 100; bin++) {
    expect(out.spin[bin]).toBeCloseTo(0.04, 3);
    expect(out.key[bin]).toBe(1);
  }
});

test('thread lanes are merged by state, wait lanes by how one waits, lock lanes by holder', () => {
  const both = (kind: number, other: number, who: number): Piece[] =>
    Array.from({ length: 400 }, (_, i) =>
      i % 2 === 0 ? { ns: 7, kind, who, prio: 120 } : { ns: 3, kind: other, who: NONE, prio: 140 },
    );
  expect(fill(laneOf('thread', both(SegKind.sleep, SegKind.run, NONE)), 0, 2000, 1).key[0]).toBe(SegKind.sleep);
  const wait = fill(laneOf('lockWait', both(SegKind.blocked, SegKind.absent, 3)), 0, 2000, 1);
  expect(wait.key[0]).toBe(SegKind.blocked);
  expect(wait.busy[0]).toBeCloseTo(0.7, 3);
  const lock = fill(laneOf('lock', both(SegKind.free, SegKind.held, 3)), 0, 2000, 1);
  expect(lock.busy[0]).toBeCloseTo(0.3, 3);
});

test('beyond the watermark bins are empty, and so are all bins of an empty range or lane', () => {
  const lane = laneOf('cpu', [{ ns: 100, kind: SegKind.run, who: 1, prio: 120 }]);
  const out = fill(lane, 0, 200, 4);
  expect([...out.count]).toEqual([1, 1, 0, 0]);
  expect([...out.busy]).toEqual([1, 1, 0, 0]);
  expect([...fill(lane, 50, 50, 2).count]).toEqual([0, 0]);
  expect([...fill(laneOf('cpu', []), 0, 10, 2).count]).toEqual([0, 0]);
});

test('one bin after another of the same width gives the same as all at once', () => {
  const pieces = Array.from(
    { length: 3000 },
    (_, i): Piece => ({
      ns: 1 + ((i * 37) % 90),
      kind: i % 3 === 0 ? SegKind.idle : SegKind.run,
      who: i % 5,
      prio: 120,
    }),
  );
  const lane = laneOf('cpu', pieces);
  const width = 1500;
  const all = fill(lane, 0, width * 20, 20);
  let busy = 0;
  for (let bin = 0; bin < 20; bin++) busy += fill(lane, bin * width, (bin + 1) * width, 1).busy[0]!;
  expect(busy).toBeCloseTo(
    all.busy.reduce((sum, share) => sum + share, 0),
    0,
  );
});
