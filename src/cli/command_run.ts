// `run`: one simulation, printed as a report, as JSON or as trace lines.

import { claimsInForce } from '../analysis/claims.ts';
import { WHOLE_RUN, type Window } from '../analysis/window.ts';
import { formatNs } from '../base/format.ts';
import { plain } from '../explain/parts.ts';
import type { Scenario } from '../scenario/scenario.ts';
import type { LaneInfo } from '../trace/segments.ts';
import { type OptionSpec, parseArgs } from './args.ts';
import { addTimelineRows, createAsciiTimeline, timelineText } from './ascii_timeline.ts';
import { type CommandContext, loadScenario, warnUsage } from './command.ts';
import { HELP } from './help.ts';
import { ExitCode } from './io.ts';
import { resultJson } from './result_json.ts';
import { BETWEEN_OPTION, RUN_OPTIONS, readRunSettings } from './run_options.ts';
import { isBoundNote, type RunOutput, simulate, type Watcher } from './simulate.ts';
import { reportText } from './text_report.ts';
import { createTraceWriter, traceHeader, traceLines } from './trace_text.ts';

const OPTIONS: readonly OptionSpec[] = [
  ...RUN_OPTIONS,
  BETWEEN_OPTION,
  { name: '--json', values: 0 },
  { name: '--segments', values: 0 },
  { name: '--text', values: 0 },
  { name: '--trace', values: 0 },
  { name: '--help', values: 0 },
];

const FORMS = ['--json', '--text', '--trace'] as const;
const MAX_COLUMNS = 120;
const LABEL_COLUMNS = 20;

export async function commandRun(args: readonly string[], context: CommandContext): Promise<ExitCode> {
  const { io } = context;
  const parsed = parseArgs(args, OPTIONS);
  if (parsed.options.has('--help')) {
    await io.write(HELP.run);
    return ExitCode.ok;
  }
  const problems = [...parsed.problems];
  const forms = FORMS.filter((form) => parsed.options.has(form));
  if (forms.length > 1) problems.push(`${forms.join(' and ')} exclude each other.`);
  const form = forms[0] ?? '--text';
  const segments = parsed.options.has('--segments');
  if (segments && form !== '--json') problems.push('--segments goes with --json.');
  if (parsed.operands.length !== 1)
    problems.push(
      parsed.operands.length === 0
        ? 'run needs a FILE or NAME.'
        : `run takes one FILE or NAME, not ${parsed.operands.length}.`,
    );
  const settings = readRunSettings(parsed);
  if (!settings.ok) problems.push(...settings.error);
  if (problems.length > 0 || !settings.ok) {
    warnUsage(io, 'run', problems);
    return ExitCode.badInput;
  }

  const found = await loadScenario(io, parsed.operands[0]!, settings.value);
  if (found === undefined) return ExitCode.badInput;
  const { loaded, scenario } = found;
  const { betweenNs } = settings.value;
  if (betweenNs !== undefined && betweenNs[0] >= scenario.durationNs) {
    warnUsage(io, 'run', [
      `--between begins at ${plain(formatNs(betweenNs[0]))}; the run ends at ${plain(formatNs(scenario.durationNs))}.`,
    ]);
    return ExitCode.badInput;
  }
  const claims = claimsInForce(loaded.document, scenario);
  const printer = createPrinter(form, scenario, betweenNs, context);
  await printer.begin();
  const output = await simulate(context.sim, scenario, { betweenNs, claims, segments, watchers: [printer.watcher] });
  await printer.end(output, claims);
  if (output.state === 'limit') io.warn(`${output.result.notes.find(isBoundNote) ?? 'A bound was reached.'}\n`);
  return output.state === 'limit' ? ExitCode.boundReached : ExitCode.ok;
}

interface Printer {
  readonly watcher: Watcher;
  begin(): Promise<void>;
  end(output: RunOutput, claims: ReturnType<typeof claimsInForce>): Promise<void>;
}

function createPrinter(
  form: (typeof FORMS)[number],
  scenario: Scenario,
  betweenNs: readonly [number, number] | undefined,
  context: CommandContext,
): Printer {
  const window = betweenNs === undefined ? WHOLE_RUN : { fromNs: betweenNs[0], toNs: betweenNs[1] };
  if (form === '--trace') return tracePrinter(window, scenario, context);
  if (form === '--json') return jsonPrinter(context);
  return textPrinter(window, scenario, context);
}

function jsonPrinter({ io }: CommandContext): Printer {
  return {
    watcher: {},
    begin: async () => {},
    end: async ({ result }) => {
      for (const piece of resultJson(result)) await io.write(piece);
    },
  };
}

function tracePrinter(window: Window, scenario: Scenario, { io }: CommandContext): Printer {
  const writer = createTraceWriter(window, scenario.machine.cpus);
  return {
    watcher: {
      records: async (records, sim) => {
        const text = traceLines(writer, records, sim);
        if (text !== '') await io.write(text);
      },
    },
    begin: () => io.write(traceHeader(scenario.machine.cpus)),
    end: async () => {},
  };
}

function textPrinter(window: Window, scenario: Scenario, { io }: CommandContext): Printer {
  const shown = shownWindow(window, scenario);
  const timeline = createAsciiTimeline(shown, Math.max(20, Math.min(MAX_COLUMNS, io.columns) - LABEL_COLUMNS));
  let lanes: readonly LaneInfo[] = [];
  return {
    watcher: {
      rows: (rows, segmenter) => {
        lanes = segmenter.lanes;
        addTimelineRows(timeline, rows, lanes);
      },
    },
    begin: async () => {},
    end: async (output, claims) => {
      const drawing = timelineText(timeline, lanes, output.sim.tasks, output.endNs);
      await io.write(reportText(output, claims, drawing));
    },
  };
}

/** What the drawing shows: the stretch asked for, else the one that the scenario's author chose, else all. */
function shownWindow(window: Window, scenario: Scenario): Window {
  if (window !== WHOLE_RUN) return { fromNs: window.fromNs, toNs: Math.min(window.toNs, scenario.durationNs) };
  const range = scenario.view.rangeNs;
  return range === undefined
    ? { fromNs: 0, toNs: scenario.durationNs }
    : { fromNs: range[0], toNs: Math.min(range[1], scenario.durationNs) };
}
