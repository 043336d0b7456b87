import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { openTraceDat } from './open_trace_dat.ts';

// trace-cmd's own report beside ours, event by event. Where trace-cmd is not installed, nothing is compared.

const installed = spawnSync('trace-cmd', ['--version']).error === undefined;
if (!installed) console.warn('trace-cmd is not installed: its report is not compared with ours.');

const RECORDINGS = [
  '6.1.176-deb/bmalloc-usleep150',
  '6.12.117-pi/pi-reweight',
  '6.12.117-deb/smp2',
  '7.2.13-deb/fair-share',
  '7.2.13-deb/deadline',
];
const LINE = /^\s*(\S.*?)-(\d+)\s+\[(\d+)\]\s+(\d+)\.(\d{9}): (\w+):\s*(.*)$/;

/** The fields of a raw report's line: `name=value`, where a value may contain spaces. */
function fieldOf(text: string, name: string, names: readonly string[]): string {
  const from = ` ${text}`.indexOf(` ${name}=`);
  const rest = text.slice(from + name.length + 1);
  const ends = names.map((other) => rest.indexOf(` ${other}=`)).filter((end) => end >= 0);
  return rest.slice(0, Math.min(rest.length, ...ends));
}

describe.skipIf(!installed)('trace-cmd report -R agrees', () => {
  test.each(RECORDINGS)('%s', (name) => {
    const file = `golden/recorded/${name}.dat`;
    const report = spawnSync('trace-cmd', ['report', '-t', '-R', file], { maxBuffer: 1e9 }).stdout.toString();
    const opened = openTraceDat(new Uint8Array(readFileSync(file)));
    if (!opened.ok) throw new Error(opened.error.reason);
    const trace = opened.value;
    const cursor = trace.events();
    let compared = 0;
    let fields = 0;
    for (const line of report.split('\n')) {
      const m = LINE.exec(line);
      if (m === null) continue;
      expect(cursor.next()).toBe(true);
      const format = trace.formats.get(cursor.id)!;
      const at = BigInt(m[4]!) * 1_000_000_000n + BigInt(m[5]!);
      const pid = trace.number(format, 'common_pid')!(cursor);
      expect([trace.startNs + BigInt(cursor.tsNs), cursor.cpu, pid, format.name]).toEqual([
        at,
        Number(m[3]),
        Number(m[2]),
        m[6],
      ]);
      const own = format.fields.filter((field) => !field.name.startsWith('common_'));
      const names = own.map((field) => field.name);
      for (const field of own) {
        const theirs = fieldOf(m[7]!, field.name, names);
        if (field.shape === 'number') {
          // Addresses of 64 bits are not exact in a float64.
          if (field.bytes === 8 && theirs.startsWith('0x')) continue;
          const ours = trace.number(format, field.name)!(cursor);
          expect([field.name, ours]).toEqual([field.name, Number(theirs)]);
        } else if (field.declaration.includes('char')) {
          const ours = trace.text(format, field.name)!(cursor).trimEnd();
          expect([field.name, ours]).toEqual([field.name, theirs.trimEnd()]);
        } else continue;
        fields += 1;
      }
      compared += 1;
    }
    expect(cursor.next()).toBe(false);
    expect(compared).toBeGreaterThan(100);
    expect(fields).toBeGreaterThan(compared);
  });
});
