// A host for the command line that lives in memory, for tests: files by name, and what was written.

import type { CliIo, ReadResult } from './io.ts';

export interface MemoryIo extends CliIo {
  readonly files: Map<string, string | Uint8Array>;
  stdin: string;
  out: string;
  err: string;
}

export function memoryIo(files: Readonly<Record<string, string | Uint8Array>> = {}): MemoryIo {
  const io: MemoryIo = {
    files: new Map(Object.entries(files)),
    stdin: '',
    out: '',
    err: '',
    columns: 100,
    readFile: async (path, maxBytes) => {
      const content = io.files.get(path);
      return content === undefined ? { ok: false, reason: 'missing', detail: '' } : read(content, maxBytes);
    },
    readStdin: async (maxBytes) => read(io.stdin, maxBytes),
    write: async (text) => {
      io.out += text;
    },
    warn: (text) => {
      io.err += text;
    },
  };
  return io;
}

function read(content: string | Uint8Array, maxBytes: number): ReadResult {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  return bytes.length > maxBytes
    ? { ok: false, reason: 'too-large', detail: String(bytes.length) }
    : { ok: true, bytes };
}
