// The whole state of a run as plain data: structuredClone of it is a checkpoint. Functions over it live in
// the other files; nothing here has behaviour beyond creation.

import { addSlot, createHeap, type IndexedHeap } from '../base/indexed_heap.ts';
import type { Ns } from '../base/units.ts';
import type { Costs, Scenario, ThreadSpec } from '../scenario/scenario.ts';
import { createRecords, type RecordColumns } from '../trace/records.ts';
import { createCfsRq } from './entity.ts';
import { createGroup, type Group } from './group.ts';
import { createInterrupts, type LiveIrq } from './interrupts.ts';
import { type Rules, rulesOf } from './kernels/rules.ts';
import { createLock, type Lock } from './locking/lock_state.ts';
import { compileProgram } from './program/compile.ts';
import { KSOFTIRQD_PROGRAM, type Op } from './program/ops.ts';
import { type Rq, ServerState } from './rq.ts';
import { showFields } from './shapes.ts';
import { createKsoftirqd, createSoftirq } from './softirq.ts';
import type { RunState } from './state.ts';
import { createTask, type Task } from './task.ts';
import { createTracker, type VerdictTracker } from './verdicts/state.ts';

/**
 * Order of slots at one instant: timers and ticks, wake-ups, task actions, then interventions and probes (fact sheet,
 * section 15). The balancer of a tick sees the CPUs as they are before that tick's switches: its softirq runs before them.
 */
export const SlotClass = { balance: -1, timer: 0, wakeup: 1, action: 2, intervention: 3, probe: 4 } as const;

/** What a slot is for. `slotKind[slot]` and `slotArg[slot]` (CPU or task) say what to do when it is due. */
export const SlotKind = {
  start: 0,
  rtPeriod: 1,
  balance: 2,
  intervention: 3,
  probe: 4,
  tick: 5,
  timer: 6,
  hrtick: 7,
  server: 8,
  resched: 9,
  run: 10,
  wakeArrival: 11,
  irq: 12,
  softirq: 13,
  cfsPeriod: 14,
  cfsSlack: 15,
  dlTimer: 16,
} as const;
export type SlotKind = (typeof SlotKind)[keyof typeof SlotKind];

export type { Lock };

export interface Machine {
  readonly scenario: Scenario;
  rules: Rules;
  costs: Costs;
  nowNs: Ns;
  events: number;
  readonly maxEvents: number;
  state: RunState;
  readonly heap: IndexedHeap;
  readonly slotKind: number[];
  readonly slotArg: number[];
  readonly rqs: Rq[];
  readonly tasks: Task[];
  /** Control groups and sessions, parents first. */
  readonly groups: Group[];
  readonly locks: Lock[];
  /** Compiled programs by thread of the scenario. */
  readonly programs: readonly (readonly Op[])[];
  /** How often each thread of the scenario was created (for names of forks). */
  readonly created: number[];
  /** Task of each thread that starts by itself, in order of (start, document). */
  readonly starts: { readonly task: number; readonly atNs: Ns }[];
  nextStart: number;
  nextIntervention: number;
  readonly probesNs: readonly Ns[];
  nextProbe: number;
  /** CPUs whose state changed in this event, in the order of their first change: [0, touchedCount). */
  readonly touched: Int32Array<ArrayBuffer>;
  touchedCount: number;
  /** The RT period timer: running, and on which grid. */
  rtPeriodActive: boolean;
  /** Serves as order of queueing among equal keys. */
  queueSeq: number;
  readonly texts: string[];
  readonly textIds: Record<string, number>;
  records: RecordColumns;
  /** Two 32-bit lanes of the hash over all records. */
  hashA: number;
  hashB: number;
  readonly tracker: VerdictTracker;

  readonly startSlot: number;
  readonly rtPeriodSlot: number;
  readonly balanceSlot: number;
  readonly interventionSlot: number;
  readonly probeSlot: number;
  /** wakeSlots[task] */
  readonly wakeSlots: number[];
  /** dlSlots[task]: fills up the budget of a throttled deadline task. */
  readonly dlSlots: number[];
  /** Fair tasks may be waiting somewhere (rd->overloaded); set when one begins to, cleared by a look that finds none. */
  fairWaits: boolean;
  /** Bit `cpu % 32` of word `cpu / 32`: nothing is current there. */
  readonly restingCpus: number[];
  /** CPUs on which two real-time tasks or more are queued (rd->rto_count), and deadline tasks queued anywhere. */
  rtOverloaded: number;
  dlQueued: number;
  /** Some thread has, or may get, policy idle: a busy CPU can count as idle for others. */
  readonly mayUseIdlePolicy: boolean;
  /** By index of the scenario's interrupts; only those whose firings are events. */
  readonly liveIrqs: (LiveIrq | undefined)[];
}

/** What createTask reads of a thread. */
const MODEL_THREAD = { policy: 'other', rtPrio: 0, nice: 0, allowedCpus: [0] } as unknown as ThreadSpec;

function newSlot(
  m: { heap: IndexedHeap; slotKind: number[]; slotArg: number[] },
  slotClass: number,
  kind: SlotKind,
  arg: number,
): number {
  m.slotKind.push(kind);
  m.slotArg.push(arg);
  return addSlot(m.heap, slotClass);
}

/** A machine at instant 0, before anything has happened; nothing is armed yet (run.ts does that). */
export function createMachine(scenario: Scenario, probesNs: readonly Ns[], maxEvents: number): Machine {
  const slots = { heap: createHeap(), slotKind: [] as number[], slotArg: [] as number[] };
  const startSlot = newSlot(slots, SlotClass.wakeup, SlotKind.start, 0);
  const rtPeriodSlot = newSlot(slots, SlotClass.timer, SlotKind.rtPeriod, 0);
  const balanceSlot = newSlot(slots, SlotClass.balance, SlotKind.balance, 0);
  const interventionSlot = newSlot(slots, SlotClass.intervention, SlotKind.intervention, 0);
  const probeSlot = newSlot(slots, SlotClass.probe, SlotKind.probe, 0);
  const rqs: Rq[] = [];
  for (let cpu = 0; cpu < scenario.machine.cpus; cpu++) rqs.push(createRq(slots, cpu));
  const groups: Group[] = [];
  for (const spec of scenario.groups) {
    const period = newSlot(slots, SlotClass.timer, SlotKind.cfsPeriod, groups.length);
    const slack = newSlot(slots, SlotClass.timer, SlotKind.cfsSlack, groups.length);
    groups.push(createGroup(spec, groups, rqs, { period, slack }));
  }

  const m: Machine = {
    scenario,
    rules: rulesOf(scenario.machine),
    costs: scenario.machine.costs,
    nowNs: 0,
    events: 0,
    maxEvents,
    state: 'running',
    ...slots,
    rqs,
    tasks: [],
    groups,
    locks: scenario.locks.map((spec, id) => createLock(id, spec)),
    programs: [...scenario.threads.map((thread) => compileProgram(thread.program)), KSOFTIRQD_PROGRAM],
    created: scenario.threads.map(() => 0),
    starts: [],
    nextStart: 0,
    nextIntervention: 0,
    probesNs: [...probesNs].sort((a, b) => a - b),
    nextProbe: 0,
    touched: new Int32Array(scenario.machine.cpus),
    touchedCount: 0,
    rtPeriodActive: false,
    queueSeq: 0,
    texts: [],
    textIds: {},
    records: createRecords(),
    hashA: 0x811c9dc5 | 0,
    hashB: 0x01000193,
    tracker: createTracker(),
    startSlot,
    rtPeriodSlot,
    balanceSlot,
    interventionSlot,
    probeSlot,
    wakeSlots: [],
    dlSlots: [],
    fairWaits: false,
    restingCpus: allCpus(scenario.machine.cpus),
    rtOverloaded: 0,
    dlQueued: 0,
    mayUseIdlePolicy: mayUseIdlePolicy(scenario),
    liveIrqs: [],
  };
  scenario.threads.forEach((thread, spec) => {
    if (thread.start === 'fork') return;
    const task = addTask(m, spec, thread.name);
    m.starts.push({ task: task.id, atNs: thread.start });
  });
  addInterrupts(m);
  showFields(m);
  m.starts.sort((a, b) => a.atNs - b.atNs || a.task - b.task);
  return m;
}

function allCpus(count: number): number[] {
  const words: number[] = [];
  for (let cpu = 0; cpu < count; cpu++) words[cpu >> 5] = (words[cpu >> 5] ?? 0) | (1 << (cpu & 31));
  return words;
}

/** Steps are searched by their text: a `set` may stand in any branch. O(document), once. */
function mayUseIdlePolicy(scenario: Scenario): boolean {
  if (scenario.interventions.length > 0) return true;
  return JSON.stringify(scenario.threads).includes('"policy":"idle"');
}

/** Creates the task of a thread of the scenario (not started). */
export function addTask(m: Machine, spec: number, name: string): Task {
  const id = m.tasks.length;
  const task = createTask(id, name, spec, m.scenario.threads[spec]!, m.rqs.length);
  m.created[spec]!++;
  pushTask(m, task);
  return task;
}

function pushTask(m: Machine, task: Task): void {
  m.tasks.push(task);
  m.wakeSlots.push(newSlot(m, SlotClass.wakeup, SlotKind.wakeArrival, task.id));
  m.dlSlots.push(newSlot(m, SlotClass.timer, SlotKind.dlTimer, task.id));
}

/** Interrupts of the machine, and the kernel threads that they need. */
function addInterrupts(m: Machine): void {
  const irqs = m.scenario.machine.interrupts;
  if (irqs.length === 0) return;
  createInterrupts(m, (index) => newSlot(m, SlotClass.timer, SlotKind.irq, index));
  for (const rq of m.rqs) {
    const raising = irqs.flatMap((irq, i) => (irq.cpu === rq.cpu && irq.softirqNs > 0 ? [i] : []));
    if (raising.length === 0) continue;
    const thread = createKsoftirqd(m, rq.cpu);
    rq.softirq = createSoftirq(raising, newSlot(m, SlotClass.timer, SlotKind.softirq, rq.cpu), thread.id);
    pushTask(m, thread);
  }
}

function createRq(slots: { heap: IndexedHeap; slotKind: number[]; slotArg: number[] }, cpu: number): Rq {
  return {
    cpu,
    curr: undefined,
    needResched: false,
    cfs: createCfsRq(cpu, -1),
    fairTasks: [],
    pick: { reason: 0, runnerUp: undefined, x: 0, y: 0 },
    dl: { queue: [] },
    rt: { queue: [], rtTimeNs: 0, borrowedNs: 0, throttled: false },
    server: { state: ServerState.stopped, deadlineNs: 0, budgetNs: 0, seq: 0 },
    serverRuns: false,
    isTouched: false,
    settledNs: 0,
    tickDoneNs: -1,
    irqEndNs: 0,
    irqLoads: [],
    irqsAreLive: false,
    softirq: undefined,
    timers: [],
    rtLoad: { value: 0, atNs: 0 },
    fairLoad: { value: 0, atNs: 0 },
    fairUtil: { value: 0, atNs: 0 },
    lastBalanceNs: 0,
    balanceFactor: 1,
    balanceFailed: 0,
    tickSlot: newSlot(slots, SlotClass.timer, SlotKind.tick, cpu),
    timerSlot: newSlot(slots, SlotClass.timer, SlotKind.timer, cpu),
    hrtickSlot: newSlot(slots, SlotClass.timer, SlotKind.hrtick, cpu),
    serverSlot: newSlot(slots, SlotClass.timer, SlotKind.server, cpu),
    reschedSlot: newSlot(slots, SlotClass.wakeup, SlotKind.resched, cpu),
    runSlot: newSlot(slots, SlotClass.action, SlotKind.run, cpu),
  };
}

showModels();

/** One object of each kind that the event loop works on. */
function showModels(): void {
  const slots = { heap: createHeap(), slotKind: [], slotArg: [] };
  const rq = createRq(slots, 0);
  const task = createTask(0, '', 0, MODEL_THREAD, 1);
  const lock = createLock(0, { name: '', kind: 'futex' } as Lock['spec']);
  const parts = [rq, rq.cfs, rq.pick, rq.rt, rq.server, rq.rtLoad, task, task.se, task.dl, task.util, lock];
  for (const part of parts) showFields(part);
}
