// What the machine's own work costs: the presets of the scenario format, as data.

import type { Json } from './document.ts';
import { childPath } from './json_path.ts';
import { isObject, own } from './json_value.ts';
import { addNotYet, addProblem } from './problems.ts';
import type { ReadContext } from './read_context.ts';
import { checkKeys, optional, readChoice, readObject, readTime } from './read_value.ts';
import type { Costs } from './scenario.ts';

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

/** Presets by name. Source: the table of costs in the scenario format; orders of magnitude from fact sheet 10.4. */
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

const PRESET_NAMES = [...COST_PRESETS.keys(), 'recorded'];
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

/** Reads `machine.costs`: a preset's name, or an object with "preset" (default "ideal") and the costs that differ from it. */
export function readCosts(ctx: ReadContext, value: Json | undefined, path: string): NamedCosts {
  if (value === undefined) return { name: 'ideal', costs: IDEAL };
  if (!isObject(value)) return readPreset(ctx, value, path);
  const object = readObject(ctx, value, path, '{ "preset": "server", "contextSwitch": "2us" }.')!;
  checkKeys(ctx, object, path, ['preset', ...COST_KEYS], 'costs');
  const preset = own(object, 'preset');
  const base = preset === undefined ? IDEAL : readPreset(ctx, preset, childPath(path, 'preset')).costs;
  const costs = Object.fromEntries(
    COST_KEYS.map((key) => [
      `${key}Ns`,
      optional(object, path, key, base[`${key}Ns`], (cost, at) => readTime(ctx, cost, at)),
    ]),
  ) as unknown as Costs;
  return { name: 'custom', costs };
}

function readPreset(ctx: ReadContext, value: Json, path: string): NamedCosts {
  const name = readChoice(ctx, value, path, PRESET_NAMES);
  if (name === 'recorded')
    addNotYet(ctx.problems, 'the costs "recorded"', path, 'Use "ideal", "server" or "set-top-box".');
  return { name: name ?? 'ideal', costs: COST_PRESETS.get(name ?? 'ideal') ?? IDEAL };
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
