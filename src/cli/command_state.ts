// `state`: everything that decides what comes next, at one instant of a run.

import { formatNs } from '../base/format.ts';
import type { Ns } from '../base/units.ts';
import { plain } from '../explain/parts.ts';
import type { Scenario } from '../scenario/scenario.ts';
import { parseTime } from '../scenario/time_text.ts';
import type { MachineState, Simulation } from '../sim/api.ts';
import { type OptionSpec, parseArgs } from './args.ts';
import { type CommandContext, loadScenario, warnUsage } from './command.ts';
import { HELP } from './help.ts';
import { ExitCode } from './io.ts';
import { harmless } from './problems_text.ts';
import { RUN_OPTIONS, readRunSettings } from './run_options.ts';
import { stateText } from './state_text.ts';

const OPTIONS: readonly OptionSpec[] = [
  ...RUN_OPTIONS,
  { name: '--when', values: 1 },
  { name: '--json', values: 0 },
  { name: '--help', values: 0 },
];

const EVENTS_A_SLICE = 8_192;

export async function commandState(args: readonly string[], context: CommandContext): Promise<ExitCode> {
  const { io } = context;
  const parsed = parseArgs(args, OPTIONS);
  if (parsed.options.has('--help')) {
    await io.write(HELP.state);
    return ExitCode.ok;
  }
  const problems = [...parsed.problems];
  if (parsed.operands.length !== 1) problems.push('state needs one FILE or NAME.');
  const when = parsed.options.get('--when')?.[0]?.[0];
  const time = when === undefined ? undefined : parseTime(when);
  if (time === undefined) problems.push('state needs --when TIME. For example --when 12.5ms.');
  else if (!time.ok)
    problems.push(`--when has ${JSON.stringify(when!.slice(0, 60))}, which ${time.error.message}. ${time.error.hint}`);
  const settings = readRunSettings(parsed);
  if (!settings.ok) problems.push(...settings.error);
  if (problems.length > 0 || !settings.ok || time === undefined || !time.ok) {
    warnUsage(io, 'state', problems);
    return ExitCode.badInput;
  }
  const found = await loadScenario(io, parsed.operands[0]!, settings.value);
  if (found === undefined) return ExitCode.badInput;
  const { scenario } = found;
  if (time.value >= scenario.durationNs) {
    const end = plain(formatNs(scenario.durationNs));
    warnUsage(io, 'state', [`--when is ${plain(formatNs(time.value))}; the run ends at ${end}.`]);
    return ExitCode.badInput;
  }
  const { sim, state } = runTo(context, scenario, time.value);
  const names = { tasks: sim.tasks, scenario };
  await io.write(
    parsed.options.has('--json') ? `${JSON.stringify(state, undefined, 2)}\n` : harmlessLines(stateText(state, names)),
  );
  return sim.state === 'limit' ? ExitCode.boundReached : ExitCode.ok;
}

/** Names come from the document. */
function harmlessLines(text: string): string {
  return text.split('\n').map(harmless).join('\n');
}

function runTo(context: CommandContext, scenario: Scenario, tNs: Ns): { sim: Simulation; state: MachineState } {
  const module = context.sim;
  const sim = module.createSimulation(scenario);
  const history = module.historyOf(sim);
  for (;;) {
    const before = sim.events;
    module.advance(sim, tNs + 1, EVENTS_A_SLICE);
    module.takeRecords(sim);
    module.noteHistory(history, sim);
    if (sim.state !== 'running' || sim.events === before) break;
  }
  return { sim, state: module.stateAt(history, Math.min(tNs, sim.state === 'running' ? tNs : sim.nowNs)) };
}
