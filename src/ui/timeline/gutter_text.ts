// The word at the right end of a row's head: how busy a CPU is in sight, how many wait for a lock at the playhead.

import { formatDecimal, withUnit } from '../../base/format.ts';
import type { Ns } from '../../base/units.ts';
import { createBins } from '../../trace/bins.ts';
import { binsFor, rowEndNs, rowsIn } from '../../trace/query.ts';
import { SegKind } from '../../trace/segments.ts';
import type { TraceStore } from '../../trace/trace_store.ts';
import { lockStateAt } from './lock_state.ts';

const bins = createBins(1);
/** From here on a CPU is said to spin, not to be busy. */
const SPINS_RATIO = 0.5;

/** 'spins 100 %', 'busy 63 %', 'idle'; '' where the range holds no data. */
export function cpuShareText(trace: TraceStore, laneId: number, fromNs: Ns, toNs: Ns): string {
  const t0Ns = Math.max(0, fromNs);
  const t1Ns = Math.min(toNs, trace.watermarkNs);
  if (!(t1Ns > t0Ns)) return '';
  const { busy, spin } = sharesOf(trace, laneId, t0Ns, t1Ns);
  if (busy === 0) return 'idle';
  return spin >= busy * SPINS_RATIO ? `spins ${percent(spin)}` : `busy ${percent(busy)}`;
}

/** Up to so many rows are counted one by one; of more the sums of whole blocks are near enough. */
const MOST_COUNTED = 512;

function sharesOf(
  trace: TraceStore,
  laneId: number,
  t0Ns: Ns,
  t1Ns: Ns,
): { readonly busy: number; readonly spin: number } {
  const { lo, hi } = rowsIn(trace, laneId, t0Ns, t1Ns);
  const columns = trace.columns[laneId];
  if (columns === undefined || hi - lo > MOST_COUNTED) {
    binsFor(trace, laneId, t0Ns, t1Ns, 1, bins);
    return { busy: bins.busy[0] ?? 0, spin: bins.spin[0] ?? 0 };
  }
  let runNs = 0;
  let spinNs = 0;
  for (let row = lo; row < hi; row++) {
    const ns = Math.min(t1Ns, rowEndNs(trace, laneId, row)) - Math.max(t0Ns, columns.startNs[row] ?? t0Ns);
    const kind = columns.kind[row];
    // Interrupts keep a CPU busy too.
    if (kind === SegKind.run || kind === SegKind.irq) runNs += Math.max(0, ns);
    else if (kind === SegKind.spin) spinNs += Math.max(0, ns);
  }
  return { busy: (runNs + spinNs) / (t1Ns - t0Ns), spin: spinNs / (t1Ns - t0Ns) };
}

/** '4 spin', '2 wait', ''. */
export function waitersText(trace: TraceStore, lock: number, atNs: Ns): string {
  const { waiters, spinners } = lockStateAt(trace, lock, atNs);
  if (waiters.length === 0) return '';
  return spinners === waiters.length ? `${spinners} spin` : `${waiters.length} wait`;
}

/** A share that is not quite all or nothing never reads as all or nothing. */
function percent(ratio: number): string {
  const whole = Math.round(ratio * 100);
  const honest = whole === 100 && ratio < 0.9995 ? 99 : whole === 0 && ratio > 0 ? 1 : whole;
  return withUnit(formatDecimal(honest, 0), '%');
}
