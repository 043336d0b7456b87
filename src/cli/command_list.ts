// `list`: the library, a line each.

import { LIBRARY } from '../scenario/library/library.ts';
import { parseArgs } from './args.ts';
import { type CommandContext, warnUsage } from './command.ts';
import { HELP } from './help.ts';
import { ExitCode } from './io.ts';

export async function commandList(args: readonly string[], { io }: CommandContext): Promise<ExitCode> {
  const parsed = parseArgs(args, [{ name: '--help', values: 0 }]);
  if (parsed.options.has('--help')) {
    await io.write(HELP.list);
    return ExitCode.ok;
  }
  const problems = [...parsed.problems, ...(parsed.operands.length > 0 ? ['list takes no arguments.'] : [])];
  if (problems.length > 0) {
    warnUsage(io, 'list', problems);
    return ExitCode.badInput;
  }
  const width = Math.max(...LIBRARY.map((entry) => entry.name.length));
  await io.write(LIBRARY.map((entry) => `${entry.name.padEnd(width)}  ${entry.title}\n`).join(''));
  return ExitCode.ok;
}
