// A trace store of a hand-made record stream, for tests of what reads lanes.

import { usToNs } from '../../base/units.ts';
import type { RecordColumns } from '../../trace/records.ts';
import { createSegmenter, feedRecords, settle } from '../../trace/segmenter.ts';
import { appendChunk, createTraceStore, type TraceStore } from '../../trace/trace_store.ts';
import { type HandMade, metaOf } from './hand_made.ts';

/** The whole stream as one chunk, its watermark at the run's end. */
export function traceOf(hand: HandMade, records: RecordColumns): TraceStore {
  const meta = metaOf(hand);
  const store = createTraceStore(meta);
  const segmenter = createSegmenter(meta);
  feedRecords(segmenter, records);
  const endNs = usToNs(hand.endUs);
  settle(segmenter, endNs + 1);
  appendChunk(store, {
    watermarkNs: endNs,
    newLanes: segmenter.lanes,
    newTasks: [],
    newTexts: hand.texts ?? [],
    segments: segmenter.rows,
    records,
  });
  return store;
}
