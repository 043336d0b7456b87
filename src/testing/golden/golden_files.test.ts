import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { comparedPairs } from './compare.ts';
import { composeDocument } from './compose.ts';
import { openGolden } from './golden_files.ts';
import { MEASURE_KINDS } from './measure_spec.ts';
import { resolveDocument } from './resolve_document.ts';

const golden = openGolden('golden');
const pairs = comparedPairs(golden, [], []);

test.each(pairs)(
  'the document of $workload is valid with the boot of $recordedKernel',
  ({ workload, recordedKernel }) => {
    const kernel = golden.spec.kernels[recordedKernel]!;
    const recorded = golden.recorded(recordedKernel, workload)!;
    const scenario = resolveDocument(
      composeDocument({
        document: golden.document(workload),
        kernel: kernel.kernel,
        piReweight: kernel.piReweight,
        costs: golden.costs[kernel.kernel]!,
        boot: recorded.boot,
      }),
    );
    expect(scenario.machine.cpus).toBe(recorded.cpus);
    expect(scenario.machine.kernel).toBe(kernel.kernel);
    expect(scenario.machine.firstTickNs).toBe(recorded.boot.tickPhaseNs);
  },
);

test('every measure that is listed has a tolerance', () => {
  for (const spec of Object.values(golden.spec.workloads)) {
    for (const measure of spec.measures) {
      expect(MEASURE_KINDS).toContain(measure);
      expect(golden.spec.tolerances[measure]).toBeDefined();
    }
  }
});

test('recorded shares of unequal nice values are those of their weights', () => {
  // nice -5, 0, 5, 10 weigh 3121, 1024, 335, 110 of 4590: every kernel gave them within 0.3 points.
  const weights = { nice_m5: 3121, nice_p0: 1024, nice_p5: 335, nice_p10: 110 };
  for (const kernel of ['6.1.176-deb', '6.12.117-deb', '7.2.13-deb']) {
    const threads = golden.recorded(kernel, 'fair-share')!.phases.nice!.threads;
    for (const [thread, weight] of Object.entries(weights)) {
      expect(Math.abs(threads[thread]!.share - weight / 4590)).toBeLessThan(0.003);
    }
  }
});

test('known misses name a cause', () => {
  expect(existsSync('golden/known_misses.json')).toBe(true);
  for (const miss of golden.knownMisses) expect(miss.cause.length).toBeGreaterThan(20);
});
