// A piece of a trace on its way from where it is made (worker, importer) to a TraceStore.

import type { Ns } from '../base/units.ts';
import type { TaskInfo } from './meta.ts';
import type { LaneInfo } from './segments.ts';

/** Rows of many lanes in one set of columns; `lane` names the lane of each row. Rows of one lane are in order. */
export interface SegmentChunk {
  readonly count: number;
  readonly lane: Uint16Array<ArrayBuffer>;
  readonly startNs: Float64Array<ArrayBuffer>;
  readonly kind: Uint8Array<ArrayBuffer>;
  readonly flags: Uint8Array<ArrayBuffer>;
  readonly who: Int32Array<ArrayBuffer>;
  readonly prio: Int16Array<ArrayBuffer>;
  readonly reason: Uint8Array<ArrayBuffer>;
  readonly arg: Int32Array<ArrayBuffer>;
  readonly arg2: Int32Array<ArrayBuffer>;
  /** Where the rows are sorted by lane: end of each lane's rows, by lane id; they begin where those of the lane before end. */
  readonly laneEnds?: Uint32Array<ArrayBuffer>;
}

/** Records in the form of trace/records.ts, exactly `count` rows. */
export interface RecordChunk {
  readonly count: number;
  readonly tsNs: Float64Array<ArrayBuffer>;
  readonly kind: Uint8Array<ArrayBuffer>;
  readonly reason: Uint8Array<ArrayBuffer>;
  readonly cpu: Int16Array<ArrayBuffer>;
  readonly task: Int32Array<ArrayBuffer>;
  readonly a: Int32Array<ArrayBuffer>;
  readonly b: Int32Array<ArrayBuffer>;
  readonly c: Int32Array<ArrayBuffer>;
  readonly operands: OperandChunk;
}

/** Exactly `count` pairs: those of the rows that own one. */
export interface OperandChunk {
  readonly count: number;
  readonly x: Float64Array<ArrayBuffer>;
  readonly y: Float64Array<ArrayBuffer>;
}

/** Everything that became known since the previous chunk. */
export interface TraceChunk {
  /** Nothing earlier than this will follow; the last segment of every lane reaches to here. */
  readonly watermarkNs: Ns;
  readonly newLanes: readonly LaneInfo[];
  /** Tasks that appeared (forks). */
  readonly newTasks: readonly TaskInfo[];
  /** Texts of marks and findings; records refer to them by index. */
  readonly newTexts: readonly string[];
  readonly segments: SegmentChunk;
  readonly records: RecordChunk;
}
