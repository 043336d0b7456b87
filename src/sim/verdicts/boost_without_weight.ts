// boost-without-weight: a fair task has inherited a better priority number, but its weight, which alone decides
// its share, is not the one that goes with the number (story 2; facts 6.3, 6.12).

import type { Machine } from '../machine.ts';
import { PRIO_TO_WEIGHT } from '../sched/weights.ts';
import type { Task } from '../task.ts';
import type { OpenBoost } from './state.ts';

function isBoostWithoutWeight(p: Task): boolean {
  return p.prio >= 100 && p.prio < p.normalPrio && p.policy !== 'idle' && p.se.weight !== PRIO_TO_WEIGHT[p.prio - 100];
}

/** The priority or weight of `p` changed. */
export function watchBoost(m: Machine, p: Task): void {
  const open = m.tracker.boosts.findIndex((b) => b.task === p.id);
  const now = isBoostWithoutWeight(p);
  if (now && open < 0) m.tracker.boosts.push(openBoost(m, p));
  else if (!now && open >= 0) {
    const [boost] = m.tracker.boosts.splice(open, 1);
    if (m.nowNs > boost!.fromNs) close(m, boost!, true);
  }
}

function openBoost(m: Machine, p: Task): OpenBoost {
  const donor = p.piTopTask;
  return {
    task: p.id,
    fromNs: m.nowNs,
    donor,
    locks: p.held.filter((id) => m.locks[id]!.waiters.some((w) => w.id === donor)),
    facts: [
      { fact: 'inheritsPrio', task: p.id, from: donor, basePrio: p.normalPrio, prio: p.prio },
      { fact: 'keepsWeight', task: p.id, weight: p.se.weight, prioWeight: PRIO_TO_WEIGHT[p.prio - 100]! },
    ],
  };
}

export function endBoosts(m: Machine): void {
  for (const boost of m.tracker.boosts.splice(0)) close(m, boost, false);
}

function close(m: Machine, boost: OpenBoost, ended: boolean): void {
  m.tracker.done.push({
    kind: 'boost-without-weight',
    fromNs: boost.fromNs,
    toNs: m.nowNs,
    forever: false,
    ended,
    tasks: boost.donor >= 0 ? [boost.task, boost.donor] : [boost.task],
    locks: boost.locks,
    facts: boost.facts,
  });
}
