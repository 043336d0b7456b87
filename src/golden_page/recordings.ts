// Which recordings the page ships: as files of their own, fetched when they are chosen.

import { SPEC } from './measures.ts';

const URLS = import.meta.glob<string>(
  '../../golden/recorded/*-deb/{pi-reweight-short,pi-chain,fair-share,sleeper,rt-throttle,bmalloc-hang-fifo}.dat',
  { query: '?url', import: 'default', eager: true },
);
/** Recordings that are shipped, in the order of measures.json. */
export const CHOICES: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries(SPEC.workloads)
    .map(([workload, spec]) => [workload, spec.kernels.filter((kernel) => recordingUrl(kernel, workload))] as const)
    .filter(([, kernels]) => kernels.length > 0),
);

/** Where the recording lies; undefined where it is not shipped. */
export function recordingUrl(kernel: string, workload: string): string | undefined {
  return URLS[`../../golden/recorded/${kernel}/${workload}.dat`];
}
