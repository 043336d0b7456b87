// Readers of one field of one event, made once, used for every record. What they read of comes from the format text.

import { textOf } from './byte_reader.ts';
import type { EventCursor } from './event_cursor.ts';
import type { EventField, EventFormat } from './event_format.ts';

export type NumberReader = (cursor: EventCursor) => number;
export type TextReader = (cursor: EventCursor) => string;

function fieldOf(format: EventFormat, name: string): EventField | undefined {
  return format.fields.find((field) => field.name === name);
}

/**
 * Reads a number of 1, 2, 4 or 8 bytes; undefined where the event has no such field. Eight bytes are exact to 2^53.
 * A record of another event that is too short for the field reads as NaN.
 */
export function numberReader(format: EventFormat, name: string, little: boolean): NumberReader | undefined {
  const field = fieldOf(format, name);
  if (field === undefined || field.shape === 'rest') return undefined;
  const { offset, signed } = field;
  const after = offset + field.bytes;
  const checked =
    (read: (view: DataView, at: number) => number): NumberReader =>
    (cursor) =>
      after > cursor.length ? Number.NaN : read(cursor.view, cursor.at + offset);
  switch (field.bytes) {
    case 1:
      return checked(signed ? (view, at) => view.getInt8(at) : (view, at) => view.getUint8(at));
    case 2:
      return checked(signed ? (view, at) => view.getInt16(at, little) : (view, at) => view.getUint16(at, little));
    case 4:
      return checked(signed ? (view, at) => view.getInt32(at, little) : (view, at) => view.getUint32(at, little));
    case 8:
      return checked(
        signed
          ? (view, at) => Number(view.getBigInt64(at, little))
          : (view, at) => Number(view.getBigUint64(at, little)),
      );
    default:
      return undefined;
  }
}

/**
 * Reads a text up to its zero byte: an array in the record, a `__data_loc` or `__rel_loc` place, or the rest of the
 * record. Undefined where the event has no such field. A place outside of the record reads as ''.
 */
export function textReader(format: EventFormat, name: string, little: boolean): TextReader | undefined {
  const field = fieldOf(format, name);
  if (field === undefined || field.shape === 'number') return undefined;
  const { offset, bytes, shape } = field;
  if (shape === 'array') return (cursor) => textIn(cursor, offset, bytes);
  if (shape === 'rest') return (cursor) => textIn(cursor, offset, cursor.length - offset);
  return (cursor) => {
    if (offset + 4 > cursor.length) return '';
    // The place is one word: the offset in the lower half, the length in the upper one.
    const word = cursor.view.getUint32(cursor.at + offset, little);
    const from = (word & 0xffff) + (shape === 'relLoc' ? offset + 4 : 0);
    return textIn(cursor, from, word >>> 16);
  };
}

function textIn(cursor: EventCursor, offset: number, length: number): string {
  if (offset >= cursor.length || length <= 0) return '';
  const { view } = cursor;
  const all = new Uint8Array(
    view.buffer,
    view.byteOffset + cursor.at + offset,
    Math.min(length, cursor.length - offset),
  );
  const zero = all.indexOf(0);
  return textOf(all, 0, zero < 0 ? all.length : zero);
}
