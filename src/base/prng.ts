// Seeded random numbers, integers only: the same on every machine. One stream per (seed, task, purpose),
// so that adding a thread or flipping a toggle shifts nobody else's draws.

/** State of sfc32; plain data. */
export interface Stream {
  a: number;
  b: number;
  c: number;
  counter: number;
}

/** The stream of one purpose. `name` tells apart the users of one seed, e.g. "vqueue:src/run@threads[1].program[0]". */
export function createStream(seed: number, name: string): Stream {
  const stream: Stream = { a: seed >>> 0, b: hashText(name), c: hashText(`${name}#`), counter: 1 };
  for (let i = 0; i < 15; i++) nextU32(stream);
  return stream;
}

/** Next number, 0 .. 2^32 - 1, each equally likely. */
export function nextU32(s: Stream): number {
  const t = (s.a + s.b + s.counter) | 0;
  s.counter = (s.counter + 1) | 0;
  s.a = s.b ^ (s.b >>> 9);
  s.b = (s.c + (s.c << 3)) | 0;
  s.c = (((s.c << 21) | (s.c >>> 11)) + t) | 0;
  return t >>> 0;
}

/** An integer 0 .. bound - 1, each equally likely (rejection). 1 <= bound <= 2^53. */
export function intBelow(s: Stream, bound: number): number {
  if (bound <= 2 ** 32) {
    const limit = 2 ** 32 - (2 ** 32 % bound);
    for (;;) {
      const x = nextU32(s);
      if (x < limit) return x % bound;
    }
  }
  const limit = 2 ** 53 - (2 ** 53 % bound);
  for (;;) {
    const x = (nextU32(s) & 0x1fffff) * 2 ** 32 + nextU32(s);
    if (x < limit) return x % bound;
  }
}

function hashText(text: string): number {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  return h | 0;
}
