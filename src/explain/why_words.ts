// Turns of phrase that several answers share.

import { stateAt } from '../trace/query.ts';
import { PickReason } from '../trace/reasons.ts';
import { SegKind, type Segment } from '../trace/segments.ts';
import type { Part, Sentence } from './parts.ts';
import { say } from './parts.ts';
import { prioText } from './prio_text.ts';
import { reasonClause } from './reason_text.ts';
import type { Ask } from './why_types.ts';

/** `is runnable and gets no CPU`: what a holder does while others wait; empty where the trace does not say. */
export function doingNow(ask: Ask, task: number): string {
  const lane = ask.trace.laneOf.thread[task];
  const state = lane === undefined ? undefined : stateAt(ask.trace, lane, ask.segment.startNs);
  switch (state?.kind) {
    case SegKind.run:
      return 'runs';
    case SegKind.spin:
      return 'spins for another lock';
    case SegKind.runnable:
      return 'is runnable and gets no CPU';
    case SegKind.throttled:
      return 'is throttled';
    case SegKind.blocked:
      return 'is blocked';
    case SegKind.sleep:
      return 'sleeps';
    default:
      return '';
  }
}

/** Why `on` has the CPU that a thread of `ownPrio` waits for. */
export function rankText(on: Segment, ownPrio: number): string {
  const byPrio = on.prio;
  if (on.reason === PickReason.proxyOwner) return 'it runs in place of a thread that waits for its lock';
  if (byPrio < 0 && byPrio === ownPrio) return 'both are deadline threads, and its deadline is earlier';
  if (byPrio < 0 && ownPrio >= 0) return 'deadline threads go before all others';
  if (byPrio < ownPrio && byPrio < 100) return `${prioText(byPrio)} goes before ${prioText(ownPrio)}`;
  if (byPrio < 100 && byPrio === ownPrio) return 'it has the same priority and came first';
  if (ownPrio < 100 && byPrio > ownPrio)
    return on.reason === PickReason.fairServer
      ? 'the fair server runs it at deadline rank'
      : 'it is weaker, but has not been put off yet';
  return 'both are normal threads, and it is not its turn yet';
}

export function beforeText(ask: Ask, before: Segment): Sentence {
  const clause = reasonClause(ask.tables, before);
  if (clause.length > 0) return clause;
  return before.kind === SegKind.runnable ? say`runnable` : say`off the CPU`;
}

export function orElse(clause: Sentence, text: string): Sentence {
  const part: Part = { part: 'text', text };
  return clause.length > 0 ? clause : [part];
}
