// One trace as readers see it: lanes with their columns and pyramids, records, tables. Lives outside React
// and the store, in a registry keyed by run. Filled chunk by chunk; readers never see half a chunk.

import type { Ns } from '../base/units.ts';
import type { LanePyramid } from './lod.ts';
import type { TaskInfo, TraceMeta } from './meta.ts';
import type { RecordColumns } from './records.ts';
import type { LaneInfo, SegmentColumns } from './segments.ts';

export interface TraceStore {
  readonly meta: TraceMeta;
  /** Grows with forks; meta.tasks are its first entries. */
  readonly tasks: TaskInfo[];
  readonly texts: string[];
  readonly lanes: LaneInfo[];
  /** By lane id. */
  readonly columns: SegmentColumns[];
  /** By lane id. */
  readonly pyramids: LanePyramid[];
  readonly records: RecordColumns;
  watermarkNs: Ns;
  /** Goes up with every chunk. */
  dataVersion: number;
}
