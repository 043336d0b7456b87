// Reads `machine`: CPUs, kernel, clock, protections, tunables, costs, interrupts.

import type { Ns } from '../base/units.ts';
import { checkCosts, readCosts } from './costs.ts';
import type { Json, JsonObject } from './document.ts';
import { childPath, elementPath } from './json_path.ts';
import { own } from './json_value.ts';
import { FEATURES, hasFairServer, hasRtThrottling, KERNELS, TUNABLES } from './kernel_names.ts';
import { addProblem } from './problems.ts';
import { addNote, type ReadContext } from './read_context.ts';
import type { KnownLock } from './read_locks.ts';
import { type LockNameContext, readLockName } from './read_sync_steps.ts';
import {
  checkKeys,
  isPrintableName,
  missingKey,
  optional,
  readBoolean,
  readChoice,
  readInteger,
  readList,
  readObject,
  readText,
  readTime,
} from './read_value.ts';
import type { FairServer, Interrupt, KernelId, MachineSpec, RtThrottling } from './scenario.ts';
import { formatTime } from './time_text.ts';

export const MAX_CPUS = 256;
export const HZ_VALUES: readonly number[] = [100, 250, 300, 1000];
export const DEFAULT_KERNEL: KernelId = '6.12';
const MAX_INTERRUPTS = 1024;

const MACHINE_KEYS = [
  'cpus',
  'kernel',
  'hz',
  'tickPhase',
  'rtThrottling',
  'fairServer',
  'piReweight',
  'proxyExecution',
  'autogroup',
  'tunableScaling',
  'tunables',
  'features',
  'costs',
  'interrupts',
];

export interface ReadMachine {
  readonly machine: MachineSpec;
  /** Preset of costs, or 'custom'. */
  readonly costsName: string;
}

/**
 * The machine with defaults filled. What is wrong is reported and read as its default.
 *
 * @param locks the document's, for interrupts that post semaphores
 * @param writtenKernel kernel that the document itself names: what only a setting made meaningless is a note, else an error
 */
export function readMachine(
  ctx: ReadContext,
  value: Json | undefined,
  writtenKernel: KernelId,
  locks: ReadonlyMap<string, KnownLock>,
): ReadMachine {
  const path = 'machine';
  const object = value === undefined ? {} : (readObject(ctx, value, path, '{ "cpus": 4, "kernel": "6.12" }.') ?? {});
  checkKeys(ctx, object, path, MACHINE_KEYS, 'machine');
  const kernel = optional(object, path, 'kernel', DEFAULT_KERNEL, (v, at) => readKernel(ctx, v, at));
  const cpus = optional(object, path, 'cpus', 1, (v, at) =>
    readInteger(ctx, v, at, { min: 1, max: MAX_CPUS, code: 'bound-cpus' }),
  );
  const hz = optional(object, path, 'hz', 250, (v, at) => readHz(ctx, v, at));
  const tickNs = Math.floor(1_000_000_000 / hz);
  const { name: costsName, costs } = readCosts(ctx, own(object, 'costs'), 'machine.costs', kernel);
  checkCosts(ctx, costs, tickNs, 'machine.costs');
  const proxyExecution = optional(object, path, 'proxyExecution', false, (v, at) => readBoolean(ctx, v, at));
  if (proxyExecution) noteProxyExecution(ctx, locks);
  return {
    costsName,
    machine: {
      cpus,
      kernel,
      hz,
      firstTickNs: optional(object, path, 'tickPhase', tickNs, (v, at) => readTime(ctx, v, at)),
      rtThrottling: readThrottling(ctx, own(object, 'rtThrottling'), kernel),
      fairServer: readFairServer(ctx, own(object, 'fairServer'), kernel, writtenKernel),
      proxyExecution,
      autogroup: optional(object, path, 'autogroup', false, (v, at) => readBoolean(ctx, v, at)),
      piReweight: optional(object, path, 'piReweight', false, (v, at) => readBoolean(ctx, v, at)),
      tunableScaling: optional(object, path, 'tunableScaling', 'log' as const, (v, at) =>
        readChoice(ctx, v, at, ['log', 'none'] as const),
      ),
      tunables: readTunables(ctx, own(object, 'tunables'), kernel),
      features: readFeatures(ctx, own(object, 'features'), kernel),
      costs,
      interrupts: readInterrupts({ ...ctx, locks }, own(object, 'interrupts'), cpus),
    },
  };
}

function readKernel(ctx: ReadContext, value: Json, path: string): KernelId | undefined {
  // Numbers lose their zeros: 6.10 would be 6.1. So the kernel is a text.
  if (typeof value === 'number') {
    addProblem(
      ctx.problems,
      'type',
      path,
      `kernel is the number ${value}; it must be a text.`,
      `Write "${value}" in quotes; kernels are ${KERNELS.join(', ')}.`,
    );
    return undefined;
  }
  return readChoice(ctx, value, path, KERNELS);
}

/** It is a what-if: no kernel does it for futexes, and most are built without it (fact 6.13). */
function noteProxyExecution(ctx: ReadContext, locks: ReadonlyMap<string, KnownLock>): void {
  const isThere = [...locks.values()].some((lock) => lock.kind === 'kernel');
  addNote(
    ctx.notes,
    'proxy-execution',
    '',
    () =>
      `Proxy execution is a what-if; it acts on locks of kind "kernel" only${isThere ? '' : ', and there is none here'}.`,
  );
}

function readHz(ctx: ReadContext, value: Json, path: string): number | undefined {
  const hz = readInteger(ctx, value, path, { min: 1, max: 1_000_000, hint: 'Write 100, 250, 300 or 1000.' });
  if (hz === undefined || HZ_VALUES.includes(hz)) return hz;
  addProblem(
    ctx.problems,
    'unknown-value',
    path,
    `hz is ${hz}; it must be 100, 250, 300 or 1000.`,
    "These are the kernel's own choices.",
  );
  return undefined;
}

/** The kernel's own: 950 ms of 1 s; from 7.2 on the whole second (commit c2e390197ad1). */
function ownThrottling(kernel: KernelId): RtThrottling {
  return { runtimeNs: kernel === '7.2' ? 1_000_000_000 : 950_000_000, periodNs: 1_000_000_000, share: false };
}

function readThrottling(ctx: ReadContext, value: Json | undefined, kernel: KernelId): RtThrottling | false {
  const path = 'machine.rtThrottling';
  const kernelsOwn = ownThrottling(kernel);
  if (value === undefined) return kernelsOwn;
  if (value === false) return false;
  const object = readObject(
    ctx,
    value,
    path,
    'false, or { "runtime": "950ms", "period": "1s" }; leave it out for the kernel\'s own.',
  );
  if (object === undefined) return kernelsOwn;
  checkKeys(ctx, object, path, ['runtime', 'period', 'share', 'phase'], 'rtThrottling');
  const runtimeNs = optional(object, path, 'runtime', kernelsOwn.runtimeNs, (v, at) => readTime(ctx, v, at, 1_000));
  const periodNs = optional(object, path, 'period', kernelsOwn.periodNs, (v, at) => readTime(ctx, v, at, 1_000));
  const share = optional(object, path, 'share', false, (v, at) => readBoolean(ctx, v, at));
  const phaseNs = optional(object, path, 'phase', undefined, (v, at) => readTime(ctx, v, at));
  if (runtimeNs > periodNs) {
    addProblem(
      ctx.problems,
      'throttling-runtime',
      childPath(path, 'runtime'),
      'The runtime of rtThrottling is longer than its period.',
      'Real-time threads get "runtime" of each "period"; write false for no limit.',
    );
  }
  if (!hasRtThrottling(kernel)) {
    addNote(
      ctx.notes,
      'throttling-kernel',
      kernel,
      () => `rtThrottling is only the cap of deadline admission on ${kernel}; it throttles no real-time thread there.`,
    );
  }
  return { runtimeNs, periodNs, share, ...(phaseNs !== undefined ? { phaseNs } : {}) };
}

const OWN_FAIR_SERVER: FairServer = { runtimeNs: 50_000_000, periodNs: 1_000_000_000 };

function readFairServer(
  ctx: ReadContext,
  value: Json | undefined,
  kernel: KernelId,
  writtenKernel: KernelId,
): FairServer | false {
  const path = 'machine.fairServer';
  if (value === undefined) return hasFairServer(kernel) && OWN_FAIR_SERVER;
  if (value === false) return false;
  const object = readObject(
    ctx,
    value,
    path,
    'false, or { "runtime": "50ms", "period": "1s" }; leave it out for the kernel\'s own.',
  );
  if (object === undefined) return false;
  checkKeys(ctx, object, path, ['runtime', 'period'], 'fairServer');
  const runtimeNs = optional(object, path, 'runtime', OWN_FAIR_SERVER.runtimeNs, (v, at) => readTime(ctx, v, at));
  // The kernel takes periods from 100 us to 2^22 us (deadline.c).
  const periodNs = optional(object, path, 'period', OWN_FAIR_SERVER.periodNs, (v, at) => readTime(ctx, v, at, 100_000));
  // And to 2^22 us, as for deadline threads.
  if (periodNs > 4_194_304_000)
    addProblem(
      ctx.problems,
      'range',
      childPath(path, 'period'),
      `The period of fairServer is ${formatTime(periodNs)}.`,
      'The kernel takes 100us to 4.194304s.',
    );
  if (runtimeNs > periodNs) {
    addProblem(
      ctx.problems,
      'server-runtime',
      childPath(path, 'runtime'),
      'The runtime of fairServer is longer than its period.',
      'Fair threads get "runtime" of each "period"; write false for no server.',
    );
  }
  if (!hasFairServer(kernel)) {
    if (kernel === writtenKernel) {
      addProblem(
        ctx.problems,
        'no-fair-server',
        path,
        `Kernel ${kernel} has no fair server.`,
        'It came with 6.12; write "kernel": "6.12", or leave fairServer out.',
      );
    } else {
      addNote(
        ctx.notes,
        'server-kernel',
        kernel,
        () => `Kernel ${kernel} has no fair server; fairServer means nothing there.`,
      );
    }
    return false;
  }
  // As in the kernel: a runtime of 0 disables it.
  return runtimeNs === 0 ? false : { runtimeNs, periodNs };
}

function readTunables(ctx: ReadContext, value: Json | undefined, kernel: KernelId): Readonly<Record<string, Ns>> {
  const path = 'machine.tunables';
  if (value === undefined) return {};
  const object = readObject(ctx, value, path, '{ "base_slice_ns": "700us" }.') ?? {};
  checkKeys(ctx, object, path, [...TUNABLES.keys()], 'tunables');
  return readNamed(
    object,
    path,
    TUNABLES,
    (v, at) => readTunable(ctx, v, at),
    (name) => noteOtherKernel(ctx, kernel, 'tunable', name, TUNABLES),
  );
}

/** The kernel keeps most of them in 32 bits of ns; sched_rr_timeslice_ms and the like are longer, and no shorter. */
const MAX_TUNABLE_NS = 2 ** 32 - 1;

function readTunable(ctx: ReadContext, value: Json, path: string): Ns | undefined {
  const ns = readTime(ctx, value, path, 1);
  if (ns === undefined || ns <= MAX_TUNABLE_NS) return ns;
  addProblem(
    ctx.problems,
    'range',
    path,
    `The tunable is ${formatTime(ns)}.`,
    `The kernel keeps it in 32 bits: at most ${formatTime(MAX_TUNABLE_NS)}.`,
  );
  return undefined;
}

function readFeatures(ctx: ReadContext, value: Json | undefined, kernel: KernelId): Readonly<Record<string, boolean>> {
  const path = 'machine.features';
  if (value === undefined) return {};
  const object = readObject(ctx, value, path, '{ "RUN_TO_PARITY": true }.') ?? {};
  checkKeys(ctx, object, path, [...FEATURES.keys()], 'features');
  return readNamed(
    object,
    path,
    FEATURES,
    (v, at) => readBoolean(ctx, v, at),
    (name) => noteOtherKernel(ctx, kernel, 'feature', name, FEATURES),
  );
}

function readNamed<T>(
  object: JsonObject,
  path: string,
  known: ReadonlyMap<string, unknown>,
  read: (value: Json, path: string) => T | undefined,
  onName: (name: string) => void,
): Readonly<Record<string, T>> {
  const entries: [string, T][] = [];
  for (const [name, value] of Object.entries(object)) {
    if (!known.has(name)) continue;
    const result = read(value, childPath(path, name));
    if (result !== undefined) entries.push([name, result]);
    onName(name);
  }
  return Object.fromEntries(entries);
}

function noteOtherKernel(
  ctx: ReadContext,
  kernel: KernelId,
  what: string,
  name: string,
  table: ReadonlyMap<string, readonly KernelId[]>,
): void {
  if (table.get(name)!.includes(kernel)) return;
  addNote(ctx.notes, `${what} ${name}`, name, () => `The ${what} ${name} means nothing on kernel ${kernel}.`);
}

function readInterrupts(ctx: LockNameContext, value: Json | undefined, cpus: number): readonly Interrupt[] {
  const path = 'machine.interrupts';
  if (value === undefined) return [];
  const list = readList(ctx, value, path, '[{ "cpu": 0, "period": "10ms", "run": "20us", "name": "h/w irq" }].') ?? [];
  if (list.length > MAX_INTERRUPTS) {
    addProblem(
      ctx.problems,
      'bound-interrupts',
      path,
      `There are ${list.length} interrupts.`,
      `A machine has at most ${MAX_INTERRUPTS}.`,
    );
    return [];
  }
  const interrupts: Interrupt[] = [];
  list.forEach((item, i) => {
    const interrupt = readInterrupt(ctx, item, elementPath(path, i));
    if (interrupt === undefined) return;
    if (interrupt.cpu < cpus) interrupts.push(interrupt);
    else
      addNote(
        ctx.notes,
        'interrupt-cpu',
        interrupt.name,
        (first, n) =>
          `${n === 1 ? `The interrupt "${first}"` : `${n} interrupts`} would come on a CPU that the machine lacks and ${n === 1 ? 'is' : 'are'} left out.`,
      );
  });
  checkInterruptLoad(ctx, interrupts, path);
  return interrupts;
}

/** Together they must leave each CPU some time. */
function checkInterruptLoad(ctx: ReadContext, interrupts: readonly Interrupt[], path: string): void {
  const load = new Map<number, number>();
  for (const { cpu, runNs, periodNs } of interrupts) load.set(cpu, (load.get(cpu) ?? 0) + runNs / periodNs);
  for (const [cpu, share] of load) {
    if (share >= 1)
      addProblem(
        ctx.problems,
        'interrupt-load',
        path,
        `The interrupts take all of CPU ${cpu}.`,
        'Nothing else could ever run there; write shorter "run" or longer "period" times.',
      );
  }
}

function readInterrupt(ctx: LockNameContext, value: Json, path: string): Interrupt | undefined {
  const object = readObject(ctx, value, path, '{ "cpu": 0, "period": "10ms", "run": "20us", "name": "h/w irq" }.');
  if (object === undefined) return undefined;
  checkKeys(ctx, object, path, ['cpu', 'period', 'run', 'softirq', 'post', 'name'], 'An interrupt');
  for (const key of ['period', 'run'])
    if (own(object, key) === undefined) missingKey(ctx, path, key, 'An interrupt', '"10ms".');
  const cpu = optional(object, path, 'cpu', 0, (v, at) => readInteger(ctx, v, at, { min: 0, max: MAX_CPUS - 1 }));
  const periodNs = optional(object, path, 'period', undefined, (v, at) => readTime(ctx, v, at, 1));
  const runNs = optional(object, path, 'run', undefined, (v, at) => readTime(ctx, v, at));
  const name = optional(object, path, 'name', 'irq', (v, at) => readText(ctx, v, at, 64));
  if (!isPrintableName(name))
    addProblem(
      ctx.problems,
      'bad-name',
      childPath(path, 'name'),
      'The name is empty or holds a control character.',
      'Write printable characters.',
    );
  const softirqNs = optional(object, path, 'softirq', 0, (v, at) => readTime(ctx, v, at));
  const post = optional(object, path, 'post', undefined, (v, at) => readLockName(ctx, v, at, ['sem']));
  if (periodNs === undefined || runNs === undefined) return undefined;
  if (runNs >= periodNs) {
    addProblem(
      ctx.problems,
      'interrupt-load',
      childPath(path, 'run'),
      'The interrupt runs as long as its period.',
      'Nothing else could ever run on that CPU; write a shorter "run".',
    );
    return undefined;
  }
  return { name, cpu, periodNs, runNs, softirqNs, ...(post !== undefined ? { post } : {}) };
}
