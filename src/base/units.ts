// Units of time. Everything inside the project is integer nanoseconds held in a float64.
// Text with units exists only at the borders (`scenario/time_text.ts`, `base/format.ts`).

declare const nsBrand: unique symbol;

/** Integer nanoseconds since the start of the run (an instant) or between two instants (a span). Exact below 2^53 ns, 104 days. */
export type Ns = number & { readonly [nsBrand]?: never };

export const NS_PER_US = 1_000;
export const NS_PER_MS = 1_000_000;
export const NS_PER_S = 1_000_000_000;

/** Whole nanoseconds of `us` microseconds; `us` may have decimals, the result is rounded to the nearest ns. */
export function usToNs(us: number): Ns {
  return Math.round(us * NS_PER_US);
}

/** Whole nanoseconds of `ms` milliseconds; rounded to the nearest ns. */
export function msToNs(ms: number): Ns {
  return Math.round(ms * NS_PER_MS);
}
