// The hash of a run: over the record stream, row by row, so that it does not depend on how the stream was cut.
// Names, thread ids and texts are not in it; indices are.

import { ownsOperands, type RecordColumns, RecordKind, SpinCountAt } from '../trace/records.ts';
import type { Machine } from './machine.ts';

/** Version of the rules. Part of every hash; goes up with each change that can change a record. */
export const ENGINE_VERSION = '2';

const TWO_32 = 2 ** 32;

function mix(h: number, x: number): number {
  let k = Math.imul(x, 0xcc9e2d51);
  k = (k << 15) | (k >>> 17);
  let g = h ^ Math.imul(k, 0x1b873593);
  g = (g << 13) | (g >>> 19);
  return (Math.imul(g, 5) + 0xe6546b64) | 0;
}

/** Both halves of a number that need not be whole or small. */
function mixNumber(h: number, x: number): number {
  const hi = Math.floor(x / TWO_32);
  const lo = x - hi * TWO_32;
  const whole = Math.floor(lo);
  return mix(mix(mix(h, whole | 0), hi | 0), ((lo - whole) * TWO_32) | 0);
}

/** Adds rows to the machine's two 32-bit lanes (murmur3's mixing with two seeds). */
export function hashRecords(m: Machine, r: RecordColumns): void {
  let a = m.hashA;
  let b = m.hashB;
  const { x, y } = r.operands;
  let pair = 0;
  for (let i = 0; i < r.count; i++) {
    // A probe tells what was asked about, not what happened.
    if (r.kind[i] === RecordKind.spinCount && r.reason[i] === SpinCountAt.probe) continue;
    const ts = r.tsNs[i]!;
    const hi = Math.floor(ts / TWO_32);
    const lo = (ts - hi * TWO_32) | 0;
    const head = (r.kind[i]! << 24) | (r.reason[i]! << 16) | (r.cpu[i]! & 0xffff);
    a = mix(mix(mix(a, lo), hi), head);
    b = mix(mix(mix(b, head), lo), hi ^ 0x5bd1e995);
    a = mix(mix(mix(mix(a, r.task[i]!), r.a[i]!), r.b[i]!), r.c[i]!);
    b = mix(mix(mix(mix(b, r.c[i]!), r.b[i]!), r.a[i]!), r.task[i]!);
    if (!ownsOperands(r.kind[i]!)) continue;
    a = mixNumber(mixNumber(a, x[pair]!), y[pair]!);
    b = mixNumber(mixNumber(b, y[pair]!), x[pair]!);
    pair++;
  }
  m.hashA = a;
  m.hashB = b;
}

/** "<engine>:<16 hex digits>". */
export function hashText(m: Machine): string {
  const hex = (x: number) => (x >>> 0).toString(16).padStart(8, '0');
  return `${ENGINE_VERSION}:${hex(m.hashA)}${hex(m.hashB)}`;
}
