// A change of the scene while it runs: after all events of its instant, the machine takes over what differs.

import type { SceneSpec, ThreadSpec } from '../scenario/scenario.ts';
import { touch } from './clock.ts';
import { rulesOf } from './kernels/rules.ts';
import { changeKind } from './locking/change_kind.ts';
import { piWaiterChanged } from './locking/rt_mutex_pi.ts';
import type { Machine } from './machine.ts';
import { recordIntervention } from './recorder.ts';
import { nrRunnable } from './rq.ts';
import { initSlack } from './sched/attrs.ts';
import { sameParams } from './sched/dl_policy.ts';
import { groupWeightsChanged } from './sched/fair_group.ts';
import { fairServerChanged } from './sched/fair_server.ts';
import { quotasChanged } from './sched/fair_throttle.ts';
import { rtThrottlingChanged } from './sched/rt_bandwidth.ts';
import { setAffinity, setScheduler } from './sched/setprio.ts';
import { isKernelTask } from './softirq.ts';
import { type Task, TaskState } from './task.ts';

/** The scene in force before intervention `index`. */
function sceneBefore(m: Machine, index: number): SceneSpec {
  return index === 0 ? m.scenario : m.scenario.interventions[index - 1]!.after;
}

/** Applies the intervention that is due. */
export function applyIntervention(m: Machine): void {
  const index = m.nextIntervention++;
  const intervention = m.scenario.interventions[index];
  if (intervention === undefined) return;
  const before = sceneBefore(m, index);
  const after = intervention.after;
  recordIntervention(m, index);
  for (const rq of m.rqs) touch(m, rq);
  changeMachine(m, after);
  groupWeightsChanged(m, after.groups);
  quotasChanged(m, after.groups);
  for (const lock of m.locks) {
    const spec = after.locks.find((l) => l.name === lock.spec.name);
    if (spec !== undefined && JSON.stringify(spec) !== JSON.stringify(lock.spec)) changeKind(m, lock, spec);
  }
  for (const p of m.tasks) {
    if (isKernelTask(m, p)) continue;
    const was = before.threads.find((t) => t.name === m.scenario.threads[p.spec]!.name);
    const is = after.threads.find((t) => t.name === m.scenario.threads[p.spec]!.name);
    if (was !== undefined && is !== undefined && p.state !== TaskState.dead) changeThread(m, p, was, is);
  }
}

function changeMachine(m: Machine, after: SceneSpec): void {
  m.costs = after.machine.costs;
  const old = m.rules;
  m.rules = rulesOf(after.machine);
  if (JSON.stringify(old.rtThrottle) !== JSON.stringify(m.rules.rtThrottle)) rtThrottlingChanged(m);
  if (JSON.stringify(old.fairServer) !== JSON.stringify(m.rules.fairServer)) {
    fairServerChanged(m, (rq) => nrRunnable(rq) > 0);
  }
}

/** Only what the two documents say differently is changed: what a program has set itself meanwhile stays. */
function changeThread(m: Machine, p: Task, was: ThreadSpec, is: ThreadSpec): void {
  const dlDiffers = !sameParams(was.dl, is.dl);
  if (dlDiffers || was.policy !== is.policy || was.rtPrio !== is.rtPrio || was.nice !== is.nice) {
    setScheduler(m, p, {
      policy: was.policy === is.policy ? p.policy : is.policy,
      rtPrio: was.rtPrio === is.rtPrio ? p.rtPrio : is.rtPrio,
      nice: was.nice === is.nice ? p.nice : is.nice,
      ...(dlDiffers ? { dl: is.dl } : {}),
    });
    // A renice of a waiter re-evaluates nothing (fact 6.6).
    if (dlDiffers || was.policy !== is.policy || was.rtPrio !== is.rtPrio) piWaiterChanged(m, p);
  }
  if (was.sliceNs !== is.sliceNs) {
    p.se.customSlice = is.sliceNs !== undefined;
    p.se.sliceNs = is.sliceNs ?? m.rules.baseSliceNs;
  }
  if (was.rttimeLimitNs !== is.rttimeLimitNs) p.rttimeLimitNs = is.rttimeLimitNs;
  if (was.timerSlackNs !== is.timerSlackNs) initSlack(p, is.timerSlackNs);
  if (was.allowedCpus.join() !== is.allowedCpus.join()) setAffinity(m, p, is.allowedCpus);
}
