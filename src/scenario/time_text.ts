// Times as text: the only place where "150us" becomes nanoseconds and back. Exact: no floating point on the way.

import { err, ok, type Result } from '../base/result.ts';
import type { Ns } from '../base/units.ts';

/** Longest time that a document or a link may name: 1 h. */
export const MAX_TIME_NS: Ns = 3_600_000_000_000;

/** Why a text is no time, and what to write in its place. */
export interface TimeTextError {
  readonly code: 'time-unit' | 'time-text' | 'time-sign' | 'time-fraction' | 'time-range';
  /** Continues a sentence that begins with the field's name, e.g. 'has no unit'. */
  readonly message: string;
  readonly hint: string;
}

const UNIT_NS: ReadonlyMap<string, bigint> = new Map([
  ['ns', 1n],
  ['us', 1_000n],
  ['\u00b5s', 1_000n],
  ['\u03bcs', 1_000n],
  ['ms', 1_000_000n],
  ['s', 1_000_000_000n],
  ['h', 3_600_000_000_000n],
]);

/** What people write for a unit, and the unit they mean. */
const MEANT: ReadonlyMap<string, string> = new Map([
  ['usec', 'us'],
  ['usecs', 'us'],
  ['microseconds', 'us'],
  ['msec', 'ms'],
  ['msecs', 'ms'],
  ['milliseconds', 'ms'],
  ['nsec', 'ns'],
  ['nanoseconds', 'ns'],
  ['sec', 's'],
  ['secs', 's'],
  ['seconds', 's'],
  ['hour', 'h'],
  ['hours', 'h'],
  ['m', 'ms'],
  ['u', 'us'],
  ['n', 'ns'],
]);

const UNITS_TEXT = 'ns, us, ms, s or h';

/**
 * Nanoseconds of a time text: decimal number and unit, e.g. "1.5ms", "150us", "150µs".
 *
 * Whole ns after conversion, no sign, at most 1 h. Never throws.
 */
export function parseTime(text: string): Result<Ns, TimeTextError> {
  const plain = parsePlain(text);
  return plain !== undefined ? ok(plain) : parseExactly(text);
}

/** The common case, without big integers: up to six digits, no fraction. Undefined for everything else. */
function parsePlain(text: string): Ns | undefined {
  const parts = /^(\d{1,6})(ns|us|ms|s)$/.exec(text);
  if (parts === null) return undefined;
  const ns = Number(parts[1]) * Number(UNIT_NS.get(parts[2]!));
  return ns <= MAX_TIME_NS ? ns : undefined;
}

function parseExactly(text: string): Result<Ns, TimeTextError> {
  // Long digit strings are refused before any arithmetic is done on them.
  const parts = text.length > 60 ? null : /^([+-]?)(\d+)(?:\.(\d+))?(\s*)(.*)$/s.exec(text);
  if (parts === null)
    return err({
      code: 'time-text',
      message: 'is no time',
      hint: `Write a number and a unit (${UNITS_TEXT}), e.g. "150us".`,
    });
  const [, sign = '', whole = '0', fraction = '', space = '', unit = ''] = parts;
  if (sign !== '')
    return err({
      code: 'time-sign',
      message: 'has a sign',
      hint: 'Times are counted from the start and carry no sign.',
    });
  if (unit === '')
    return err({
      code: 'time-unit',
      message: 'has no unit',
      hint: `Add one: "${text.trim()}us" or "${text.trim()}ms".`,
    });
  const number = fraction === '' ? whole : `${whole}.${fraction}`;
  const unitNs = UNIT_NS.get(unit);
  if (unitNs === undefined)
    return err({ code: 'time-unit', message: `has the unit "${unit.slice(0, 20)}"`, hint: unitHint(number, unit) });
  if (space !== '')
    return err({ code: 'time-text', message: 'has a space before its unit', hint: `Write "${number}${unit}".` });

  const scaled = BigInt(whole + fraction) * unitNs;
  const divisor = BigInt(`1${'0'.repeat(fraction.length)}`);
  if (scaled % divisor !== 0n)
    return err({
      code: 'time-fraction',
      message: 'is no whole number of nanoseconds',
      hint: 'Time is counted in whole ns; leave out the digits below.',
    });
  const ns = scaled / divisor;
  if (ns > BigInt(MAX_TIME_NS))
    return err({ code: 'time-range', message: 'is more than 1 h', hint: 'A time is at most 1 h.' });
  return ok(Number(ns));
}

function unitHint(number: string, unit: string): string {
  const lower = unit.trim().toLowerCase();
  const meant = UNIT_NS.has(lower) ? lower : MEANT.get(lower);
  if (lower === 'min' || lower === 'minutes') return `Units are ${UNITS_TEXT}; a minute is "60s".`;
  return meant === undefined ? `Units are ${UNITS_TEXT}.` : `Write "${number}${meant}"; units are ${UNITS_TEXT}.`;
}

/**
 * Shortest text that parses back to exactly `ns`: the largest unit that needs at most three decimals.
 *
 * @param ns whole, 0 … 2^53
 */
export function formatTime(ns: Ns): string {
  if (ns === 0) return '0us';
  for (const [unit, size] of [
    ['s', 1_000_000_000],
    ['ms', 1_000_000],
    ['us', 1_000],
  ] as const) {
    const thousandth = size / 1000;
    if (ns >= size && ns % thousandth === 0) return decimal(ns / thousandth) + unit;
  }
  return `${ns}ns`;
}

/** `thousandths` / 1000 without trailing zeros. */
function decimal(thousandths: number): string {
  const whole = Math.floor(thousandths / 1000);
  const rest = String(thousandths % 1000)
    .padStart(3, '0')
    .replace(/0+$/, '');
  return rest === '' ? String(whole) : `${whole}.${rest}`;
}
