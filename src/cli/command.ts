// What the commands share: problems to standard error, arguments checked, a document resolved.

import { err, ok, type Result } from '../base/result.ts';
import type { Problem } from '../scenario/document.ts';
import { resolve } from '../scenario/resolve.ts';
import type { Scenario } from '../scenario/scenario.ts';
import type { InspectModule } from '../sim/api.ts';
import type { CliIo } from './io.ts';
import { type LoadedDocument, loadDocument } from './load_document.ts';
import { harmless, problemLines } from './problems_text.ts';
import type { RunSettings } from './run_options.ts';

export interface CommandContext {
  readonly io: CliIo;
  readonly sim: InspectModule;
}

/** Mistakes in arguments, a line each, and where to read on. */
export function warnUsage(io: CliIo, command: string, problems: readonly string[]): void {
  for (const problem of problems) io.warn(`${harmless(problem)}\n`);
  io.warn(`See: npm run -s sim -- ${command === '' ? '' : `${command} `}--help\n`);
}

/** Every problem of a document, a line each. */
export function warnProblems(io: CliIo, label: string, problems: readonly Problem[]): void {
  io.warn(problemLines(label, problems));
}

/** The document that an argument names, under these settings; undefined: what is wrong has been told. */
export async function loadScenario(
  io: CliIo,
  source: string,
  settings: Pick<RunSettings, 'settings' | 'interventions'>,
): Promise<{ readonly loaded: LoadedDocument; readonly scenario: Scenario } | undefined> {
  const loaded = await loadDocument(source, io);
  if (!loaded.ok) {
    warnProblems(io, source === '-' ? '<stdin>' : source, loaded.error);
    return undefined;
  }
  const resolved = resolveLoaded(loaded.value, settings);
  if (!resolved.ok) {
    warnProblems(io, loaded.value.label, resolved.error);
    return undefined;
  }
  return { loaded: loaded.value, scenario: resolved.value };
}

/** The scenario under these settings, or all that is wrong. */
export function resolveLoaded(
  loaded: LoadedDocument,
  settings: Pick<RunSettings, 'settings' | 'interventions'>,
): Result<Scenario, readonly Problem[]> {
  const resolved = resolve(loaded.document, settings.settings, settings.interventions);
  return resolved.ok
    ? ok(resolved.value)
    : err(resolved.error.map((problem) => inArguments(problem, settings.interventions)));
}

/** Places of settings, as a person typed them. */
function inArguments(problem: Problem, flips: RunSettings['interventions']): Problem {
  const set = /^settings\.(?!do\b)(.+)$/.exec(problem.path);
  if (set !== null) return { ...problem, path: `--set ${set[1]}` };
  const at = /^settings\.do\[(\d+)\](?:\.at|\.set\.(.+))?$/.exec(problem.path);
  if (at === null) return problem;
  const typed = ['--at', flips[Number(at[1])]?.at, at[2]].filter((part) => part !== undefined);
  return { ...problem, path: typed.join(' ') };
}
