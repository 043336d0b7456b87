// The list of rows that are known to lie outside their tolerance, each with its cause. It exists so that a new
// miss is seen at once; it excuses nothing: a listed row still counts as failed in the table.

import type { Row } from './row.ts';

export interface KnownMiss {
  /** `workload/kernel/measure/…` as the table names the row. */
  readonly row: string;
  readonly cause: string;
}

export interface MissReport {
  readonly passed: number;
  readonly failed: number;
  /** Failed and not on the list. */
  readonly fresh: readonly Row[];
  /** On the list and passed: the list is to be shortened. */
  readonly healed: readonly Row[];
  /** On the list, but no such row was compared. */
  readonly stale: readonly KnownMiss[];
}

/** `complete`: whether `rows` are all there are, so that an entry without a row is stale. */
export function judgeRows(rows: readonly Row[], known: readonly KnownMiss[], complete: boolean): MissReport {
  const listed = new Set(known.map((miss) => miss.row));
  const seen = new Set(rows.map((row) => row.id));
  const failed = rows.filter((row) => !row.ok);
  return {
    passed: rows.length - failed.length,
    failed: failed.length,
    fresh: failed.filter((row) => !listed.has(row.id)),
    healed: rows.filter((row) => row.ok && listed.has(row.id)),
    stale: complete ? known.filter((miss) => !seen.has(miss.row)) : [],
  };
}
