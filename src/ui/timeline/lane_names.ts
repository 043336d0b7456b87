// What lanes are called: by the page in rows and announcements, by links in `sel=`.

import type { LaneInfo } from '../../trace/segments.ts';
import type { TraceStore } from '../../trace/trace_store.ts';
import { displayName } from '../../view/names.ts';

/** 'CPU 0', the thread's name, 'lock heap'. */
export function laneName(trace: TraceStore, lane: LaneInfo): string {
  switch (lane.kind) {
    case 'cpu':
      return `CPU ${lane.subject}`;
    case 'thread':
      return displayName(trace.tasks[lane.subject]?.name ?? '');
    case 'lock':
    case 'lockWait':
      return `lock ${displayName(trace.meta.locks[lane.subject]?.name ?? '')}`;
  }
}
