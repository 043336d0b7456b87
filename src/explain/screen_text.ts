// What screen readers are told beyond the names of cells: the scene at an instant, and what a run came to.

import { formatMs } from '../base/format.ts';
import type { Ns } from '../base/units.ts';
import { NONE } from '../trace/ids.ts';
import { stateAt } from '../trace/query.ts';
import { SegKind } from '../trace/segments.ts';
import type { TraceStore } from '../trace/trace_store.ts';
import { lockPart, threadPart } from './names.ts';
import { cpuPart, listOf, type Sentence, say, toText } from './parts.ts';
import { tablesOf } from './state_text.ts';

/** Most CPUs that are read out one by one. */
const MAX_CPUS = 8;

/** `At 9.000 ms: WebProcess runs on CPU 0, vqueue:src spins on CPU 1 and CPU 2 is idle. Lock heap is held by WebProcess, 1 thread waits.` */
export function sceneText(trace: TraceStore, atNs: Ns): string {
  const cpus = trace.laneOf.cpu.slice(0, MAX_CPUS).map((lane, cpu) => cpuText(trace, lane, cpu, atNs));
  const more = trace.laneOf.cpu.length - cpus.length;
  const locks = trace.laneOf.lock
    .map((lane, lock) => lockText(trace, lane, lock, atNs))
    .filter((text) => text.length > 0);
  const parts = say`At ${formatMs(atNs)}: ${listOf(cpus)}${more > 0 ? ` and ${more} more CPUs` : ''}.`;
  return [parts, ...locks].map(toText).join(' ');
}

function cpuText(trace: TraceStore, lane: number, cpu: number, atNs: Ns): Sentence {
  const state = stateAt(trace, lane, atNs);
  if (state === undefined || state.who === NONE) return say`${cpuPart(cpu)} is idle`;
  const who = threadPart(tablesOf(trace), state.who);
  return state.kind === SegKind.spin ? say`${who} spins on ${cpuPart(cpu)}` : say`${who} runs on ${cpuPart(cpu)}`;
}

/** Only locks that someone holds or waits for. */
function lockText(trace: TraceStore, lane: number, lock: number, atNs: Ns): Sentence {
  const state = stateAt(trace, lane, atNs);
  if (state === undefined || (state.kind === SegKind.free && state.arg <= 0)) return [];
  const name = lockPart(tablesOf(trace), lock);
  const waiters = state.arg <= 0 ? '' : state.arg === 1 ? ', 1 thread waits' : `, ${state.arg} threads wait`;
  if (state.kind !== SegKind.held) return say`Lock ${name} is free${waiters}.`;
  return say`Lock ${name} is held by ${threadPart(tablesOf(trace), state.who)}${waiters}.`;
}
