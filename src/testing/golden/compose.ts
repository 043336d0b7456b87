// The document of one workload on one recorded kernel: the same programs, the kernel's one set of costs, and the
// conditions of that boot. Nothing else is changed.

import type { KernelId } from '../../scenario/scenario.ts';
import type { KernelCosts } from './golden_files.ts';
import type { BootConditions } from './recorded.ts';

/** The parts of a golden document that are set here; the rest passes through. */
interface GoldenDocument {
  readonly params: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly machine: Readonly<Record<string, unknown>>;
  readonly threads: readonly Readonly<Record<string, unknown>>[];
}

export interface ComposeInput {
  readonly document: unknown;
  readonly kernel: KernelId;
  readonly piReweight: boolean;
  readonly costs: KernelCosts;
  readonly boot: BootConditions;
}

/** The kernels' default for real-time throttling (6.1); needed here because a phase is set on it. */
const THROTTLING = { runtime: '950ms', period: '1s' };

export function composeDocument(input: ComposeInput): unknown {
  const document = input.document as GoldenDocument;
  const { boot, costs } = input;
  const params = Object.entries(document.params).map(([name, param]) => {
    const cost = costs.programs[name];
    return [name, cost === undefined ? param : { ...param, default: cost }];
  });
  const threads = document.threads.map((thread) => {
    const startCpu = boot.startCpu?.[String(thread.name)];
    return startCpu === undefined || thread.cpus !== undefined ? thread : { ...thread, startCpu };
  });
  return {
    ...document,
    params: Object.fromEntries(params),
    machine: {
      ...document.machine,
      kernel: input.kernel,
      costs: costs.machine,
      tickPhase: `${boot.tickPhaseNs}ns`,
      ...(input.piReweight ? { piReweight: true } : {}),
      ...(boot.throttlePhaseNs === undefined
        ? {}
        : { rtThrottling: { ...THROTTLING, phase: `${boot.throttlePhaseNs}ns` } }),
    },
    threads,
  };
}
