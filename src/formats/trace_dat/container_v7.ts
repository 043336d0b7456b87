// Version 7: sections, found through lists of options that point to one another.

import type { Result } from '../../base/result.ts';
import { err, ok } from '../../base/result.ts';
import { allText, ByteReader } from './byte_reader.ts';
import type { Container, CpuPages, FileHead, RawBuffer, RawFormat } from './container.ts';
import { isPageSize, OptionId } from './container.ts';
import { CpuDataReader } from './cpu_data.ts';
import { readEventFormats, readFtraceFormats, readHeaderInfo } from './parts.ts';
import type { FormatProblem } from './problem.ts';
import { CUT_SHORT, problemAt } from './problem.ts';
import { SectionFile } from './sections.ts';

const LATENCY_TEXT: FormatProblem = {
  place: 'options',
  reason: 'A latency tracer’s text is left out.',
  hint: 'Record with "trace-cmd record -e sched" to see its events.',
};

export function readVersion7(bytes: Uint8Array, head: FileHead): Result<Container, FormatProblem> {
  if (head.compression !== 'none' && head.compression !== 'zstd') {
    return err(
      problemAt(
        head.bodyAt,
        `The file is compressed with "${head.compression.slice(0, 16)}"; zstd and none can be read.`,
        'Convert it with "trace-cmd convert --compression none".',
      ),
    );
  }
  const start = new ByteReader(bytes, head.little, head.bodyAt);
  const firstAt = start.u64();
  if (start.failedAt !== undefined) {
    return err(problemAt(start.failedAt, 'The file ends in its first line.', CUT_SHORT));
  }
  if (firstAt === 0) {
    return err(problemAt(head.bodyAt, 'The file has no options: the recording was not finished.', 'Record again.'));
  }
  const file = new SectionFile(bytes, head);
  file.readOptions(firstAt);

  const formats: RawFormat[] = [];
  let headerPage = '';
  let cmdlines = '';
  readPart(file, OptionId.headerInfo, (r) => {
    headerPage = readHeaderInfo(r);
  });
  readPart(file, OptionId.ftraceFormats, (r) => readFtraceFormats(r, formats));
  readPart(file, OptionId.eventFormats, (r) => readEventFormats(r, formats));
  readPart(file, OptionId.cmdlines, (r) => {
    cmdlines = allText(r.take(r.u64()));
  });

  const data = new CpuDataReader(bytes, head.little, file.budget, file.problems);
  const buffers: RawBuffer[] = [];
  let cpuCount = 0;
  for (const option of file.options) {
    if (option.id === OptionId.cpuCount) cpuCount = new ByteReader(option.bytes, head.little).u32();
    else if (option.id === OptionId.bufferText) file.problems.push(LATENCY_TEXT);
    else if (option.id === OptionId.buffer) {
      const buffer = readBuffer(file, data, new ByteReader(option.bytes, head.little));
      if (buffer !== undefined) buffers.push(buffer);
    }
  }
  return ok({ headerPage, formats, cmdlines, cpuCount, options: file.options, buffers, problems: file.problems });
}

/** Reads a section that an option of its number points to. Files may lack it. */
function readPart(file: SectionFile, id: number, read: (r: ByteReader) => void): void {
  const at = file.placeOf(id);
  if (at === undefined) return;
  const content = file.data(at, id);
  if (!content.ok) {
    file.problems.push(content.error);
    return;
  }
  read(content.value);
  if (content.value.failedAt !== undefined) {
    file.problems.push(problemAt(at, `The part ${file.nameAt(at)} is cut short.`, CUT_SHORT));
  }
}

/** A buffer's option: its section, name, clock, page size, and where each CPU's data lie. */
function readBuffer(file: SectionFile, data: CpuDataReader, r: ByteReader): RawBuffer | undefined {
  const sectionPlace = r.u64();
  const name = r.zeroEnded();
  const clock = r.zeroEnded();
  const pageBytes = r.u32();
  const cpuCount = r.u32();
  const section = file.sectionAt(sectionPlace);
  if (r.failedAt !== undefined || section === undefined || section.id !== OptionId.buffer || !isPageSize(pageBytes)) {
    file.problems.push(problemAt(sectionPlace, `The events of the buffer "${name}" cannot be found.`, CUT_SHORT));
    return undefined;
  }
  const cpus: CpuPages[] = [];
  for (let i = 0; i < cpuCount; i++) {
    const cpu = r.u32();
    const offset = r.u64();
    const size = r.u64();
    if (r.failedAt !== undefined) {
      file.problems.push(problemAt(sectionPlace, `The list of CPUs of the buffer "${name}" is cut short.`, CUT_SHORT));
      break;
    }
    const pages = data.read(cpu, offset, size, section.compressed);
    if (pages !== undefined) cpus.push(pages);
  }
  return { name, clock, pageBytes, cpus };
}
