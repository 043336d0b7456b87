// What the machine's own work costs: the presets of the scenario format, as data.

import type { Json } from './document.ts';
import { childPath } from './json_path.ts';
import { isObject, own } from './json_value.ts';
import { addProblem } from './problems.ts';
import { addNote, type ReadContext } from './read_context.ts';
import { checkKeys, optional, readChoice, readObject, readTime } from './read_value.ts';
import type { Costs, KernelId } from './scenario.ts';

const IDEAL: Costs = {
  contextSwitchNs: 0,
  wakeupNs: 0,
  wakeupIpiNs: 0,
  idleExitNs: 0,
  tickNs: 0,
  timerInterruptNs: 0,
  syscallNs: 0,
  migrationNs: 0,
};

/** Presets by name that are the same for every kernel. Source: the table of costs in the scenario format; orders of magnitude from fact sheet 10.4. */
export const COST_PRESETS: ReadonlyMap<string, Costs> = new Map([
  ['ideal', IDEAL],
  [
    'server',
    {
      contextSwitchNs: 1_500,
      wakeupNs: 1_000,
      wakeupIpiNs: 1_000,
      idleExitNs: 2_000,
      tickNs: 1_000,
      timerInterruptNs: 1_000,
      syscallNs: 200,
      migrationNs: 5_000,
    },
  ],
  [
    'set-top-box',
    {
      contextSwitchNs: 4_000,
      wakeupNs: 2_000,
      wakeupIpiNs: 2_000,
      idleExitNs: 12_000,
      tickNs: 3_000,
      timerInterruptNs: 3_000,
      syscallNs: 500,
      migrationNs: 20_000,
    },
  ],
]);

/** The calibration of the recording machine, one set a kernel: golden/costs.json, which golden/README.md derives. */
export const RECORDED_COSTS: Readonly<Record<Exclude<KernelId, '6.6'>, Costs>> = {
  '6.1': {
    contextSwitchNs: 4_400,
    wakeupNs: 2_000,
    wakeupIpiNs: 4_000,
    idleExitNs: 0,
    tickNs: 2_400,
    timerInterruptNs: 0,
    syscallNs: 1_080,
    migrationNs: 0,
  },
  '6.12': {
    contextSwitchNs: 4_770,
    wakeupNs: 2_000,
    wakeupIpiNs: 4_000,
    idleExitNs: 0,
    tickNs: 2_400,
    timerInterruptNs: 0,
    syscallNs: 840,
    migrationNs: 0,
  },
  '7.2': {
    contextSwitchNs: 4_000,
    wakeupNs: 2_000,
    wakeupIpiNs: 4_000,
    idleExitNs: 0,
    tickNs: 2_800,
    timerInterruptNs: 0,
    syscallNs: 900,
    migrationNs: 0,
  },
};

/** Every preset that `costs` may name. */
export const COST_NAMES: readonly string[] = [...COST_PRESETS.keys(), 'recorded'];
const COST_KEYS = [
  'contextSwitch',
  'wakeup',
  'wakeupIpi',
  'idleExit',
  'tick',
  'timerInterrupt',
  'syscall',
  'migration',
] as const;

/** Costs and the name to show for them: the preset's, or 'custom' for an object over one. */
export interface NamedCosts {
  readonly name: string;
  readonly costs: Costs;
}

/** Reads `machine.costs`, those of `kernel`: a preset's name, or an object with "preset" (default "ideal") and the costs that differ from it. */
export function readCosts(ctx: ReadContext, value: Json | undefined, path: string, kernel: KernelId): NamedCosts {
  if (value === undefined) return { name: 'ideal', costs: IDEAL };
  if (!isObject(value)) return readPreset(ctx, value, path, kernel);
  const object = readObject(ctx, value, path, '{ "preset": "server", "contextSwitch": "2us" }.')!;
  checkKeys(ctx, object, path, ['preset', ...COST_KEYS], 'costs');
  const preset = own(object, 'preset');
  const base = preset === undefined ? IDEAL : readPreset(ctx, preset, childPath(path, 'preset'), kernel).costs;
  const costs = Object.fromEntries(
    COST_KEYS.map((key) => [
      `${key}Ns`,
      optional(object, path, key, base[`${key}Ns`], (cost, at) => readTime(ctx, cost, at)),
    ]),
  ) as unknown as Costs;
  return { name: 'custom', costs };
}

function readPreset(ctx: ReadContext, value: Json, path: string, kernel: KernelId): NamedCosts {
  const name = readChoice(ctx, value, path, COST_NAMES);
  if (name === 'recorded') return { name, costs: recordedCosts(ctx, kernel) };
  return { name: name ?? 'ideal', costs: COST_PRESETS.get(name ?? 'ideal') ?? IDEAL };
}

function recordedCosts(ctx: ReadContext, kernel: KernelId): Costs {
  if (kernel !== '6.6') return RECORDED_COSTS[kernel];
  addNote(
    ctx.notes,
    'recorded-kernel',
    kernel,
    () => 'There is no recording of kernel 6.6; the costs "recorded" are those of 6.12.',
  );
  return RECORDED_COSTS['6.12'];
}

/** Reports costs that leave no time for anything else. */
export function checkCosts(ctx: ReadContext, costs: Costs, tickNs: number, path: string): void {
  if (costs.tickNs < tickNs) return;
  addProblem(
    ctx.problems,
    'costs-tick',
    path,
    'A tick costs as much time as there is between two ticks.',
    'Nothing else could ever run; write a smaller "tick".',
  );
}
