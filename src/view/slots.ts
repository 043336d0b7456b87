// Which colour slot a thread has: in list order for scenarios (the first six hues are furthest apart), by a hash
// of the name for recorded traces, so that the same thread keeps its colour from trace to trace.

import type { TaskInfo } from '../trace/meta.ts';
import { THREAD_SLOTS } from './tokens.ts';

export type SlotRule = 'order' | 'name';

const SLOTS = THREAD_SLOTS.length;

/** Slot 0..11 of each task, by task id. The thirteenth of a list begins again at slot 0. */
export function threadSlots(tasks: readonly TaskInfo[], rule: SlotRule = 'order'): readonly number[] {
  return rule === 'order' ? tasks.map((_task, id) => id % SLOTS) : slotsByName(tasks);
}

function slotsByName(tasks: readonly TaskInfo[]): readonly number[] {
  const taken = new Set<number>();
  return tasks.map((task) => {
    const first = hash(task.name) % SLOTS;
    let slot = first;
    while (taken.has(slot) && taken.size < SLOTS) slot = (slot + 1) % SLOTS;
    taken.add(slot);
    return slot;
  });
}

/** FNV-1a over UTF-16 units, 32 bits. */
function hash(text: string): number {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  return h >>> 0;
}
