// `check`: the claims of scenarios, each combination of settings that they name run once.

import { whenKey } from '../analysis/claims.ts';
import { LIBRARY } from '../scenario/library/library.ts';
import type { Claim } from '../scenario/scenario.ts';
import { parseArgs } from './args.ts';
import { claimLine } from './claim_text.ts';
import { type CommandContext, resolveLoaded, warnProblems, warnUsage } from './command.ts';
import { HELP } from './help.ts';
import { ExitCode } from './io.ts';
import { type LoadedDocument, loadDocument } from './load_document.ts';
import { harmless } from './problems_text.ts';
import { isBoundNote, simulate } from './simulate.ts';

interface Tally {
  ok: number;
  failed: number;
  bound: boolean;
  bad: boolean;
}

export async function commandCheck(args: readonly string[], context: CommandContext): Promise<ExitCode> {
  const { io } = context;
  const parsed = parseArgs(args, [
    { name: '--all', values: 0 },
    { name: '--help', values: 0 },
  ]);
  if (parsed.options.has('--help')) {
    await io.write(HELP.check);
    return ExitCode.ok;
  }
  const all = parsed.options.has('--all');
  const problems = [...parsed.problems];
  if (all && parsed.operands.length > 0) problems.push('--all takes no FILE.');
  if (!all && parsed.operands.length === 0) problems.push('check needs a FILE or NAME, or --all.');
  if (problems.length > 0) {
    warnUsage(io, 'check', problems);
    return ExitCode.badInput;
  }
  const tally: Tally = { ok: 0, failed: 0, bound: false, bad: false };
  for (const source of all ? LIBRARY.map((entry) => entry.name) : parsed.operands) {
    const loaded = await loadDocument(source, io);
    if (loaded.ok) await checkDocument(loaded.value, context, tally);
    else {
      warnProblems(io, source === '-' ? '<stdin>' : source, loaded.error);
      tally.bad = true;
    }
  }
  await io.write(`${tally.ok} ok, ${tally.failed} failed\n`);
  if (tally.bad) return ExitCode.badInput;
  if (tally.failed > 0) return ExitCode.claimFailed;
  return tally.bound ? ExitCode.boundReached : ExitCode.ok;
}

async function checkDocument(loaded: LoadedDocument, context: CommandContext, tally: Tally): Promise<void> {
  const { io } = context;
  const byDefault = resolveLoaded(loaded, { settings: {}, interventions: [] });
  if (!byDefault.ok) {
    warnProblems(io, loaded.label, byDefault.error);
    tally.bad = true;
    return;
  }
  if (byDefault.value.claims.length === 0) {
    await io.write(`${harmless(loaded.label)}: no claims\n`);
    return;
  }
  for (const claims of groupsOf(byDefault.value.claims)) await checkGroup(loaded, claims, context, tally);
}

/** Claims that one run can check, in the order in which their settings first appear. */
function groupsOf(claims: readonly Claim[]): readonly (readonly Claim[])[] {
  const groups = new Map<string, Claim[]>();
  for (const claim of claims) groups.set(whenKey(claim), [...(groups.get(whenKey(claim)) ?? []), claim]);
  return [...groups.values()];
}

async function checkGroup(
  loaded: LoadedDocument,
  claims: readonly Claim[],
  context: CommandContext,
  tally: Tally,
): Promise<void> {
  const { io } = context;
  const settings = Object.fromEntries(Object.entries(claims[0]!.when).map(([id, value]) => [id, String(value)]));
  const resolved = resolveLoaded(loaded, { settings, interventions: [] });
  if (!resolved.ok) {
    warnProblems(io, loaded.label, resolved.error);
    tally.bad = true;
    return;
  }
  // The claims of this resolution: under other settings a "$param" in them may have another value.
  const inGroup = resolved.value.claims.filter((claim) => whenKey(claim) === whenKey(claims[0]!));
  const { result, state } = await simulate(context.sim, resolved.value, {
    claims: inGroup,
    segments: false,
    watchers: [],
  });
  const pairs = Object.entries(settings).map(([id, value]) => `${id}=${value}`);
  await io.write(`${harmless(`${loaded.label}${pairs.length === 0 ? '' : ` with ${pairs.join(' ')}`}`)}\n`);
  for (const [i, claim] of result.claims.entries()) {
    if (claim.ok) tally.ok++;
    else tally.failed++;
    await io.write(claimLine(claim, inGroup[i]));
  }
  if (state === 'limit') {
    tally.bound = true;
    io.warn(`${harmless(loaded.label)}: ${result.notes.find(isBoundNote) ?? 'A bound was reached.'}\n`);
  }
}
