// A trace.dat file as its formats, names and events.

import type { Result } from '../../base/result.ts';
import { err, ok } from '../../base/result.ts';
import { allText, ByteReader } from './byte_reader.ts';
import type { Container, FileHead, RawBuffer, RawOption } from './container.ts';
import { OptionId } from './container.ts';
import { readVersion6 } from './container_v6.ts';
import { readVersion7 } from './container_v7.ts';
import type { TimeZero } from './cpu_stream.ts';
import { CpuStream, firstStamp } from './cpu_stream.ts';
import type { RecordHead, TicksToNs } from './event_cursor.ts';
import { EventCursor } from './event_cursor.ts';
import type { EventFormat } from './event_format.ts';
import { parseEventFormat } from './event_format.ts';
import type { NumberReader, TextReader } from './field_reader.ts';
import { numberReader, textReader } from './field_reader.ts';
import { readHead } from './head.ts';
import { pageLayoutOf } from './page_layout.ts';
import type { FormatProblem } from './problem.ts';
import { CUT_SHORT } from './problem.ts';

/** Event numbers are 16 bits wide in every kernel. */
const MOST_IDS = 65_536;

/** A recording, opened. Its bytes must stay as they are while cursors read them. */
export class TraceDat {
  readonly version: 6 | 7;
  readonly compression: string;
  readonly cpuCount: number;
  /** The kernel's name, version and machine; '' where the file does not say. */
  readonly uname: string;
  /** The clock of the time stamps, `mono`; '' where the file does not say. */
  readonly clock: string;
  /** The clock's value where `tsNs` is 0, in its own unit (nanoseconds for all but counters). */
  readonly startNs: bigint;
  /** Events by their number. */
  readonly formats: ReadonlyMap<number, EventFormat>;
  /** Names of threads by pid, as of the end of the recording. */
  readonly comms: ReadonlyMap<number, string>;
  /** '' is the top buffer; others are instances. */
  readonly bufferNames: readonly string[];
  /** What could not be read and was left out. */
  readonly problems: readonly FormatProblem[];
  readonly little: boolean;

  private readonly head: FileHead;
  private readonly container: Container;
  private readonly zero: TimeZero;
  private readonly recordHead: RecordHead;
  private readonly toNs: TicksToNs | undefined;

  constructor(
    head: FileHead,
    container: Container,
    formats: ReadonlyMap<number, EventFormat>,
    recordHead: RecordHead,
    problems: readonly FormatProblem[],
  ) {
    this.head = head;
    this.container = container;
    this.formats = formats;
    this.recordHead = recordHead;
    this.problems = problems;
    this.version = head.version;
    this.little = head.little;
    this.compression = head.compression;
    this.cpuCount = container.cpuCount;
    this.bufferNames = container.buffers.map((buffer) => buffer.name);
    this.comms = commsOf(container.cmdlines);
    this.uname = optionText(container.options, OptionId.uname);
    this.clock = clockOf(container);
    this.zero = timeZeroOf(head, container);
    const startTicks = (BigInt(this.zero.high) << 32n) + BigInt(this.zero.low);
    const scale = scaleOf(head, container.options, this.clock);
    this.toNs =
      scale === undefined ? undefined : (ticks) => Number(scale(startTicks + BigInt(ticks)) - scale(startTicks));
    this.startNs = (scale === undefined ? startTicks : scale(startTicks)) + offsetOf(container.options);
  }

  /** The format of an event, `sched_switch`; undefined where the recording has none. Cost: all formats. */
  formatNamed(name: string): EventFormat | undefined {
    for (const format of this.formats.values()) if (format.name === name) return format;
    return undefined;
  }

  /** A reader of a number; undefined where the event has no such field. */
  number(format: EventFormat | undefined, field: string): NumberReader | undefined {
    return format === undefined ? undefined : numberReader(format, field, this.little);
  }

  /** A reader of a text; undefined where the event has no such field. */
  text(format: EventFormat | undefined, field: string): TextReader | undefined {
    return format === undefined ? undefined : textReader(format, field, this.little);
  }

  /** A walk over the events of a buffer, by default the first one. A name that does not exist gives no events. */
  events(bufferName: string | undefined = this.bufferNames[0]): EventCursor {
    const buffer = this.container.buffers.find((b) => b.name === bufferName);
    return new EventCursor(buffer === undefined ? [] : this.streamsOf(buffer), this.recordHead, this.little, this.toNs);
  }

  private streamsOf(buffer: RawBuffer): CpuStream[] {
    const { little, longBytes } = this.head;
    const layout = pageLayoutOf(this.container.headerPage, longBytes);
    return buffer.cpus.map((pages) => new CpuStream(pages, little, longBytes, buffer.pageBytes, layout, this.zero));
  }
}

/**
 * Opens a recording of trace-cmd, version 6 or 7, without or with zstd. What can be read is read: `problems` of the
 * trace says what was left out. An error means that no event can be read. Unpacks at most 64 times the file's
 * length, or 256 MiB. Cost: the formats' texts and unpacking.
 */
export function openTraceDat(bytes: Uint8Array): Result<TraceDat, FormatProblem> {
  const head = readHead(bytes);
  if (!head.ok) return head;
  const read = head.value.version === 6 ? readVersion6(bytes, head.value) : readVersion7(bytes, head.value);
  if (!read.ok) return read;
  const container = read.value;
  const problems = [...container.problems];
  const formats = new Map<number, EventFormat>();
  let unread = 0;
  for (const raw of container.formats) {
    const format = parseEventFormat(raw.system, raw.text);
    if (format === undefined || format.id >= MOST_IDS) unread += 1;
    else if (!formats.has(format.id)) formats.set(format.id, format);
  }
  if (unread > 0) {
    problems.push({
      place: 'event formats',
      reason: `${unread} of ${container.formats.length} descriptions of events cannot be read; those events are left out.`,
      hint: CUT_SHORT,
    });
  }
  const recordHead = recordHeadOf(formats);
  if (recordHead === undefined || container.buffers.length === 0) {
    return err(
      problems[0] ?? {
        place: recordHead === undefined ? 'event formats' : 'options',
        reason: recordHead === undefined ? 'The file describes no event.' : 'The file has no recorded events.',
        hint: CUT_SHORT,
      },
    );
  }
  return ok(new TraceDat(head.value, container, formats, recordHead, problems));
}

function recordHeadOf(formats: ReadonlyMap<number, EventFormat>): RecordHead | undefined {
  const leastBytes = new Int32Array(MOST_IDS).fill(-1);
  for (const format of formats.values()) leastBytes[format.id] = format.leastBytes;
  for (const format of formats.values()) {
    const type = format.fields.find((field) => field.name === 'common_type');
    if (type !== undefined && (type.bytes === 2 || type.bytes === 4) && type.offset < 4096) {
      return { idAt: type.offset, idBytes: type.bytes, leastBytes };
    }
  }
  return undefined;
}

function commsOf(text: string): Map<number, string> {
  const comms = new Map<number, string>();
  for (const line of text.split('\n')) {
    const space = line.indexOf(' ');
    const pid = Number(line.slice(0, Math.max(space, 0)));
    if (space > 0 && Number.isSafeInteger(pid)) comms.set(pid, line.slice(space + 1));
  }
  return comms;
}

function optionText(options: readonly RawOption[], id: number): string {
  const option = options.find((o) => o.id === id);
  return option === undefined ? '' : allText(option.bytes).split('\0', 1)[0]!.trim();
}

/** The list `local [mono] global` marks the clock; version 7 names it with the buffer. */
function clockOf(container: Container): string {
  const own = container.buffers[0]?.clock ?? '';
  if (own !== '') return own;
  const list = optionText(container.options, OptionId.traceClock);
  const open = list.indexOf('[');
  const close = list.indexOf(']', open);
  return open >= 0 && close > open ? list.slice(open + 1, close) : '';
}

function timeZeroOf(head: FileHead, container: Container): TimeZero {
  const layout = pageLayoutOf(container.headerPage, head.longBytes);
  let zero: TimeZero | undefined;
  for (const buffer of container.buffers) {
    for (const pages of buffer.cpus) {
      const first = firstStamp(pages, head.little, buffer.pageBytes, layout);
      if (first === undefined) continue;
      if (zero === undefined || first.high < zero.high || (first.high === zero.high && first.low < zero.low))
        zero = first;
    }
  }
  return zero ?? { high: 0, low: 0 };
}

/** Nanoseconds of a counter's value, where the clock counts cycles and the file says how long one is. */
function scaleOf(
  head: FileHead,
  options: readonly RawOption[],
  clock: string,
): ((ticks: bigint) => bigint) | undefined {
  const option = options.find((o) => o.id === OptionId.tscToNs);
  if (option === undefined || (clock !== 'x86-tsc' && clock !== 'tsc2nsec')) return undefined;
  const r = new ByteReader(option.bytes, head.little);
  const multiplier = BigInt(r.u32());
  const shift = r.u32();
  const offset = r.big64();
  if (r.failedAt !== undefined || multiplier === 0n || shift > 63) return undefined;
  return (ticks) => ((ticks * multiplier) >> BigInt(shift)) + offset;
}

/** Options 1 and 7 are texts, `0x…` or decimal: nanoseconds that are added to every time stamp. */
function offsetOf(options: readonly RawOption[]): bigint {
  let sum = 0n;
  for (const id of [OptionId.date, OptionId.offset]) {
    const text = optionText(options, id);
    const digits = text.startsWith('-') ? text.slice(1) : text;
    if (!/^(0x[0-9a-f]{1,16}|[0-9]{1,19})$/i.test(digits)) continue;
    sum += text.startsWith('-') ? -BigInt(digits) : BigInt(digits);
  }
  return sum;
}
