// The stretch of a lane on which a finding is explained best: that of the thread that waits for a CPU, else of the first party.

import type { SegmentRef } from '../../store/index.ts';
import { stateAt } from '../../trace/query.ts';
import type { TraceStore } from '../../trace/trace_store.ts';
import type { Verdict } from '../../trace/verdicts.ts';

export function proofSegment(trace: TraceStore, verdict: Verdict): SegmentRef | undefined {
  const holder = verdict.facts.find((fact) => fact.fact === 'holds')?.task;
  const task = holder ?? verdict.tasks[0];
  const lane = trace.lanes.find((one) => one.kind === 'thread' && one.subject === task);
  if (lane === undefined) return undefined;
  const segment = stateAt(trace, lane.id, verdict.fromNs);
  return segment === undefined ? undefined : { laneId: lane.id, startNs: segment.startNs };
}
