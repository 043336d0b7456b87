// The command line without its process: arguments and a host in, an exit code out. Never throws for bad input.

import { nearestName } from '../scenario/nearest_name.ts';
import type { InspectModule } from '../sim/api.ts';
import { type CommandContext, warnUsage } from './command.ts';
import { commandCheck } from './command_check.ts';
import { commandList } from './command_list.ts';
import { commandRun } from './command_run.ts';
import { commandState } from './command_state.ts';
import { commandUrl } from './command_url.ts';
import { HELP } from './help.ts';
import { type CliIo, ExitCode } from './io.ts';

const COMMANDS: ReadonlyMap<string, (args: readonly string[], context: CommandContext) => Promise<ExitCode>> = new Map([
  ['run', commandRun],
  ['check', commandCheck],
  ['state', commandState],
  ['list', commandList],
  ['url', commandUrl],
]);

/** Runs one command. Results go to `io.write`, all else to `io.warn`. */
export async function runCli(argv: readonly string[], io: CliIo, sim: InspectModule): Promise<ExitCode> {
  const [name, ...args] = argv;
  if (name === '--help' || name === '-h' || name === 'help') {
    await io.write(HELP.main);
    return ExitCode.ok;
  }
  const command = name === undefined ? undefined : COMMANDS.get(name);
  if (command !== undefined)
    return command(
      args.map((arg) => (arg === '-h' ? '--help' : arg)),
      { io, sim },
    );
  const near = name === undefined ? undefined : nearestName(name, COMMANDS.keys());
  const commands = [...COMMANDS.keys()].join(', ');
  const problem =
    name === undefined
      ? `There is no command. Commands: ${commands}.`
      : `There is no command ${JSON.stringify(name.slice(0, 40))}. ${near === undefined ? `Commands: ${commands}.` : `Did you mean ${near}?`}`;
  warnUsage(io, '', [problem]);
  return ExitCode.badInput;
}
