// Ids are small integers that index tables. NONE (-1) stands for "nobody" inside columns only.

declare const cpuBrand: unique symbol;
declare const taskBrand: unique symbol;
declare const lockBrand: unique symbol;

/** CPU number, 0-based, as the kernel numbers them. */
export type CpuId = number & { readonly [cpuBrand]?: never };
/** Index into the trace's task table, in order of appearance (document order, then forks). */
export type TaskId = number & { readonly [taskBrand]?: never };
/** Index into the trace's lock table, in document order. */
export type LockId = number & { readonly [lockBrand]?: never };

/** "Nobody" or "nothing" in an integer column. */
export const NONE = -1;
