// The turns of a spin lock's loop: what each costs and what it does at its end.

import { assertNever } from '../../base/assert.ts';
import type { Ns } from '../../base/units.ts';
import type { Backoff } from '../../scenario/scenario.ts';

export interface Turn {
  readonly costNs: Ns;
  /** What the thread does when the turn is paid, before the next attempt. */
  readonly action: 'none' | 'yield' | 'sleep' | 'park';
  /** For sleep. */
  readonly sleepNs: Ns;
  /** A growing pause: counts towards the steps of the back-off. */
  readonly isPause: boolean;
}

/** The turn of `backoff` after `pauses` growing pauses have been made. */
export function turnAt(backoff: Backoff, pauses: number): Turn {
  let b = backoff;
  let left = pauses;
  while (b.kind === 'pause') {
    if (left < b.steps) return { costNs: pauseCost(b, left), action: 'none', sleepNs: 0, isPause: true };
    left -= b.steps;
    b = b.then;
  }
  switch (b.kind) {
    case 'none':
      return { costNs: Math.max(1, b.costNs), action: 'none', sleepNs: 0, isPause: false };
    case 'yield':
      return { costNs: Math.max(1, b.costNs), action: 'yield', sleepNs: 0, isPause: false };
    case 'sleep':
      return { costNs: b.costNs, action: 'sleep', sleepNs: b.forNs, isPause: false };
    case 'park':
      return { costNs: 0, action: 'park', sleepNs: 0, isPause: false };
    default:
      return assertNever(b);
  }
}

function pauseCost(b: Extract<Backoff, { kind: 'pause' }>, step: number): Ns {
  let cost = b.firstNs;
  for (let i = 0; i < step && cost < b.maxNs; i++) cost *= b.factor;
  return Math.max(1, Math.round(Math.min(cost, b.maxNs)));
}

/** True when a thread that waits with this back-off leaves the CPU sooner or later. */
export function everSleeps(backoff: Backoff): boolean {
  return backoff.kind === 'pause' ? everSleeps(backoff.then) : backoff.kind === 'sleep' || backoff.kind === 'park';
}

/** What the loop does for ever, when it never sleeps. */
export function endlessKind(backoff: Backoff): 'none' | 'yield' | 'pause' {
  if (backoff.kind === 'pause') return 'pause';
  return backoff.kind === 'yield' ? 'yield' : 'none';
}
