// Verdicts as stretches of the timeline: the band over the lanes and the flag in the strip above them.

import { formatShort } from '../../base/format.ts';
import type { Ns } from '../../base/units.ts';
import { tablesOf } from '../../explain/state_text.ts';
import { describeVerdict } from '../../explain/verdict_text.ts';
import type { TraceStore } from '../../trace/trace_store.ts';
import type { Verdict } from '../../trace/verdicts.ts';
import type { Band } from '../../view/api.ts';

const MAX_BANDS = 12;

/**
 * Bands of a finished run. Where findings overlap the worst one is shown. After a standstill that ended, an `ok` band
 * says how long it took.
 *
 * @param knownToNs what lies after it is veiled: nothing of a later finding shows
 */
export function bandsOf(trace: TraceStore, verdicts: readonly Verdict[], endNs: Ns, knownToNs: Ns): readonly Band[] {
  const bands: Band[] = [];
  for (const verdict of verdicts) {
    if (bands.length >= MAX_BANDS) break;
    if (!bands.some((band) => band.fromNs < verdict.toNs && verdict.fromNs < band.toNs))
      bands.push(bandOf(trace, verdict, endNs));
  }
  const cleared = clearedBand(verdicts[0], endNs);
  if (cleared !== undefined && !bands.some((band) => band.fromNs >= cleared.fromNs)) bands.push(cleared);
  return bands
    .filter((band) => band.fromNs <= knownToNs)
    .map((band) => (band.toNs > knownToNs ? { ...band, toNs: knownToNs, forever: false } : band));
}

function bandOf(trace: TraceStore, verdict: Verdict, endNs: Ns): Band {
  const { word, tone } = describeVerdict(tablesOf(trace), verdict);
  const concerned = trace.lanes.filter((lane) => lane.kind === 'thread' && verdict.tasks.includes(lane.subject));
  return {
    tone,
    fromNs: verdict.fromNs,
    toNs: verdict.forever ? endNs : verdict.toNs,
    forever: verdict.forever,
    text: verdict.forever ? `${word}, for ever (proved)` : `${word}${amountText(verdict)}`,
    laneIds: concerned.map((lane) => lane.id),
  };
}

/** What comes and goes does not last as long as its band: how long in all, or how often. */
function amountText({ facts }: Verdict): string {
  let times = 0;
  for (const fact of facts) {
    if (fact.fact === 'throttledFor' && fact.times > 1) return `, ${formatShort(fact.ns)} in all`;
    if (fact.fact === 'missed') times += fact.times;
  }
  return times === 0 ? '' : `, ${times} late`;
}

function clearedBand(worst: Verdict | undefined, endNs: Ns): Band | undefined {
  if (worst === undefined || worst.forever || !worst.ended || worst.kind !== 'rt-spin-hang' || worst.toNs >= endNs)
    return undefined;
  return {
    tone: 'ok',
    fromNs: worst.toNs,
    toNs: endNs,
    forever: false,
    text: `Clear after ${formatShort(worst.toNs - worst.fromNs)}`,
    laneIds: [],
  };
}
