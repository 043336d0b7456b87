// `url`: the link that opens a scenario on the page.

import { createDeflatePort } from '../scenario/deflate_port.ts';
import { encodeLink, plainLink } from '../scenario/link.ts';
import { type OptionSpec, parseArgs } from './args.ts';
import { type CommandContext, loadScenario, warnUsage } from './command.ts';
import { HELP } from './help.ts';
import { ExitCode } from './io.ts';
import { RUN_OPTIONS, readRunSettings } from './run_options.ts';

const OPTIONS: readonly OptionSpec[] = [...RUN_OPTIONS, { name: '--base', values: 1 }, { name: '--help', values: 0 }];

export async function commandUrl(args: readonly string[], { io }: CommandContext): Promise<ExitCode> {
  const parsed = parseArgs(args, OPTIONS);
  if (parsed.options.has('--help')) {
    await io.write(HELP.url);
    return ExitCode.ok;
  }
  const problems = [...parsed.problems];
  if (parsed.operands.length !== 1) problems.push('url needs one FILE or NAME.');
  const settings = readRunSettings(parsed);
  if (!settings.ok) problems.push(...settings.error);
  const base = parsed.options.get('--base')?.[0]?.[0] ?? '';
  if (base !== '' && !/^(?:https?|file):\/\/[^\s#]+$/.test(base))
    problems.push('--base must be an address such as http://localhost:4173/, without "#".');
  if (problems.length > 0 || !settings.ok) {
    warnUsage(io, 'url', problems);
    return ExitCode.badInput;
  }
  // A link that the page would refuse is no use to anybody.
  const found = await loadScenario(io, parsed.operands[0]!, settings.value);
  if (found === undefined) return ExitCode.badInput;
  const { libraryName, document } = found.loaded;
  const scenario =
    libraryName === undefined
      ? ({ from: 'inline', document } as const)
      : ({ from: 'library', name: libraryName } as const);
  const interventions = settings.value.interventions.map(({ at, set }) => ({
    at,
    set: Object.fromEntries(Object.entries(set).map(([id, value]) => [id, String(value)])),
  }));
  const link = await encodeLink(
    { ...plainLink(scenario), settings: settings.value.settings, interventions },
    createDeflatePort(CompressionStream, DecompressionStream),
  );
  await io.write(`${base}${link}\n`);
  return ExitCode.ok;
}
