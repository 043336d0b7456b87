// The command line's host in Node: real files and streams.

import { open } from 'node:fs/promises';
import type { CliIo, ReadResult } from './io.ts';

const CHUNK_BYTES = 65_536;

/** Files, standard input and output of this process. */
export function nodeIo(): CliIo {
  return {
    readFile,
    readStdin,
    write,
    warn: (text) => {
      process.stderr.write(text);
    },
    columns: process.stdout.columns ?? 100,
  };
}

async function readFile(path: string, maxBytes: number): Promise<ReadResult> {
  let file: Awaited<ReturnType<typeof open>> | undefined;
  try {
    file = await open(path, 'r');
    const stat = await file.stat();
    if (stat.isDirectory()) return { ok: false, reason: 'directory', detail: '' };
    if (stat.size > maxBytes) return tooLarge(stat.size);
    // Not by the size alone: pipes and files of /proc say 0.
    const parts: Uint8Array[] = [];
    let total = 0;
    for (;;) {
      const { bytesRead, buffer } = await file.read(new Uint8Array(CHUNK_BYTES), 0, CHUNK_BYTES);
      if (bytesRead === 0) return { ok: true, bytes: Buffer.concat(parts, total) };
      total += bytesRead;
      if (total > maxBytes) return tooLarge(total);
      parts.push(buffer.subarray(0, bytesRead));
    }
  } catch (error) {
    return readError(error);
  } finally {
    await file?.close();
  }
}

async function readStdin(maxBytes: number): Promise<ReadResult> {
  const parts: Uint8Array[] = [];
  let total = 0;
  try {
    for await (const part of process.stdin as AsyncIterable<Uint8Array>) {
      total += part.length;
      if (total > maxBytes) {
        process.stdin.destroy();
        return tooLarge(total);
      }
      parts.push(part);
    }
  } catch (error) {
    return readError(error);
  }
  return { ok: true, bytes: Buffer.concat(parts, total) };
}

/** Waits until the text has left, so that nothing is cut when the process ends and a slow reader slows us down. */
function write(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(text, (error) => {
      if (!error) resolve();
      // A closed pipe ends the process by the stream's own 'error' event (main.ts); nothing is to be said.
      else if ((error as NodeJS.ErrnoException).code !== 'EPIPE') reject(error);
    });
  });
}

function tooLarge(bytes: number): ReadResult {
  return { ok: false, reason: 'too-large', detail: String(bytes) };
}

function readError(error: unknown): ReadResult {
  const { code, message } = error as { readonly code?: string; readonly message: string };
  if (code === 'ENOENT' || code === 'ENOTDIR') return { ok: false, reason: 'missing', detail: '' };
  if (code === 'EISDIR') return { ok: false, reason: 'directory', detail: '' };
  return { ok: false, reason: 'failed', detail: code === 'EACCES' ? 'permission denied' : message };
}
