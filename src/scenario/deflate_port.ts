// Compression for links. The core has no CompressionStream type, so the host passes its own in.

/** What the link codec needs of the host. */
export interface DeflatePort {
  /** deflate without header (RFC 1951). */
  deflate(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array>;
  /**
   * The inverse. Stops as soon as more than `maxBytes` came out, so that a small bomb costs little.
   * Bad input is an answer, never a rejection.
   */
  inflate(bytes: Uint8Array<ArrayBuffer>, maxBytes: number): Promise<Uint8Array | 'too-big' | 'broken'>;
}

/** The part of CompressionStream and DecompressionStream that is used here. */
export interface ByteTransform {
  readonly writable: { getWriter(): { write(chunk: Uint8Array<ArrayBuffer>): Promise<void>; close(): Promise<void> } };
  readonly readable: {
    getReader(): {
      read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>;
      cancel(): Promise<void>;
    };
  };
}
export type ByteTransformClass = new (format: 'deflate-raw') => ByteTransform;

/** A port over the host's streams: `createDeflatePort(CompressionStream, DecompressionStream)` in browsers, workers and Node. */
export function createDeflatePort(compression: ByteTransformClass, decompression: ByteTransformClass): DeflatePort {
  return {
    async deflate(bytes) {
      const packed = await pump(new compression('deflate-raw'), bytes, Number.POSITIVE_INFINITY);
      return packed as Uint8Array;
    },
    async inflate(bytes, maxBytes) {
      try {
        return (await pump(new decompression('deflate-raw'), bytes, maxBytes)) ?? 'too-big';
      } catch {
        // The stream says no more than that the bytes are none of its own.
        return 'broken';
      }
    },
  };
}

/** All that comes out of `transform`; undefined once it is more than `maxBytes`. Rejects when the stream does. */
async function pump(
  transform: ByteTransform,
  bytes: Uint8Array<ArrayBuffer>,
  maxBytes: number,
): Promise<Uint8Array | undefined> {
  const writer = transform.writable.getWriter();
  // A failure shows at the reader; here it must only not go unhandled.
  const written = writer.write(bytes).then(
    () => writer.close(),
    () => undefined,
  );
  written.catch(() => undefined);
  const reader = transform.readable.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    const chunk = next.value!;
    size += chunk.length;
    if (size > maxBytes) {
      reader.cancel().catch(() => undefined);
      return undefined;
    }
    chunks.push(chunk);
  }
  return concat(chunks, size);
}

function concat(chunks: readonly Uint8Array[], size: number): Uint8Array {
  const all = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}
