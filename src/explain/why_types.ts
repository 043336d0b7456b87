// The shape of an explanation, and what every part of it needs to be written.

import type { Ns } from '../base/units.ts';
import type { CpuId, TaskId } from '../trace/ids.ts';
import type { Segment } from '../trace/segments.ts';
import type { TraceStore } from '../trace/trace_store.ts';
import type { Verdict } from '../trace/verdicts.ts';
import type { NameTables } from './names.ts';
import type { Sentence } from './parts.ts';
import type { Stretch } from './stretch.ts';

/** One thread of several that a step is about. */
export interface WhyRow {
  readonly task: TaskId;
  readonly cpu: CpuId;
  readonly atNs: Ns;
}

export interface WhyStep {
  readonly text: Sentence;
  readonly atNs: Ns;
  /** Where several threads do the same: each with its CPU and its instant. They spin. */
  readonly rows?: readonly WhyRow[];
  /** Set on the last step: how bad the end of the chain is. */
  readonly conclusion?: 'danger' | 'warn' | 'ok';
}

export interface Why {
  readonly question: Sentence;
  readonly answer: Sentence;
  /** 0 to 7, in the order of reading; the last is the conclusion. */
  readonly steps: readonly WhyStep[];
}

/** What every part of an explanation needs. */
export interface Ask {
  readonly trace: TraceStore;
  readonly tables: NameTables;
  readonly verdicts: readonly Verdict[];
  readonly segment: Segment;
  readonly stretch: Stretch;
}
