// One line of the table.

/** Unit of a row's numbers, for printing. */
export type RowUnit = 'share' | 'ns' | 'ratio' | 'perMs' | 'text';

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
  /** More about a miss, where the two values do not say it. */
  readonly detail?: string;
}
