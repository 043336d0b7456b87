// One line of the table.

/** Unit of a row's numbers, for printing. */
export type RowUnit = 'share' | 'ns' | 'ratio' | 'perMs' | 'count' | 'text';

/** The same measure of another recording. */
export interface PeerValue {
  readonly kernel: string;
  readonly value: number | string | undefined;
  /** Whether it is within the row's tolerance. */
  readonly ok: boolean;
}

export interface Row {
  /** `workload/kernel/measure/phase/thread`, without the parts that do not apply. */
  readonly id: string;
  readonly workload: string;
  readonly kernel: string;
  readonly measure: string;
  readonly unit: RowUnit;
  /** Undefined: the run has no such thing. */
  readonly recorded: number | string | undefined;
  readonly simulated: number | string | undefined;
  /** How far apart the two may be; undefined where they must be equal. */
  readonly tolerance: number | undefined;
  readonly ok: boolean;
  /** What another recording of the same kernel version says of the same measure: no simulation can be nearer. */
  readonly peer?: PeerValue;
  /** More about a miss, where the two values do not say it. */
  readonly detail?: string;
}
