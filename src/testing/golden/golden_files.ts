// Where golden data lies, and reading it. Node only.

import { existsSync, readFileSync } from 'node:fs';
import type { KnownMiss } from './known_misses.ts';
import type { MeasureSpec } from './measure_spec.ts';
import type { RecordedSummary } from './recorded.ts';

/** Machine costs and costs of the programs' own calls, as texts of the scenario format. */
export interface KernelCosts {
  readonly machine: Readonly<Record<string, string>>;
  readonly programs: Readonly<Record<string, string>>;
}

export interface GoldenFiles {
  readonly spec: MeasureSpec;
  readonly costs: Readonly<Record<string, KernelCosts>>;
  readonly knownMisses: readonly KnownMiss[];
  /** The workload's scenario document, as JSON value. */
  document(workload: string): unknown;
  /** The recording itself, and what the program printed ('' where it printed nothing); undefined where there is none. */
  recording(
    recordedKernel: string,
    workload: string,
  ): { readonly traceDat: Uint8Array; readonly log: string } | undefined;
  /** Undefined where that kernel was not recorded. */
  recorded(recordedKernel: string, workload: string): RecordedSummary | undefined;
}

/** `folder`: golden/ of the repository. The files are part of it: a missing or broken one throws. */
export function openGolden(folder: string): GoldenFiles {
  const read = (path: string): unknown => JSON.parse(readFileSync(`${folder}/${path}`, 'utf8'));
  return {
    spec: read('measures.json') as MeasureSpec,
    costs: (read('costs.json') as { kernels: Record<string, KernelCosts> }).kernels,
    knownMisses: (read('known_misses.json') as { rows: KnownMiss[] }).rows,
    document: (workload) => read(`documents/${workload}.json`),
    recording: (recordedKernel, workload) => {
      const path = `${folder}/recorded/${recordedKernel}/${workload}`;
      if (!existsSync(`${path}.dat`)) return undefined;
      const log = existsSync(`${path}.log`) ? readFileSync(`${path}.log`, 'utf8') : '';
      return { traceDat: readFileSync(`${path}.dat`), log };
    },
    recorded: (recordedKernel, workload) => {
      const path = `recorded/${recordedKernel}/${workload}.json`;
      return existsSync(`${folder}/${path}`) ? (read(path) as RecordedSummary) : undefined;
    },
  };
}
