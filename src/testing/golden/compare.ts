// One workload on one recorded kernel: compose the document, simulate, compare.

import type { Ns } from '../../base/units.ts';
import { parseTime } from '../../scenario/time_text.ts';
import { composeDocument } from './compose.ts';
import type { GoldenFiles } from './golden_files.ts';
import type { Observation } from './observation.ts';
import type { RecordedSummary } from './recorded.ts';
import { scopeOf } from './recorded.ts';
import { resolveDocument } from './resolve_document.ts';
import type { Row } from './row.ts';
import { rowsOf } from './rows.ts';
import { simulate } from './simulate.ts';
import { summarise } from './summary.ts';

export interface Pair {
  readonly workload: string;
  readonly recordedKernel: string;
}

/** What there is to compare, in the order of measures.json. A kernel may be named in full or by its version. */
export function comparedPairs(golden: GoldenFiles, only: readonly string[], kernels: readonly string[]): Pair[] {
  const pairs: Pair[] = [];
  for (const [workload, spec] of Object.entries(golden.spec.workloads)) {
    if (only.length > 0 && !only.includes(workload)) continue;
    for (const recordedKernel of spec.kernels) {
      const version = golden.spec.kernels[recordedKernel]?.kernel ?? '';
      if (kernels.length > 0 && !kernels.includes(recordedKernel) && !kernels.includes(version)) continue;
      pairs.push({ workload, recordedKernel });
    }
  }
  return pairs;
}

function partsOf(golden: GoldenFiles, { workload, recordedKernel }: Pair) {
  const spec = golden.spec.workloads[workload];
  const kernel = golden.spec.kernels[recordedKernel];
  const recorded = golden.recorded(recordedKernel, workload);
  if (spec === undefined || kernel === undefined || recorded === undefined) {
    throw new Error(`golden/ lacks the recording of ${workload} on ${recordedKernel}`);
  }
  const costs = golden.costs[kernel.kernel];
  if (costs === undefined) throw new Error(`golden/costs.json lacks kernel ${kernel.kernel}`);
  return { spec, kernel, recorded, costs };
}

/** The simulated side of a pair. Throws where golden data is missing or its document is refused. */
export function simulatePair(golden: GoldenFiles, pair: Pair): Observation {
  const { kernel, recorded, costs } = partsOf(golden, pair);
  const document = composeDocument({
    document: golden.document(pair.workload),
    kernel: kernel.kernel,
    piReweight: kernel.piReweight,
    costs,
    boot: recorded.boot,
  });
  return simulate(resolveDocument(document));
}

/** Compares; simulates where `simulatedRun` is not given. Throws where golden data is missing or its document is refused. */
export function comparePair(golden: GoldenFiles, pair: Pair, simulatedRun = simulatePair(golden, pair)): Row[] {
  const { workload, recordedKernel } = pair;
  const { spec, recorded, costs } = partsOf(golden, pair);
  const simulated = summarise(simulatedRun, { ...scopeOf(spec), endNs: recorded.lengthNs });
  const yieldTurnNs = costNs(costs.programs.yieldTurn);
  const input = { spec: golden.spec, workload, recordedKernel, recorded, yieldTurnNs };
  const rows = rowsOf({ ...input, simulated });
  const peer = peerOf(golden, pair);
  if (peer === undefined) return rows;
  const theirs = new Map(rowsOf({ ...input, simulated: peer }).map((row) => [row.id, row]));
  return rows.map((row) => {
    const other = theirs.get(row.id);
    if (other === undefined) return row;
    return { ...row, peer: { kernel: peer.recordedKernel, value: other.simulated, ok: other.ok } };
  });
}

/** Another recording of the same workload on the same version with the same change; undefined where there is none. */
function peerOf(golden: GoldenFiles, pair: Pair): RecordedSummary | undefined {
  const own = golden.spec.kernels[pair.recordedKernel];
  for (const [name, kernel] of Object.entries(golden.spec.kernels)) {
    if (name === pair.recordedKernel || kernel.kernel !== own?.kernel || kernel.piReweight !== own.piReweight) continue;
    const recorded = golden.recorded(name, pair.workload);
    if (recorded !== undefined) return recorded;
  }
  return undefined;
}

function costNs(text: string | undefined): Ns {
  const time = parseTime(text ?? '');
  if (!time.ok) throw new Error(`a cost of golden/costs.json ${time.error.message}: "${text}"`);
  return time.value;
}
