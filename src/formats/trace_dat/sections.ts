// Sections and lists of options of version 7. Places and lengths are the file's own words: none is trusted.

import type { Result } from '../../base/result.ts';
import { err, ok } from '../../base/result.ts';
import { ByteReader, textOf } from './byte_reader.ts';
import type { FileHead, RawOption } from './container.ts';
import { OptionId } from './container.ts';
import type { FormatProblem } from './problem.ts';
import { CUT_SHORT, problemAt } from './problem.ts';
import { UnpackBudget, unpackPart } from './unpack.ts';

const COMPRESSED = 1;
const SECTION_HEAD_BYTES = 16;

interface Section {
  readonly id: number;
  readonly compressed: boolean;
  /** Where its name begins in the file's strings. */
  readonly description: number;
  readonly dataAt: number;
  readonly dataEnd: number;
}

export class SectionFile {
  readonly problems: FormatProblem[] = [];
  readonly options: RawOption[] = [];
  readonly budget: UnpackBudget;
  private readonly bytes: Uint8Array;
  private readonly head: FileHead;
  private strings: Uint8Array | undefined = undefined;

  constructor(bytes: Uint8Array, head: FileHead) {
    this.bytes = bytes;
    this.head = head;
    this.budget = new UnpackBudget(bytes.length);
  }

  /** The head of a section, or undefined where the file has no room for one. */
  sectionAt(at: number): Section | undefined {
    const r = new ByteReader(this.bytes, this.head.little, at);
    const id = r.u16();
    const flags = r.u16();
    const description = r.u32();
    const size = r.u64();
    if (r.failedAt !== undefined) return undefined;
    return { id, compressed: (flags & COMPRESSED) !== 0, description, dataAt: r.pos, dataEnd: r.pos + size };
  }

  /** A section's content, unpacked. */
  data(at: number, wanted: number): Result<ByteReader, FormatProblem> {
    const section = this.sectionAt(at);
    if (section === undefined || section.id !== wanted) {
      return err(problemAt(at, `Section ${wanted} is not where the file says.`, CUT_SHORT));
    }
    const content = this.content(section);
    if (content.ok) return content;
    return err({ ...content.error, place: `${content.error.place}, ${this.nameAt(at)}` });
  }

  /** Follows the chain of option lists; a list that was read before ends it. */
  readOptions(firstAt: number): void {
    const seen = new Set<number>();
    for (let at = firstAt; at !== 0; ) {
      if (seen.has(at)) {
        this.problems.push(problemAt(at, 'The lists of options form a ring.', CUT_SHORT));
        return;
      }
      seen.add(at);
      const list = this.data(at, OptionId.done);
      if (!list.ok) {
        this.problems.push(list.error);
        return;
      }
      at = this.readList(list.value, at);
    }
  }

  /** The place that the first option of this number gives. */
  placeOf(id: number): number | undefined {
    const option = this.options.find((o) => o.id === id);
    if (option === undefined) return undefined;
    const r = new ByteReader(option.bytes, this.head.little);
    const at = r.u64();
    return r.failedAt === undefined ? at : undefined;
  }

  /** A section's name as the file calls it, with its number where it has none. */
  nameAt(at: number): string {
    const section = this.sectionAt(at);
    if (section === undefined) return 'no section';
    this.strings ??= this.readStrings();
    const from = section.description;
    const zero = this.strings.indexOf(0, from);
    const name = from < this.strings.length && zero >= 0 ? textOf(this.strings, from, zero).trim() : '';
    return name === '' ? `section ${section.id}` : `section "${name}"`;
  }

  /** Returns the place of the next list, 0 after the last one. */
  private readList(r: ByteReader, listAt: number): number {
    while (r.left > 0) {
      const id = r.u16();
      const size = r.u32();
      if (id === OptionId.done) {
        if (size === 0 && r.failedAt === undefined) return 0;
        const next = r.u64();
        if (r.failedAt === undefined) return next;
        break;
      }
      const bytes = r.take(size);
      if (r.failedAt === undefined) this.options.push({ id, bytes });
    }
    this.problems.push(problemAt(listAt, 'A list of options has no end.', CUT_SHORT));
    return 0;
  }

  private content(section: Section): Result<ByteReader, FormatProblem> {
    const { little } = this.head;
    const { bytes } = this;
    if (!section.compressed) {
      if (section.dataEnd > bytes.length) {
        return err(problemAt(section.dataAt, 'A section ends after the file does.', CUT_SHORT));
      }
      return ok(new ByteReader(bytes, little, section.dataAt, section.dataEnd));
    }
    const part = unpackPart(new ByteReader(bytes, little, section.dataAt, section.dataEnd), this.budget);
    return part.ok ? ok(new ByteReader(part.value, little)) : part;
  }

  /** The file's strings lie in sections of their own, one after the other, found by walking over all sections. */
  private readStrings(): Uint8Array {
    const parts: Uint8Array[] = [];
    let length = 0;
    for (let at = this.head.bodyAt + 8; at + SECTION_HEAD_BYTES <= this.bytes.length; ) {
      const section = this.sectionAt(at);
      if (section === undefined) break;
      const content = section.id === OptionId.strings ? this.content(section) : undefined;
      if (content?.ok === true) {
        parts.push(content.value.take(content.value.left));
        length += parts.at(-1)!.length;
      }
      at = section.dataEnd;
    }
    const all = new Uint8Array(length);
    let done = 0;
    for (const part of parts) {
      all.set(part, done);
      done += part.length;
    }
    return all;
  }
}
