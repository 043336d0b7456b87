import { expect, test } from 'vitest';
import { SegKind } from '../../trace/segments.ts';
import { handTrace } from '../../view/hand_trace.ts';
import { sharesInView } from './use_shares_in_view.ts';

const MS = 1_000_000;

test('a share in view is what the thread had of the visible range, running and spinning together', () => {
  const trace = handTrace({
    endNs: 10 * MS,
    cpus: 1,
    tasks: [{ name: 'low' }, { name: 'main' }],
    locks: [],
    lanes: [
      {
        kind: 'thread',
        subject: 0,
        rows: [
          { atNs: 0, kind: SegKind.runnable },
          { atNs: 4 * MS, kind: SegKind.run },
          { atNs: 5 * MS, kind: SegKind.spin },
          { atNs: 6 * MS, kind: SegKind.sleep },
        ],
      },
    ],
  });
  const threads = trace.tasks.map(({ tid }) => ({ tid }));
  const shareOfLow = (t0Ns: number, t1Ns: number) => sharesInView(trace, threads, { t0Ns, t1Ns })[0];
  expect(shareOfLow(0, 10 * MS)).toBeCloseTo(0.2, 6);
  expect(shareOfLow(4 * MS, 8 * MS)).toBeCloseTo(0.5, 6);
  expect(shareOfLow(6 * MS, 8 * MS)).toBeCloseTo(0, 6);
});

test('a narrow range in the middle of many short stints is counted exactly', () => {
  // Stints of 4 ms every 40 ms, as of a thread of nice +10 beside one of nice 0.
  const rows = Array.from({ length: 100 }, (_, i) => [
    { atNs: i * 40 * MS, kind: SegKind.run },
    { atNs: (i * 40 + 4) * MS, kind: SegKind.runnable },
  ]).flat();
  const trace = handTrace({
    endNs: 4000 * MS,
    cpus: 1,
    tasks: [{ name: 'low' }],
    locks: [],
    lanes: [{ kind: 'thread', subject: 0, rows }],
  });
  const [share] = sharesInView(trace, [{ tid: trace.tasks[0]!.tid }], { t0Ns: 1003 * MS, t1Ns: 1103 * MS });
  // 1 ms of the stint at 1000, 4 of that at 1040, 4 of that at 1080.
  expect(share).toBeCloseTo(9 / 100, 9);
});
