// A bare loop that does the work of the fixed-priority workload and nothing else: ten periodic tasks on four CPUs under
// global fixed priority, a heap of instants, a log in typed columns of 12 bytes an event. No classes, no locks, no
// reasons, no migration rules: the ceiling that the simulation is held against. Events: release, in, out.

const PERIODS_MS = [1, 1, 2, 2, 4, 4, 5, 5, 8, 10];
const CPUS = 4;
const TASKS = PERIODS_MS.length;
const CHUNK_ROWS = 65_536;

/** @returns { events } releases, switches in and switches out in `ms` of simulated time */
export function bareFixedPriority(ms) {
  const endNs = ms * 1e6;
  // Slots 0..9: next release of a task. Slots 10..13: completion on a CPU.
  const slots = TASKS + CPUS;
  const whenNs = new Float64Array(slots).fill(Infinity);
  const heap = new Int32Array(slots);
  const place = new Int32Array(slots);
  const leftNs = new Float64Array(TASKS);
  const sinceNs = new Float64Array(CPUS);
  const runs = new Int32Array(CPUS).fill(-1);
  const onCpu = new Int32Array(TASKS).fill(-1);
  for (let i = 0; i < slots; i++) {
    heap[i] = i;
    place[i] = i;
  }
  for (let i = 0; i < TASKS; i++) whenNs[i] = 0;
  const log = {
    row: 0,
    tsNs: new Float64Array(CHUNK_ROWS),
    task: new Uint16Array(CHUNK_ROWS),
    kind: new Uint8Array(CHUNK_ROWS),
    cpu: new Uint8Array(CHUNK_ROWS),
  };
  let events = 0;

  const write = (nowNs, task, kind, cpu) => {
    if (log.row === CHUNK_ROWS) {
      log.tsNs = new Float64Array(CHUNK_ROWS);
      log.task = new Uint16Array(CHUNK_ROWS);
      log.kind = new Uint8Array(CHUNK_ROWS);
      log.cpu = new Uint8Array(CHUNK_ROWS);
      log.row = 0;
    }
    const i = log.row++;
    log.tsNs[i] = nowNs;
    log.task[i] = task;
    log.kind[i] = kind;
    log.cpu[i] = cpu;
    events++;
  };
  const start = (nowNs, task, cpu) => {
    runs[cpu] = task;
    onCpu[task] = cpu;
    sinceNs[cpu] = nowNs;
    whenNs[TASKS + cpu] = nowNs + leftNs[task];
    fix(heap, place, whenNs, TASKS + cpu);
    write(nowNs, task, 1, cpu);
  };

  for (;;) {
    const slot = heap[0];
    const nowNs = whenNs[slot];
    if (nowNs >= endNs) return { events };
    if (slot < TASKS) {
      whenNs[slot] += PERIODS_MS[slot] * 1e6;
      fix(heap, place, whenNs, slot);
      leftNs[slot] += PERIODS_MS[slot] * 320_000;
      write(nowNs, slot, 0, 0);
      if (onCpu[slot] >= 0) continue;
      // The weakest CPU: idle, or the one with the largest number of a task.
      let weakest = 0;
      for (let cpu = 0; cpu < CPUS; cpu++) {
        if (runs[cpu] < 0) {
          weakest = cpu;
          break;
        }
        if (runs[cpu] > runs[weakest]) weakest = cpu;
      }
      const other = runs[weakest];
      if (other >= 0) {
        if (other < slot) continue;
        leftNs[other] -= nowNs - sinceNs[weakest];
        onCpu[other] = -1;
        write(nowNs, other, 2, weakest);
      }
      start(nowNs, slot, weakest);
    } else {
      const cpu = slot - TASKS;
      const task = runs[cpu];
      leftNs[task] = 0;
      onCpu[task] = -1;
      runs[cpu] = -1;
      whenNs[slot] = Infinity;
      write(nowNs, task, 2, cpu);
      let next = -1;
      for (let i = 0; i < TASKS; i++) {
        if (leftNs[i] > 0 && onCpu[i] < 0) {
          next = i;
          break;
        }
      }
      if (next >= 0) start(nowNs, next, cpu);
      else fix(heap, place, whenNs, slot);
    }
  }
}

/** The instant of `slot` changed: moves it to its place. */
function fix(heap, place, whenNs, slot) {
  const when = whenNs[slot];
  let at = place[slot];
  while (at > 0) {
    const parent = (at - 1) >> 1;
    const other = heap[parent];
    if (whenNs[other] <= when) break;
    heap[at] = other;
    place[other] = at;
    at = parent;
  }
  for (;;) {
    let child = 2 * at + 1;
    if (child >= heap.length) break;
    if (child + 1 < heap.length && whenNs[heap[child + 1]] < whenNs[heap[child]]) child++;
    const other = heap[child];
    if (whenNs[other] >= when) break;
    heap[at] = other;
    place[other] = at;
    at = child;
  }
  heap[at] = slot;
  place[slot] = at;
}
