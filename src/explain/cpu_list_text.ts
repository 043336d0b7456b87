// A set of CPUs as people write it.

import type { CpuId } from '../trace/ids.ts';

/** `CPU 2`, `CPUs 0–3`, `CPUs 0, 2 and 4–6`. Input ascending, not empty. */
export function cpuListText(cpus: readonly CpuId[]): string {
  const ranges: string[] = [];
  for (let i = 0; i < cpus.length; ) {
    let end = i;
    while (end + 1 < cpus.length && cpus[end + 1] === cpus[end]! + 1) end++;
    if (end === i + 1) ranges.push(String(cpus[i]), String(cpus[end]));
    else ranges.push(end === i ? String(cpus[i]) : `${cpus[i]}–${cpus[end]}`);
    i = end + 1;
  }
  const list = ranges.length < 2 ? ranges.join('') : `${ranges.slice(0, -1).join(', ')} and ${ranges.at(-1)}`;
  return cpus.length === 1 ? `CPU ${list}` : `CPUs ${list}`;
}
