import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ByteWriter, buildVersion6, buildVersion7, dataRecord, page, storedFrame } from './dat_builder.ts';
import { openTraceDat } from './open_trace_dat.ts';

const LE = { little: true, longBytes: 8, pageBytes: 4096 } as const;
const FORMAT = `name: tick
ID: 7
format:
	field:unsigned short common_type;	offset:0;	size:2;	signed:0;
	field:int value;	offset:4;	size:4;	signed:1;
	field:__data_loc char[] text;	offset:8;	size:4;	signed:0;
`;
const record = (delta: number, value: number) =>
  dataRecord(LE, delta, new ByteWriter(true).number(7, 4).number(value, 4).number(0xfff0_0008, 4).bytes);
const CONTENT = {
  formats: [{ system: 'test', text: FORMAT }],
  cmdlines: '1 one\n',
  cpus: [0, 1].map((cpu) => page(LE, 100n, [...record(0, cpu), ...record(10, cpu), ...record(10, cpu)])),
};
const V6 = buildVersion6(LE, CONTENT);
const V7 = buildVersion7(LE, CONTENT, 'none');
const ZSTD = buildVersion7(LE, CONTENT, 'zstd');
const RECORDING = 'golden/recorded/6.12.117-base/pi-reweight-short.dat';

/** Reads all that can be read; returns how many events. An exception or a hang fails the test. */
function readAll(bytes: Uint8Array): number {
  const opened = openTraceDat(bytes);
  if (!opened.ok) {
    expect([opened.error.place, opened.error.reason, opened.error.hint].every((text) => text.length > 3)).toBe(true);
    return 0;
  }
  const trace = opened.value;
  let events = 0;
  for (const buffer of trace.bufferNames) {
    const cursor = trace.events(buffer);
    const readers = [...trace.formats.values()].flatMap((format) =>
      format.fields.slice(0, 12).map((f) => trace.number(format, f.name) ?? trace.text(format, f.name)),
    );
    while (cursor.next()) {
      events += 1;
      if (events < 30) for (const read of readers) read?.(cursor);
    }
  }
  return events;
}

/** A linear congruential sequence (Numerical Recipes): the same flips on every machine. */
function seeded(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 4_294_967_296) * below);
  };
}

function withFlips(bytes: Uint8Array, next: (below: number) => number, flips: number): Uint8Array {
  const broken = bytes.slice();
  for (let i = 0; i < flips; i++) broken[next(broken.length)]! ^= 1 << next(8);
  return broken;
}

test('the whole files have six events', () => {
  expect([V6, V7, ZSTD].map(readAll)).toEqual([6, 6, 6]);
});

test.each([
  ['version 6', V6],
  ['version 7', V7],
  ['version 7 with zstd', ZSTD],
])('%s cut off anywhere is refused or read as far as it goes', (_, bytes) => {
  for (let length = 0; length < bytes.length; length += length < 2_000 ? 1 : 37) {
    expect(readAll(bytes.subarray(0, length))).toBeLessThanOrEqual(6);
  }
});

test('1000 flipped bits in hand-built files are read or refused', () => {
  const next = seeded(1);
  for (let i = 0; i < 1_000; i++) readAll(withFlips([V6, V7, ZSTD][i % 3]!, next, 1 + (i % 4)));
});

test('flipped bits and cuts in a recording are read or refused', () => {
  const bytes = new Uint8Array(readFileSync(RECORDING));
  const whole = readAll(bytes);
  expect(whole).toBeGreaterThan(100);
  const next = seeded(2);
  for (let i = 0; i < 100; i++) readAll(withFlips(bytes, next, 1));
  for (let i = 0; i < 20; i++) expect(readAll(bytes.subarray(0, next(bytes.length)))).toBeLessThanOrEqual(whole);
}, 60_000);

test('garbage is no recording', () => {
  const next = seeded(3);
  const garbage = Uint8Array.from({ length: 10_000 }, () => next(256));
  expect(openTraceDat(garbage)).toMatchObject({ ok: false, error: { place: 'byte 0' } });
  garbage.set(V6.subarray(0, 18));
  readAll(garbage);
  garbage.set(V7.subarray(0, 24));
  readAll(garbage);
});

test('a packed file says that it is packed, another version names itself', () => {
  expect(openTraceDat(Uint8Array.of(0x1f, 0x8b, 8))).toMatchObject({
    error: { hint: expect.stringContaining('gzip') },
  });
  const eight = V6.slice();
  eight[10] = 0x38;
  expect(openTraceDat(eight)).toMatchObject({ error: { reason: expect.stringContaining('"8"') } });
});

/** After magic, "7", byte order, long, page size, "none" and an empty version: the place of the first list. */
const FIRST_LIST_AT = 10 + 2 + 1 + 1 + 4 + 5 + 1;

/** Where the bytes of `part` begin in `bytes`. */
function find(bytes: Uint8Array, part: readonly number[], from = 0): number {
  for (let i = from; i < bytes.length; i++) if (part.every((byte, k) => bytes[i + k] === byte)) return i;
  throw new Error('not there');
}

test('lists of options that form a ring end', () => {
  const bytes = V7.slice();
  const firstAt = new DataView(bytes.buffer).getBigUint64(FIRST_LIST_AT, true);
  const at = Number(firstAt);
  expect(bytes[at]).toBe(0);
  const size = new DataView(bytes.buffer).getUint32(at + 8, true);
  // The last eight bytes of the first list point to the second; now to itself.
  new DataView(bytes.buffer).setBigUint64(at + 16 + size - 8, firstAt, true);
  const opened = openTraceDat(bytes);
  expect(opened).toMatchObject({ ok: false, error: { reason: expect.stringContaining('ring') } });
});

test('a frame that would fill gigabytes is refused before it is unpacked', () => {
  const frame = storedFrame([1, 2, 3]);
  const at = find(ZSTD, frame.slice(0, 5));
  const bomb = ZSTD.slice();
  const view = new DataView(bomb.buffer);
  view.setUint32(at - 4, 0xffff_ffff, true);
  const opened = openTraceDat(bomb);
  const problem = opened.ok ? opened.value.problems[0] : opened.error;
  expect(problem?.reason).toContain('too much');
});

test('the same data named for many CPUs are read once', () => {
  const cpus = 2_000;
  const bytes = buildVersion6(LE, { ...CONTENT, cpus: new Array(cpus).fill([]) });
  const list =
    find(
      bytes,
      [...'flyrecord\0'].map((c) => c.charCodeAt(0)),
    ) + 10;
  const view = new DataView(bytes.buffer);
  for (let cpu = 0; cpu < cpus; cpu++) {
    view.setBigUint64(list + cpu * 16, 0n, true);
    view.setBigUint64(list + cpu * 16 + 8, BigInt(bytes.length), true);
  }
  const opened = openTraceDat(bytes);
  expect(opened.ok && opened.value.problems.length).toBe(cpus - 1);
  readAll(bytes);
});
