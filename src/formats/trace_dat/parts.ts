// Parts that are built alike in both versions.

import type { ByteReader } from './byte_reader.ts';
import { allText, textOf } from './byte_reader.ts';
import type { RawFormat } from './container.ts';

/** "header_page" and "header_event"; the first one's text. */
export function readHeaderInfo(r: ByteReader): string {
  r.zeroEnded();
  const page = allText(r.take(r.u64()));
  r.zeroEnded();
  r.take(r.u64());
  return page;
}

const NEW_LINE = 10;
const PRINT = [0x70, 0x72, 0x69, 0x6e, 0x74, 0x20, 0x66, 0x6d, 0x74];

/** A format's text up to `print fmt`, the longest and unneeded part of most. */
function descriptionOf(bytes: Uint8Array): string {
  for (let at = bytes.indexOf(NEW_LINE); at >= 0; at = bytes.indexOf(NEW_LINE, at + 1)) {
    if (PRINT.every((byte, i) => bytes[at + 1 + i] === byte)) return textOf(bytes, 0, at);
  }
  return allText(bytes);
}

/** The tracer's own events. A wrong count ends with the bytes. */
export function readFtraceFormats(r: ByteReader, into: RawFormat[]): void {
  for (let left = r.u32(); left > 0 && r.failedAt === undefined; left--) {
    const text = descriptionOf(r.take(r.u64()));
    if (r.failedAt === undefined) into.push({ system: 'ftrace', text });
  }
}

/** The events of each system. */
export function readEventFormats(r: ByteReader, into: RawFormat[]): void {
  for (let systems = r.u32(); systems > 0 && r.failedAt === undefined; systems--) {
    const system = r.zeroEnded();
    for (let left = r.u32(); left > 0 && r.failedAt === undefined; left--) {
      const text = descriptionOf(r.take(r.u64()));
      if (r.failedAt === undefined) into.push({ system, text });
    }
  }
}
