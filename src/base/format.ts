// Numbers and times as people read them; the only place where a number becomes text on the page and the command line.
// Deterministic: no Intl, no locale. Thousands and units stand after U+202F, minus is U+2212.

import { NS_PER_MS, NS_PER_S, NS_PER_US, type Ns } from './units.ts';

/** Narrow no-break space: between thousands, and between a number and its unit. */
export const NARROW_SPACE = '\u202f';
export const MINUS = '\u2212';
/** What stands where there is no number. */
export const NO_NUMBER = '–';

/**
 * `value` with `digits` decimals (0..9), rounded half away from zero: `1 234.50`.
 * Infinity gives `∞`, NaN gives `–`; a result of zero has no sign.
 */
export function formatDecimal(value: number, digits: number): string {
  if (Number.isNaN(value)) return NO_NUMBER;
  if (!Number.isFinite(value)) return value > 0 ? '∞' : `${MINUS}∞`;
  const scale = POWERS_OF_TEN[digits] ?? 1;
  // The factor mends 1.005 * 100 = 100.49999999999999: decimals that people wrote round as they expect.
  const scaled = Math.round(Math.abs(value) * scale * (1 + Number.EPSILON));
  const whole = Math.floor(scaled / scale);
  const part = digits === 0 ? '' : `.${String(scaled - whole * scale).padStart(digits, '0')}`;
  const sign = value < 0 && scaled > 0 ? MINUS : '';
  return sign + groupThousands(String(whole)) + part;
}

const POWERS_OF_TEN = [1, 10, 100, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9] as const;

/** Whole number with thousands: `1 234 567`. */
export function formatInt(value: number): string {
  return formatDecimal(value, 0);
}

/** `formatInt` with a sign in any case but zero, for differences: `+1 709`, `−17`. */
export function formatSigned(value: number, digits = 0): string {
  const text = formatDecimal(value, digits);
  return value > 0 && /[1-9∞]/.test(text) ? `+${text}` : text;
}

/** A ratio as per cent: `formatPercent(0.0966, 1)` is `9.7 %`. */
export function formatPercent(ratio: number, digits = 1): string {
  return withUnit(formatDecimal(ratio * 100, digits), '%');
}

/** `formatPercent` with its sign, for differences: `+0.1 %`, `−17.0 %`. */
export function formatSignedPercent(ratio: number, digits = 1): string {
  return withUnit(formatSigned(ratio * 100, digits), '%');
}

/** A time in ms whatever its size, so that instants of one table line up: `412.310 ms`. */
export function formatMs(ns: Ns, digits = 3): string {
  return withUnit(formatDecimal(ns / NS_PER_MS, digits), 'ms');
}

/** A time in µs whatever its size: `4 538 µs`. */
export function formatUs(ns: Ns, digits = 0): string {
  return withUnit(formatDecimal(ns / NS_PER_US, digits), 'µs');
}

/**
 * A time in the unit that suits it: `20 ns`, `150 µs`, `4.02 µs`, `1.235 ms`, `412.310 ms`, `2.000 s`.
 * Below 1 ms exact; above to the nearest µs, from 1 s to the nearest ms.
 */
export function formatNs(ns: Ns): string {
  if (ns < 0) return MINUS + formatNs(-ns);
  if (!Number.isFinite(ns)) return formatDecimal(ns, 0);
  if (ns < NS_PER_US) return withUnit(formatInt(ns), 'ns');
  if (ns < NS_PER_MS) return withUnit(withoutTrailingZeros(formatDecimal(ns / NS_PER_US, 3)), 'µs');
  // 999.9996 ms would round to 1000.000 ms: the unit is chosen after rounding.
  if (Math.round(ns / NS_PER_US) < NS_PER_S / NS_PER_US) return withUnit(formatDecimal(ns / NS_PER_MS, 3), 'ms');
  return withUnit(formatDecimal(ns / NS_PER_S, 3), 's');
}

/** A span in a few digits, for labels in the drawing and sentences: `171 µs`, `0.42 ms`, `9.6 ms`, `620 ms`, `1.18 s`. */
export function formatShort(ns: Ns): string {
  if (ns < 0) return MINUS + formatShort(-ns);
  if (!Number.isFinite(ns)) return formatDecimal(ns, 0);
  if (ns < NS_PER_US) return withUnit(formatInt(ns), 'ns');
  for (const [unitNs, unit] of SHORT_UNITS) {
    const amount = ns / unitNs;
    const digits = amount < 10 ? 2 : amount < 100 ? 1 : 0;
    const text = withoutTrailingZeros(formatDecimal(amount, digits));
    if (unit === 's' || !(Math.round(amount) >= 1000)) return withUnit(text, unit);
  }
  return NO_NUMBER;
}

const SHORT_UNITS = [
  [NS_PER_US, 'µs'],
  [NS_PER_MS, 'ms'],
  [NS_PER_S, 's'],
] as const;

/** Unit of an axis: the same for all its labels, so that they read as one series. */
export type AxisUnit = 'ns' | 'µs' | 'ms' | 's';

/** Unit that suits ticks `stepNs` apart on an axis that reaches to `endNs`. */
export function axisUnit(stepNs: Ns, endNs: Ns): AxisUnit {
  if (stepNs >= NS_PER_S || (endNs >= 10 * NS_PER_S && stepNs >= NS_PER_MS)) return 's';
  if (endNs >= NS_PER_MS) return 'ms';
  return endNs >= NS_PER_US && stepNs >= 10 ? 'µs' : 'ns';
}

/** Label of a tick: as many decimals as the step needs and no more: `406 ms`, `419.8 ms`. `withSymbol` false leaves the unit out. */
export function formatTimeAxis(ns: Ns, stepNs: Ns, unit: AxisUnit, withSymbol = true): string {
  const unitNs = AXIS_UNIT_NS[unit];
  let digits = 0;
  // A step of 2.5 units needs one decimal, 0.25 needs two: count until the step is whole.
  for (
    let stepUnits = stepNs / unitNs;
    digits < 9 && Math.abs(stepUnits - Math.round(stepUnits)) > 1e-6;
    stepUnits *= 10
  )
    digits++;
  const text = formatDecimal(ns / unitNs, digits);
  return withSymbol ? withUnit(text, unit) : text;
}

/** Length of an axis's unit. */
export const AXIS_UNIT_NS: Readonly<Record<AxisUnit, number>> = { ns: 1, µs: NS_PER_US, ms: NS_PER_MS, s: NS_PER_S };

/** Number and unit that never part at a line's end. */
export function withUnit(number: string, unit: string): string {
  return number + NARROW_SPACE + unit;
}

function withoutTrailingZeros(text: string): string {
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}

function groupThousands(digits: string): string {
  let text = '';
  for (let end = digits.length; end > 0; end -= 3) {
    const group = digits.slice(Math.max(0, end - 3), end);
    text = text === '' ? group : group + NARROW_SPACE + text;
  }
  return text;
}
