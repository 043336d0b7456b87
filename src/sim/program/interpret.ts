// Runs the steps of the current task of a CPU until one needs time or gives the CPU away.

import { assertNever } from '../../base/assert.ts';
import type { Ns } from '../../base/units.ts';
import type { AttrChange, DlSpec } from '../../scenario/scenario.ts';
import { StopReason, WaitReason } from '../../trace/reasons.ts';
import { adaptiveBoundary } from '../locking/adaptive.ts';
import { barrierWait } from '../locking/barrier.ts';
import { condBroadcast, condSignal, condWait, retakeMutex } from '../locking/condition.ts';
import { onOwnerBoundary } from '../locking/kernel_mutex.ts';
import { acquire, contendAnew, release, retry, tryAcquire } from '../locking/lock.ts';
import { readLock } from '../locking/rw_lock.ts';
import { semPost, semWait } from '../locking/semaphore.ts';
import { spinBoundary } from '../locking/spin.ts';
import type { Machine } from '../machine.ts';
import { FindingKind, recordExit, recordFinding, recordMark, SegKind } from '../recorder.ts';
import type { Rq } from '../rq.ts';
import { slackOf } from '../sched/attrs.ts';
import { blockCurrent } from '../sched/block.ts';
import { classOf } from '../sched/classes.ts';
import { readsOwnClock } from '../sched/clock_reads.ts';
import { reschedCurr } from '../sched/resched.ts';
import { setAffinity, setScheduler } from '../sched/setprio.ts';
import { yieldMatters } from '../sched/yield.ts';
import { runKsoftirqd } from '../softirq.ts';
import { forkTask } from '../start.ts';
import { RunMode, type Task, TaskState } from '../task.ts';
import { startTimer } from '../timers.ts';
import { noteLivelock } from '../verdicts/livelock.ts';
import { draw } from './draw.ts';
import type { Op } from './ops.ts';
import { endDeadline, nextPeriod } from './releases.ts';
import { sleepFor } from './sleep.ts';

/** Steps that one task may make at one instant; more is the finding `livelock`, and the run stops there. */
const MAX_STEPS_AT_ONCE = 10_000;

/** The boundary for which the CPU was armed is reached: goes on with what the current task is in, then with its program. */
export function onRun(m: Machine, rq: Rq): void {
  const p = rq.curr;
  if (p === undefined || rq.needResched) return;
  if (readsOwnClock(p)) {
    classOf(p).updateCurr(m, rq);
    if (rq.needResched) return;
  }
  if (!boundaryReached(m, rq, p)) return;
  while (
    p.mode === RunMode.step &&
    rq.curr === p &&
    !rq.needResched &&
    p.state === TaskState.running &&
    m.state === 'running'
  ) {
    if (!countStep(m, p)) return;
    // What a step charged is paid before the next one.
    if (p.debtNs > 0) return;
    const op = m.programs[p.spec]![p.pc]!;
    p.pc++;
    execute(m, rq, p, op);
  }
}

/** True when the task is at a step of its program now. */
function boundaryReached(m: Machine, rq: Rq, p: Task): boolean {
  if (p.debtNs > 0 && p.mode !== RunMode.until) return false;
  switch (p.mode) {
    case RunMode.step:
      return true;
    case RunMode.work:
      if (p.workLeftNs > 0) return false;
      p.mode = RunMode.step;
      return true;
    case RunMode.until:
      if (m.nowNs < p.untilNs) return false;
      p.mode = RunMode.step;
      return true;
    case RunMode.forever:
      return false;
    case RunMode.spin:
      if (p.spinStage !== 2 && p.spinPaidNs < p.spinCostNs) return false;
      return countStep(m, p) && spinBoundary(m, rq, p);
    case RunMode.lockRetry:
      return countStep(m, p) && retry(m, rq, p);
    case RunMode.contendAnew:
      return countStep(m, p) && contendAnew(m, rq, p);
    case RunMode.pause:
      return countStep(m, p) && adaptiveBoundary(m, rq, p);
    case RunMode.onOwner:
      return countStep(m, p) && onOwnerBoundary(m, rq, p);
    case RunMode.retake:
      return countStep(m, p) && retakeMutex(m, rq, p);
    default:
      return assertNever(p.mode);
  }
}

/** Counts a step at this instant; false when there were too many of them. */
function countStep(m: Machine, p: Task): boolean {
  if (p.stepsAtNs !== m.nowNs) {
    p.stepsAtNs = m.nowNs;
    p.stepsHere = 0;
  }
  p.stepsHere++;
  if (p.stepsHere <= MAX_STEPS_AT_ONCE) return true;
  recordFinding(m, p, FindingKind.livelock, `${p.name} makes ${MAX_STEPS_AT_ONCE} steps at one instant`);
  noteLivelock(m, p, MAX_STEPS_AT_ONCE);
  m.state = 'livelock';
  return false;
}

function execute(m: Machine, rq: Rq, p: Task, op: Op): void {
  switch (op.op) {
    case 'run':
      p.workLeftNs = draw(m, p, op.forNs, op.path);
      p.readsClock = op.clockReads;
      if (p.workLeftNs > 0) p.mode = RunMode.work;
      return;
    case 'runForever':
      p.readsClock = op.clockReads;
      p.mode = RunMode.forever;
      return;
    case 'runUntil':
      p.untilNs = op.atNs;
      if (op.atNs > m.nowNs) p.mode = RunMode.until;
      return;
    case 'sleep':
      sleepFor(m, rq, p, draw(m, p, op.forNs, op.path), StopReason.sleepStep);
      return;
    case 'sleepUntil':
      if (op.atNs > m.nowNs) sleepFor(m, rq, p, op.atNs - m.nowNs, StopReason.sleepUntil);
      return;
    case 'period':
      nextPeriod(m, rq, p, op.everyNs);
      return;
    case 'io':
      p.debtNs += m.costs.syscallNs;
      doIo(m, rq, p, draw(m, p, op.forNs, op.path));
      return;
    case 'yield':
      doYield(m, rq, p);
      return;
    case 'exit':
      doExit(m, rq, p);
      return;
    case 'lock':
      acquire(m, rq, m.locks[op.lock]!, p, Number.POSITIVE_INFINITY);
      if (p.waitsFor === op.lock && op.timeoutNs !== undefined) limitWait(m, p, draw(m, p, op.timeoutNs, op.path));
      return;
    case 'tryLock':
      if (!tryAcquire(m, m.locks[op.lock]!, p)) p.pc = op.elsePc;
      return;
    case 'unlock':
      release(m, rq, m.locks[op.lock]!, p);
      return;
    case 'readLock':
      readLock(m, rq, m.locks[op.lock]!, p);
      return;
    case 'wait':
      semWait(m, rq, m.locks[op.sem]!, p);
      return;
    case 'post':
      semPost(m, m.locks[op.sem]!, rq.cpu, p);
      return;
    case 'condWait':
      condWait(m, rq, m.locks[op.cond]!, m.locks[op.lock]!, p);
      return;
    case 'signal':
      condSignal(m, rq, m.locks[op.cond]!, p);
      return;
    case 'broadcast':
      condBroadcast(m, rq, m.locks[op.cond]!, p);
      return;
    case 'barrier':
      barrierWait(m, rq, m.locks[op.barrier]!, p);
      return;
    case 'deadlineBegin':
      p.counters[op.counter] = p.releaseNs;
      return;
    case 'deadlineEnd':
      endDeadline(m, p, p.counters[op.counter]! + op.withinNs, op.withinNs);
      return;
    case 'repeatBegin':
      p.counters[op.counter] = op.times === 'forever' ? Number.POSITIVE_INFINITY : op.times;
      if (p.counters[op.counter]! <= 0 || (op.untilNs !== undefined && m.nowNs >= op.untilNs)) p.pc = op.endPc;
      return;
    case 'repeatEnd':
      endRound(m, p, op.counter, op.beginPc);
      return;
    case 'jump':
      p.pc = op.pc;
      return;
    case 'set':
      applySet(m, p, op);
      return;
    case 'fork':
      p.debtNs += m.costs.syscallNs;
      forkTask(m, rq, p, op.thread);
      return;
    case 'softirq':
      runKsoftirqd(m, rq, p);
      return;
    case 'mark':
      recordMark(m, p, op.text);
      return;
    default:
      assertNever(op);
  }
}

function endRound(m: Machine, p: Task, counter: number, beginPc: number): void {
  const begin = m.programs[p.spec]![beginPc]!;
  const left = --p.counters[counter]!;
  const until = begin.op === 'repeatBegin' ? begin.untilNs : undefined;
  if (left > 0 && (until === undefined || m.nowNs < until)) p.pc = beginPc + 1;
}

function doIo(m: Machine, rq: Rq, p: Task, ns: Ns): void {
  startTimer(m, p, m.nowNs + ns, m.nowNs + ns);
  blockCurrent(m, rq, p, TaskState.uninterruptible, SegKind.blocked, StopReason.io, -1, -1);
}

function doYield(m: Machine, rq: Rq, p: Task): void {
  p.debtNs += m.costs.syscallNs;
  if (!yieldMatters(rq, p)) return;
  p.offReason = WaitReason.yielded;
  classOf(p).yieldTask(m, rq);
  reschedCurr(m, rq);
}

function doExit(m: Machine, rq: Rq, p: Task): void {
  for (const id of p.held) {
    const name = m.locks[id]!.spec.name;
    recordFinding(m, p, FindingKind.exitHolding, `${p.name} ends while it holds ${name}: nobody can release it`);
  }
  recordExit(m, p);
  blockCurrent(m, rq, p, TaskState.dead, SegKind.absent, StopReason.ended, -1, -1);
}

/** The wait that `p` just began ends after `timeoutNs` at the latest. */
function limitWait(m: Machine, p: Task, timeoutNs: Ns): void {
  p.waitUntilNs = m.nowNs + timeoutNs;
  startTimer(m, p, p.waitUntilNs, p.waitUntilNs + slackOf(p));
}

/** Deadline parameters after a `set`: what it does not name stays. */
function newDlParams(p: Task, set: AttrChange): DlSpec | undefined {
  const runtimeNs = set.runtimeNs ?? p.dl.params?.runtimeNs;
  const deadlineNs = set.deadlineNs ?? p.dl.params?.deadlineNs;
  const periodNs = set.periodNs ?? p.dl.params?.periodNs;
  if (runtimeNs === undefined || deadlineNs === undefined || periodNs === undefined) return undefined;
  return { runtimeNs, deadlineNs, periodNs };
}

function applySet(m: Machine, p: Task, op: Extract<Op, { op: 'set' }>): void {
  const set = op.set;
  p.debtNs += m.costs.syscallNs;
  setScheduler(m, p, {
    policy: set.policy ?? p.policy,
    rtPrio: set.rtPrio ?? (set.policy === undefined || set.policy === 'fifo' || set.policy === 'rr' ? p.rtPrio : 0),
    nice: set.nice ?? p.nice,
    dl: newDlParams(p, set),
  });
  if (set.sliceNs !== undefined) {
    p.se.customSlice = true;
    p.se.sliceNs = set.sliceNs;
  }
  if (set.timerSlackNs !== undefined) p.timerSlackNs = set.timerSlackNs;
  if (set.cpus !== undefined) setAffinity(m, p, set.cpus);
}
