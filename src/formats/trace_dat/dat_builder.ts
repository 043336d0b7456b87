// Builds trace.dat files byte by byte, for tests: the other side of the reader, written from the format's description.

interface Machine {
  readonly little: boolean;
  readonly longBytes: 4 | 8;
  readonly pageBytes: number;
}

/** Appends numbers and texts in a byte order. */
export class ByteWriter {
  readonly bytes: number[] = [];
  readonly little: boolean;

  constructor(little: boolean) {
    this.little = little;
  }

  number(value: number | bigint, count: 1 | 2 | 4 | 8): this {
    const at = this.bytes.length;
    for (let i = 0; i < count; i++) {
      const byte = Number((BigInt(value) >> BigInt(8 * i)) & 0xffn);
      this.bytes[this.little ? at + i : at + count - 1 - i] = byte;
    }
    return this;
  }

  raw(bytes: Iterable<number>): this {
    for (const byte of bytes) this.bytes.push(byte);
    return this;
  }

  /** ASCII without an end. */
  text(text: string): this {
    return this.raw([...text].map((c) => c.charCodeAt(0)));
  }

  zeroEnded(text: string): this {
    return this.text(text).number(0, 1);
  }

  /** Zeros up to a multiple of `size`. */
  padTo(size: number): this {
    while (this.bytes.length % size !== 0) this.bytes.push(0);
    return this;
  }
}

export const HEADER_PAGE = (machine: Machine): string => {
  const { longBytes, pageBytes } = machine;
  const dataAt = 8 + longBytes;
  return [
    '\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;',
    `\tfield: local_t commit;\toffset:8;\tsize:${longBytes};\tsigned:1;`,
    '\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;',
    `\tfield: char data;\toffset:${dataAt};\tsize:${pageBytes - dataAt};\tsigned:0;`,
    '',
  ].join('\n');
};

/** The word that begins a record. */
export function recordWord(machine: Machine, type: number, delta: number): number[] {
  const word = machine.little ? BigInt(delta) * 32n + BigInt(type) : BigInt(type) * 134_217_728n + BigInt(delta);
  return new ByteWriter(machine.little).number(word, 4).bytes;
}

/** A record with data whose length is a multiple of 4. */
export function dataRecord(machine: Machine, delta: number, data: readonly number[]): number[] {
  if (data.length <= 112) return [...recordWord(machine, data.length / 4, delta), ...data];
  const length = new ByteWriter(machine.little).number(data.length + 4, 4).bytes;
  return [...recordWord(machine, 0, delta), ...length, ...data];
}

/** A ring buffer page; `flags` go into the commit word. */
export function page(machine: Machine, stamp: bigint, records: readonly number[], flags = 0): number[] {
  const w = new ByteWriter(machine.little).number(stamp, 8).number(records.length + flags, machine.longBytes);
  return w.raw(records).padTo(machine.pageBytes).bytes;
}

export interface DatContent {
  readonly formats: readonly { readonly system: string; readonly text: string }[];
  readonly cmdlines: string;
  /** Pages of each CPU. */
  readonly cpus: readonly (readonly number[])[];
  readonly options?: readonly { readonly id: number; readonly bytes: readonly number[] }[];
}

function head(machine: Machine, version: string): ByteWriter {
  const w = new ByteWriter(machine.little).raw([0x17, 0x08, 0x44]).text('tracing').zeroEnded(version);
  return w
    .number(machine.little ? 0 : 1, 1)
    .number(machine.longBytes, 1)
    .number(machine.pageBytes, 4);
}

function headerInfo(w: ByteWriter, machine: Machine): ByteWriter {
  const text = HEADER_PAGE(machine);
  return w.zeroEnded('header_page').number(text.length, 8).text(text).zeroEnded('header_event').number(0, 8);
}

function eventFormats(w: ByteWriter, content: DatContent): ByteWriter {
  const systems = [...new Set(content.formats.map((format) => format.system))].filter((name) => name !== 'ftrace');
  w.number(systems.length, 4);
  for (const system of systems) {
    const own = content.formats.filter((format) => format.system === system);
    w.zeroEnded(system).number(own.length, 4);
    for (const { text } of own) w.number(text.length, 8).text(text);
  }
  return w;
}

function ftraceFormats(w: ByteWriter, content: DatContent): ByteWriter {
  const own = content.formats.filter((format) => format.system === 'ftrace');
  w.number(own.length, 4);
  for (const { text } of own) w.number(text.length, 8).text(text);
  return w;
}

/** Version 6. */
export function buildVersion6(machine: Machine, content: DatContent): Uint8Array {
  const w = headerInfo(head(machine, '6'), machine);
  eventFormats(ftraceFormats(w, content), content);
  w.number(0, 4).number(0, 4).number(content.cmdlines.length, 8).text(content.cmdlines).number(content.cpus.length, 4);
  w.zeroEnded('options  ');
  for (const option of content.options ?? []) w.number(option.id, 2).number(option.bytes.length, 4).raw(option.bytes);
  w.number(0, 2).zeroEnded('flyrecord');
  const listBytes = content.cpus.length * 16;
  let at = Math.ceil((w.bytes.length + listBytes) / machine.pageBytes) * machine.pageBytes;
  for (const pages of content.cpus) {
    w.number(at, 8).number(pages.length, 8);
    at += pages.length;
  }
  w.padTo(machine.pageBytes);
  for (const pages of content.cpus) w.raw(pages);
  return Uint8Array.from(w.bytes);
}

/** A Zstandard frame of stored blocks: what RFC 8878 allows for data that are not worth packing. */
export function storedFrame(data: readonly number[]): number[] {
  const w = new ByteWriter(true).raw([0x28, 0xb5, 0x2f, 0xfd, 0xa0]).number(data.length, 4);
  const most = 65_536;
  for (let at = 0; at === 0 || at < data.length; at += most) {
    const block = data.slice(at, at + most);
    const last = at + most >= data.length ? 1 : 0;
    w.raw([...new ByteWriter(true).number(block.length * 8 + last, 4).bytes.slice(0, 3), ...block]);
  }
  return w.bytes;
}

function chunk(little: boolean, data: readonly number[]): number[] {
  const packed = storedFrame(data);
  return new ByteWriter(little).number(packed.length, 4).number(data.length, 4).raw(packed).bytes;
}

/** Version 7. The options lie in two lists: the parts' places in the first, the buffer in the second. */
export function buildVersion7(machine: Machine, content: DatContent, compression: 'none' | 'zstd'): Uint8Array {
  const { little } = machine;
  const packed = compression === 'zstd';
  const w = head(machine, '7')
    .zeroEnded(compression)
    .zeroEnded(packed ? '1.5.4' : '');
  const firstListAt = w.bytes.length;
  w.number(0, 8);
  const names = ['headers', 'ftrace events', 'events format', 'command lines', 'options', 'buffer', 'strings'];
  const nameAt = (name: string) => names.slice(0, names.indexOf(name)).join('\0').length + (name === names[0] ? 0 : 1);
  const section = (id: number, name: string, data: readonly number[], pack: boolean): number => {
    const at = w.bytes.length;
    const body = pack ? chunk(little, data) : data;
    w.number(id, 2)
      .number(pack ? 1 : 0, 2)
      .number(nameAt(name), 4)
      .number(body.length, 8)
      .raw(body);
    return at;
  };
  const places = [
    [16, section(16, 'headers', headerInfo(new ByteWriter(little), machine).bytes, packed)],
    [17, section(17, 'ftrace events', ftraceFormats(new ByteWriter(little), content).bytes, packed)],
    [18, section(18, 'events format', eventFormats(new ByteWriter(little), content).bytes, packed)],
    [
      21,
      section(
        21,
        'command lines',
        new ByteWriter(little).number(content.cmdlines.length, 8).text(content.cmdlines).bytes,
        packed,
      ),
    ],
  ] as const;
  const patch = (at: number, value: number) => w.bytes.splice(at, 8, ...new ByteWriter(little).number(value, 8).bytes);
  const list = new ByteWriter(little);
  for (const [id, at] of places) list.number(id, 2).number(8, 4).number(at, 8);
  list.number(8, 2).number(4, 4).number(content.cpus.length, 4);
  for (const option of content.options ?? [])
    list.number(option.id, 2).number(option.bytes.length, 4).raw(option.bytes);
  const nextListAt = list.bytes.length + 6;
  list.number(0, 2).number(8, 4).number(0, 8);
  const listAt = section(0, 'options', list.bytes, false);
  patch(firstListAt, listAt);

  // The buffer's section: CPUs' data, each at the beginning of a page.
  const bufferAt = w.bytes.length;
  w.number(3, 2)
    .number(packed ? 1 : 0, 2)
    .number(nameAt('buffer'), 4)
    .number(0, 8);
  const bufferDataAt = w.bytes.length;
  const cpus = new ByteWriter(little);
  content.cpus.forEach((pages, cpu) => {
    w.padTo(machine.pageBytes);
    const at = w.bytes.length;
    const body = packed ? chunk(little, pages) : pages;
    if (packed) w.number(1, 4);
    w.raw(body);
    cpus
      .number(cpu, 4)
      .number(at, 8)
      .number(pages.length === 0 ? 0 : body.length, 8);
  });
  patch(bufferDataAt - 8, w.bytes.length - bufferDataAt);
  const option = new ByteWriter(little).number(bufferAt, 8).zeroEnded('').zeroEnded('mono');
  option.number(machine.pageBytes, 4).number(content.cpus.length, 4).raw(cpus.bytes);
  const second = new ByteWriter(little).number(3, 2).number(option.bytes.length, 4).raw(option.bytes);
  second.number(0, 2).number(8, 4).number(0, 8);
  patch(listAt + 16 + nextListAt, section(0, 'options', second.bytes, false));
  section(15, 'strings', new ByteWriter(little).zeroEnded(names.join('\0')).bytes, packed);
  return Uint8Array.from(w.bytes);
}
