// Version 6: one part after the other, then the pages.

import type { Result } from '../../base/result.ts';
import { err, ok } from '../../base/result.ts';
import { allText, ByteReader } from './byte_reader.ts';
import type { Container, FileHead, RawBuffer, RawFormat, RawOption } from './container.ts';
import { OptionId } from './container.ts';
import { CpuDataReader } from './cpu_data.ts';
import { readEventFormats, readFtraceFormats, readHeaderInfo } from './parts.ts';
import type { FormatProblem } from './problem.ts';
import { CUT_SHORT, problemAt } from './problem.ts';
import { UnpackBudget } from './unpack.ts';

const TAG_BYTES = 10;

export function readVersion6(bytes: Uint8Array, head: FileHead): Result<Container, FormatProblem> {
  const r = new ByteReader(bytes, head.little, head.bodyAt);
  const problems: FormatProblem[] = [];
  const formats: RawFormat[] = [];
  const headerPage = readHeaderInfo(r);
  readFtraceFormats(r, formats);
  readEventFormats(r, formats);
  r.take(r.u32()); // kallsyms
  r.take(r.u32()); // printk formats
  const cmdlines = allText(r.take(r.u64()));
  const cpuCount = r.u32();
  const options: RawOption[] = [];
  let tag = allText(r.take(TAG_BYTES));
  if (tag === 'options  \0') {
    for (;;) {
      const id = r.u16();
      if (id === OptionId.done || r.failedAt !== undefined) break;
      const data = r.take(r.u32());
      if (r.failedAt === undefined) options.push({ id, bytes: data });
    }
    tag = allText(r.take(TAG_BYTES));
  }
  if (r.failedAt !== undefined) return err(problemAt(r.failedAt, 'The file ends before its events.', CUT_SHORT));
  const tagAt = r.pos - TAG_BYTES;
  if (tag === 'latency  \0') {
    const reason = 'The file holds a latency tracer’s text, no events.';
    return err(problemAt(tagAt, reason, 'Record with "trace-cmd record -e sched".'));
  }
  if (tag !== 'flyrecord\0') return err(problemAt(tagAt, 'The place of the events is missing.', CUT_SHORT));

  const data = new CpuDataReader(bytes, head.little, new UnpackBudget(bytes.length), problems);
  const top = readBuffer(r, data, head, cpuCount, '');
  if (r.failedAt !== undefined) {
    return err(problemAt(r.failedAt, 'The list of CPUs is longer than the file.', CUT_SHORT));
  }
  const buffers: RawBuffer[] = [top];
  for (const option of options) {
    if (option.id !== OptionId.buffer) continue;
    const o = new ByteReader(option.bytes, head.little);
    const at = o.u64();
    const name = o.zeroEnded();
    if (o.failedAt !== undefined) continue;
    const b = new ByteReader(bytes, head.little, at);
    const buffer = allText(b.take(TAG_BYTES)) === 'flyrecord\0' ? readBuffer(b, data, head, cpuCount, name) : undefined;
    if (buffer === undefined || b.failedAt !== undefined) {
      problems.push(problemAt(at, `The events of the instance "${name}" are not where the file says.`, CUT_SHORT));
    } else buffers.push(buffer);
  }
  return ok({ headerPage, formats, cmdlines, cpuCount, options, buffers, problems });
}

function readBuffer(r: ByteReader, data: CpuDataReader, head: FileHead, cpuCount: number, name: string): RawBuffer {
  const cpus = [];
  for (let cpu = 0; cpu < cpuCount; cpu++) {
    const offset = r.u64();
    const size = r.u64();
    if (r.failedAt !== undefined) break;
    const pages = data.read(cpu, offset, size, false);
    if (pages !== undefined) cpus.push(pages);
  }
  return { name, clock: '', pageBytes: head.pageBytes, cpus };
}
