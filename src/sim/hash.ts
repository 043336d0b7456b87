// The hash of a run: over the record stream, row by row, so that it does not depend on how the stream was cut.
// Names, thread ids and texts are not in it; indices are.

import { ownsOperands, type RecordColumns, RecordKind, SpinCountAt } from '../trace/records.ts';
import type { Machine } from './machine.ts';

/** Version of the rules. Part of every hash; goes up with each change that can change a record. */
export const ENGINE_VERSION = '2';

function mix(h: number, x: number): number {
  let k = Math.imul(x, 0xcc9e2d51);
  k = (k << 15) | (k >>> 17);
  let g = h ^ Math.imul(k, 0x1b873593);
  g = (g << 13) | (g >>> 19);
  return (Math.imul(g, 5) + 0xe6546b64) | 0;
}

const TWO_TO_MINUS_32 = 2 ** -32;

/**
 * Adds rows to the machine's two 32-bit lanes. The words of a row are summed with odd factors of their own, which a
 * processor does side by side; murmur3's step joins the sums to the lanes in order.
 */
export function hashRecords(m: Machine, r: RecordColumns): void {
  let a = m.hashA;
  let b = m.hashB;
  // Bits of the operands: they may be fractions or infinite.
  const x = new Uint32Array(r.operands.x.buffer);
  const y = new Uint32Array(r.operands.y.buffer);
  const { count, tsNs, kind, reason, cpu, task } = r;
  const ra = r.a;
  const rb = r.b;
  const rc = r.c;
  let pair = 0;
  for (let i = 0; i < count; i++) {
    const k = kind[i]!;
    // A probe tells what was asked about, not what happened.
    if (k === RecordKind.spinCount && reason[i] === SpinCountAt.probe) continue;
    const ts = tsNs[i]!;
    const lo = ts | 0;
    const hi = (ts * TWO_TO_MINUS_32) | 0;
    const head = (k << 24) | (reason[i]! << 16) | (cpu[i]! & 0xffff);
    const t = task[i]!;
    const o1 = ra[i]!;
    const o2 = rb[i]!;
    const o3 = rc[i]!;
    let s =
      (Math.imul(lo, 0x9e3779b1) +
        Math.imul(hi, 0x85ebca77) +
        Math.imul(head, 0xc2b2ae3d) +
        Math.imul(t, 0x27d4eb2f) +
        Math.imul(o1, 0x165667b1) +
        Math.imul(o2, 0xd3a2646d) +
        Math.imul(o3, 0xfd7046c5)) |
      0;
    let u =
      (Math.imul(o3, 0xb55a4f09) +
        Math.imul(o2, 0x2c1b3c6d) +
        Math.imul(o1, 0x297a2d39) +
        Math.imul(t, 0x846ca68b) +
        Math.imul(head, 0x7feb352d) +
        Math.imul(hi, 0x68e31da5) +
        Math.imul(lo, 0xb5297a4d)) |
      0;
    if (ownsOperands(k)) {
      const at = 2 * pair++;
      s =
        (s +
          Math.imul(x[at]!, 0x1b56c4e9) +
          Math.imul(x[at + 1]!, 0x7fb5d329) +
          Math.imul(y[at]!, 0x58f38ded) +
          Math.imul(y[at + 1]!, 0x3ad8025f)) |
        0;
      u =
        (u +
          Math.imul(y[at + 1]!, 0xcc9e2d51) +
          Math.imul(y[at]!, 0x1b873593) +
          Math.imul(x[at + 1]!, 0xe6546b65) +
          Math.imul(x[at]!, 0x38b34ae5)) |
        0;
    }
    a = mix(a, s);
    b = mix(b, u ^ (u >>> 15));
  }
  m.hashA = a;
  m.hashB = b;
}

/** "<engine>:<16 hex digits>". */
export function hashText(m: Machine): string {
  const hex = (x: number) => (x >>> 0).toString(16).padStart(8, '0');
  return `${ENGINE_VERSION}:${hex(m.hashA)}${hex(m.hashB)}`;
}
