// Reads `machine`: CPUs, kernel, clock, protections, tunables, costs, interrupts.

import type { Ns } from '../base/units.ts';
import { checkCosts, readCosts } from './costs.ts';
import type { Json, JsonObject } from './document.ts';
import { childPath, elementPath } from './json_path.ts';
import { own } from './json_value.ts';
import { FEATURES, hasFairServer, hasRtThrottling, KERNELS, TUNABLES } from './kernel_names.ts';
import { addNotYet, addProblem } from './problems.ts';
import { addNote, type ReadContext } from './read_context.ts';
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
 * @param writtenKernel kernel that the document itself names: what only a setting made meaningless is a note, else an error
 */
export function readMachine(ctx: ReadContext, value: Json | undefined, writtenKernel: KernelId): ReadMachine {
  const path = 'machine';
  const object = value === undefined ? {} : (readObject(ctx, value, path, '{ "cpus": 4, "kernel": "6.12" }.') ?? {});
  checkKeys(ctx, object, path, MACHINE_KEYS, 'machine');
  const kernel = optional(object, path, 'kernel', DEFAULT_KERNEL, (v, at) => readKernel(ctx, v, at));
  const cpus = optional(object, path, 'cpus', 1, (v, at) =>
    readInteger(ctx, v, at, { min: 1, max: MAX_CPUS, code: 'bound-cpus' }),
  );
  const hz = optional(object, path, 'hz', 250, (v, at) => readHz(ctx, v, at));
  const tickNs = Math.floor(1_000_000_000 / hz);
  const { name: costsName, costs } = readCosts(ctx, own(object, 'costs'), 'machine.costs');
  checkCosts(ctx, costs, tickNs, 'machine.costs');
  for (const [key, what] of [
    ['proxyExecution', 'proxy execution'],
    ['autogroup', 'autogroups'],
  ] as const) {
    const on = optional(object, path, key, false, (v, at) => readBoolean(ctx, v, at));
    if (on) addNotYet(ctx.problems, what, childPath(path, key), `Leave "${key}" out, or write false.`);
  }
  return {
    costsName,
    machine: {
      cpus,
      kernel,
      hz,
      firstTickNs: optional(object, path, 'tickPhase', tickNs, (v, at) => readTime(ctx, v, at)),
      rtThrottling: readThrottling(ctx, own(object, 'rtThrottling'), kernel),
      fairServer: readFairServer(ctx, own(object, 'fairServer'), kernel, writtenKernel),
      proxyExecution: false,
      autogroup: false,
      piReweight: optional(object, path, 'piReweight', false, (v, at) => readBoolean(ctx, v, at)),
      tunableScaling: optional(object, path, 'tunableScaling', 'log' as const, (v, at) =>
        readChoice(ctx, v, at, ['log', 'none'] as const),
      ),
      tunables: readTunables(ctx, own(object, 'tunables'), kernel),
      features: readFeatures(ctx, own(object, 'features'), kernel),
      costs,
      interrupts: readInterrupts(ctx, own(object, 'interrupts'), cpus),
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
  const kernel = readChoice(ctx, value, path, KERNELS);
  if (kernel === '6.6') addNotYet(ctx.problems, 'kernel 6.6', path, 'Use "6.1", "6.12" or "7.2".');
  return kernel;
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
    (v, at) => readTime(ctx, v, at, 1),
    (name) => noteOtherKernel(ctx, kernel, 'tunable', name, TUNABLES),
  );
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

function readInterrupts(ctx: ReadContext, value: Json | undefined, cpus: number): readonly Interrupt[] {
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

function readInterrupt(ctx: ReadContext, value: Json, path: string): Interrupt | undefined {
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
  for (const key of ['softirq', 'post']) {
    if (own(object, key) !== undefined)
      addNotYet(ctx.problems, `interrupts with "${key}"`, childPath(path, key), `Leave "${key}" out.`);
  }
  if (own(object, 'softirq') !== undefined) readTime(ctx, own(object, 'softirq'), childPath(path, 'softirq'));
  if (own(object, 'post') !== undefined) readText(ctx, own(object, 'post'), childPath(path, 'post'), 64);
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
  return { name, cpu, periodNs, runNs, softirqNs: 0 };
}
