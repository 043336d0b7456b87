// The least that a discrete-event simulation does: take the earliest timer off a heap, log it in typed columns, arm it
// again. Fourteen timers, as many as ten periodic threads and four CPUs have.

const TIMERS = 14;
const CHUNK_ROWS = 65_536;

/** @returns { events } the number of timers taken off, as many as asked for */
export function bareHeapLoop(events) {
  const whenNs = new Float64Array(TIMERS);
  const periodNs = new Float64Array(TIMERS);
  const heap = new Int32Array(TIMERS);
  for (let i = 0; i < TIMERS; i++) {
    periodNs[i] = 100_000 + i * 37_000;
    whenNs[i] = periodNs[i];
    heap[i] = i;
  }
  let log = newChunk();
  let row = 0;
  let bytes = 0;
  for (let n = 0; n < events; n++) {
    const timer = heap[0];
    log.tsNs[row] = whenNs[timer];
    log.timer[row] = timer;
    log.kind[row] = n & 7;
    if (++row === CHUNK_ROWS) {
      bytes += log.tsNs.byteLength;
      log = newChunk();
      row = 0;
    }
    whenNs[timer] += periodNs[timer];
    siftDown(heap, whenNs);
  }
  return { events, bytes };
}

function newChunk() {
  return {
    tsNs: new Float64Array(CHUNK_ROWS),
    timer: new Int32Array(CHUNK_ROWS),
    kind: new Uint8Array(CHUNK_ROWS),
  };
}

/** The timer at the top has a later instant now: moves it to its place. */
function siftDown(heap, whenNs) {
  const timer = heap[0];
  let at = 0;
  for (;;) {
    let child = 2 * at + 1;
    if (child >= TIMERS) break;
    if (child + 1 < TIMERS && whenNs[heap[child + 1]] < whenNs[heap[child]]) child++;
    if (whenNs[heap[child]] >= whenNs[timer]) break;
    heap[at] = heap[child];
    at = child;
  }
  heap[at] = timer;
}
