import { describe, expect, test } from 'vitest';
import type { DatContent } from './dat_builder.ts';
import { ByteWriter, buildVersion6, buildVersion7, dataRecord, page, recordWord } from './dat_builder.ts';
import type { TraceDat } from './open_trace_dat.ts';
import { openTraceDat } from './open_trace_dat.ts';

// Fields stand where no kernel puts them: a reader that knew their places beforehand would fail.
const SWITCH = `name: sched_switch
ID: 301
format:
	field:unsigned short common_type;	offset:0;	size:2;	signed:0;
	field:unsigned char common_flags;	offset:2;	size:1;	signed:0;
	field:unsigned char common_preempt_count;	offset:3;	size:1;	signed:0;
	field:int common_pid;	offset:4;	size:4;	signed:1;

	field:pid_t next_pid;	offset:8;	size:4;	signed:1;
	field:long prev_state;	offset:16;	size:8;	signed:1;
	field:int prev_prio;	offset:24;	size:4;	signed:1;
	field:unsigned short half;	offset:28;	size:2;	signed:0;
	field:signed char tiny;	offset:30;	size:1;	signed:1;
	field:char next_comm[16];	offset:32;	size:16;	signed:0;
	field:pid_t prev_pid;	offset:48;	size:4;	signed:1;
	field:__data_loc char[] path;	offset:52;	size:4;	signed:0;
	field:__rel_loc char[] tail;	offset:56;	size:4;	signed:0;

print fmt: "%s field:int no_field; offset:0; size:4; signed:1;", REC->next_comm
`;
const PRINT = `name: print
ID: 5
format:
	field:unsigned short common_type;	offset:0;	size:2;	signed:0;
	field:int common_pid;	offset:4;	size:4;	signed:1;
	field:unsigned long ip;	offset:8;	size:8;	signed:0;
	field:char buf[];	offset:16;	size:0;	signed:0;

print fmt: "%s", REC->buf
`;

const MACHINES = [true, false].flatMap((little) =>
  ([8, 4] as const).map((longBytes) => ({
    name: `${little ? 'little' : 'big'} endian, longs of ${longBytes} bytes`,
    machine: { little, longBytes, pageBytes: 4096 },
  })),
);
const LE = { little: true, longBytes: 8, pageBytes: 4096 } as const;

function switchData(little: boolean, nextPid: number): number[] {
  const w = new ByteWriter(little).number(301, 2).number(0, 2).number(77, 4);
  w.number(nextPid, 4).number(0, 4).number(-2, 8).number(120, 4).number(65_535, 2).number(-3, 1).number(0, 1);
  w.text('täsk/1').padTo(48);
  return w
    .number(-1, 4)
    .number((5 << 16) | 60, 4)
    .number((4 << 16) | 5, 4)
    .text('/tmp\0abc\0\0\0\0').bytes;
}

function printData(little: boolean, text: string): number[] {
  return new ByteWriter(little).number(5, 2).number(0, 2).number(9, 4).number(0, 8).zeroEnded(text).padTo(4).bytes;
}

function contentOf(machine: (typeof MACHINES)[number]['machine']): DatContent {
  const { little } = machine;
  const data = (delta: number, pid: number) => dataRecord(machine, delta, switchData(little, pid));
  return {
    formats: [
      { system: 'ftrace', text: PRINT },
      { system: 'sched', text: SWITCH },
    ],
    cmdlines: '77 kworker/0:1 x\n1 init\n',
    cpus: [
      [
        ...page(machine, 5_000_000_000_000n, [...data(0, 11), ...data(2_000, 12)]),
        ...page(machine, 5_000_000_010_000n, data(0, 13)),
      ],
      [],
      page(machine, 5_000_000_001_000n, [...data(0, 21), ...dataRecord(machine, 1_000, printData(little, 'hello'))]),
    ],
    options: [{ id: 5, bytes: [...'Linux 6.12\0'].map((c) => c.charCodeAt(0)) }],
  };
}

function opened(bytes: Uint8Array): TraceDat {
  const result = openTraceDat(bytes);
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.value;
}

/** Each event as [instant, CPU, next_pid or text]. */
function rows(trace: TraceDat): (number | string)[][] {
  const format = trace.formatNamed('sched_switch');
  const next = trace.number(format, 'next_pid');
  const text = trace.text(trace.formatNamed('print'), 'buf');
  const found = [];
  const cursor = trace.events();
  while (cursor.next()) {
    found.push([cursor.tsNs, cursor.cpu, (cursor.id === format?.id ? next?.(cursor) : text?.(cursor)) ?? '']);
  }
  return found;
}

const MERGED = [
  [0, 0, 11],
  [1_000, 2, 21],
  [2_000, 0, 12],
  [2_000, 2, 'hello'],
  [10_000, 0, 13],
];

describe.each(MACHINES)('a file of a machine with $name', ({ machine }) => {
  test.each([
    ['version 6', buildVersion6(machine, contentOf(machine))],
    ['version 7', buildVersion7(machine, contentOf(machine), 'none')],
    ['version 7 with zstd', buildVersion7(machine, contentOf(machine), 'zstd')],
  ])('%s gives its events by time, CPU by CPU at one instant', (_, bytes) => {
    const trace = opened(bytes);
    expect(trace.problems).toEqual([]);
    expect(rows(trace)).toEqual(MERGED);
    expect(trace.startNs).toBe(5_000_000_000_000n);
    expect([trace.cpuCount, trace.uname]).toEqual([3, 'Linux 6.12']);
    expect([...trace.comms]).toEqual([
      [77, 'kworker/0:1 x'],
      [1, 'init'],
    ]);
  });

  test('fields are read where the text says, with their sign and length', () => {
    const trace = opened(buildVersion6(machine, contentOf(machine)));
    const format = trace.formatNamed('sched_switch')!;
    const cursor = trace.events();
    cursor.next();
    const numbers = ['common_pid', 'prev_state', 'prev_prio', 'half', 'tiny', 'prev_pid'];
    expect(numbers.map((name) => trace.number(format, name)!(cursor))).toEqual([77, -2, 120, 65_535, -3, -1]);
    const texts = ['next_comm', 'path', 'tail'].map((name) => trace.text(format, name)!(cursor));
    // The name's ä is one byte, which is no UTF-8.
    expect(texts).toEqual(['t\ufffdsk/1', '/tmp', 'abc']);
    expect(trace.number(format, 'no_field')).toBeUndefined();
    expect(trace.text(format, 'prev_pid')).toBeUndefined();
  });
});

function fileOf(records: readonly number[], stamp = 1_000n, flags = 0): Uint8Array {
  return buildVersion6(LE, {
    formats: [{ system: 'sched', text: SWITCH }],
    cmdlines: '',
    cpus: [page(LE, stamp, records, flags)],
  });
}
const word = (value: number) => new ByteWriter(true).number(value, 4).bytes;
const DATA = switchData(true, 1);

test('a record of 64 bytes 1000 ns later begins with 10 7d 00 00', () => {
  const data = [...DATA.slice(0, 64)];
  while (data.length < 64) data.push(0);
  const noTail = SWITCH.split('\n').filter((line) => !line.includes('_loc '));
  const bytes = buildVersion6(LE, {
    formats: [{ system: 'sched', text: noTail.join('\n') }],
    cmdlines: '',
    cpus: [page(LE, 0n, [0x10, 0x00, 0x00, 0x00, ...data, 0x10, 0x7d, 0x00, 0x00, ...data])],
  });
  const cursor = opened(bytes).events();
  expect([cursor.next(), cursor.length, cursor.next(), cursor.tsNs, cursor.length]).toEqual([
    true,
    64,
    true,
    1_000,
    64,
  ]);
});

test('a gap of 200 ms is a time extend: 7D78401E, then 1', () => {
  const records = [
    ...dataRecord(LE, 0, DATA),
    ...word(0x7d78401e),
    ...word(1),
    ...dataRecord(LE, 0, DATA),
    ...dataRecord(LE, 7, DATA),
  ];
  expect(rows(opened(fileOf(records))).map((row) => row[0])).toEqual([0, 200_000_000, 200_000_007]);
});

test('an absolute stamp sets the clock; its upper five bits are the page’s', () => {
  const start = 0x0900_0000_0000_1000n;
  const at = start + 123_456_789_012n;
  const low = at & ((1n << 59n) - 1n);
  const records = [
    ...dataRecord(LE, 0, DATA),
    ...recordWord(LE, 31, Number(low & 0x7ffffffn)),
    ...word(Number(low >> 27n)),
    ...dataRecord(LE, 0, DATA),
  ];
  const trace = opened(fileOf(records, start));
  expect(trace.startNs).toBe(start);
  expect(rows(trace).map((row) => row[0])).toEqual([0, 123_456_789_012]);
});

test('an event that was thrown away leaves its time; padding without time ends the page', () => {
  const records = [
    ...dataRecord(LE, 0, DATA),
    ...recordWord(LE, 29, 500),
    ...word(12),
    ...word(0),
    ...word(0),
    ...dataRecord(LE, 30, DATA),
    ...recordWord(LE, 29, 0),
    ...word(4096),
    ...dataRecord(LE, 30, DATA),
  ];
  expect(rows(opened(fileOf(records))).map((row) => row[0])).toEqual([0, 530]);
});

test('a record longer than 112 bytes has its length in a word of its own', () => {
  const long = [...DATA];
  while (long.length < 200) long.push(0);
  const cursor = opened(fileOf([...dataRecord(LE, 0, long), ...dataRecord(LE, 9, DATA)])).events();
  expect([cursor.next(), cursor.length, cursor.next(), cursor.tsNs]).toEqual([true, 200, true, 9]);
});

test('lost events are counted where the kernel stored their number, and unknown where not', () => {
  const record = dataRecord(LE, 0, DATA);
  const stored = opened(fileOf([...record, ...new ByteWriter(true).number(42, 8).bytes], 0n, 0xc000_0000 - 8)).events();
  expect([stored.next(), stored.lost, stored.next()]).toEqual([true, 42, false]);
  const unknown = opened(fileOf(record, 0n, 0x8000_0000)).events();
  expect([unknown.next(), unknown.lost]).toEqual([true, -1]);
});

test('events without a description, and records shorter than theirs, are skipped and counted', () => {
  const stranger = new ByteWriter(true).number(999, 2).number(0, 2).number(1, 4).bytes;
  const records = [...dataRecord(LE, 0, stranger), ...dataRecord(LE, 5, DATA.slice(0, 32)), ...dataRecord(LE, 5, DATA)];
  const cursor = opened(fileOf(records)).events();
  expect([cursor.next(), cursor.tsNs, cursor.next(), cursor.skipped]).toEqual([true, 10, false, 2]);
});

test('pages of 64 KiB and an offset option are understood', () => {
  const machine = { little: true, longBytes: 8, pageBytes: 65_536 } as const;
  const content = { ...contentOf(machine), options: [{ id: 7, bytes: [...'-1000\0'].map((c) => c.charCodeAt(0)) }] };
  const trace = opened(buildVersion7(machine, content, 'zstd'));
  expect(rows(trace)).toEqual(MERGED);
  expect(trace.startNs).toBe(4_999_999_999_000n);
});

test('an instance of version 6 is a buffer of its own', () => {
  const base = buildVersion6(LE, { ...contentOf(LE), options: [{ id: 3, bytes: new Array(13).fill(0) }] });
  // The instance's pages are those of CPU 2 again: its list of CPUs is appended to the file.
  const extra = new ByteWriter(true).zeroEnded('flyrecord').number(0, 8).number(0, 8).number(0, 8).number(0, 8);
  const own = page(LE, 5_000_000_003_000n, dataRecord(LE, 0, switchData(true, 99)));
  const at = Math.ceil((base.length + 58) / 4096) * 4096;
  extra.number(at, 8).number(own.length, 8);
  const option = base.findIndex(
    (_, i) => base[i] === 3 && base[i + 1] === 0 && base[i + 2] === 13 && base[i + 3] === 0,
  );
  const bytes = new Uint8Array(at + own.length);
  bytes.set(base);
  bytes.set(new ByteWriter(true).number(base.length, 8).zeroEnded('inst').bytes, option + 6);
  bytes.set(extra.bytes, base.length);
  bytes.set(own, at);
  const trace = opened(bytes);
  expect(trace.bufferNames).toEqual(['', 'inst']);
  const cursor = trace.events('inst');
  const next = trace.number(trace.formatNamed('sched_switch'), 'next_pid')!;
  expect([cursor.next(), cursor.tsNs, next(cursor), cursor.next()]).toEqual([true, 3_000, 99, false]);
});
