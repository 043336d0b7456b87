import { expect, test } from 'vitest';
import { measureTransport } from './measure_transport.ts';
import { createSynthetic, createSyntheticHost, DEFAULT_SYNTHETIC, fillSynthetic } from './synthetic.ts';
import { syntheticScenario } from './synthetic_scenario.ts';

const yieldTurn = () => new Promise<void>((resolve) => setImmediate(resolve));
const host = () => createSyntheticHost({ scenario: syntheticScenario(), nowMs: () => performance.now(), yieldTurn });

test('synthetic rows fill a store, in order on every lane, none before a watermark that was already told', async () => {
  const seen = new Map<number, number>();
  let watermarkNs = 0;
  let early = 0;
  const { rows, store } = await measureTransport(host(), { rows: 100_000 }, (now) => {
    for (let lane = 0; lane < now.lanes.length; lane++) {
      const cols = now.columns[lane]!;
      const first = seen.get(lane) ?? 0;
      if (first < cols.count && cols.startNs[first]! < watermarkNs) early++;
      seen.set(lane, cols.count);
    }
    watermarkNs = now.watermarkNs;
  });
  expect(rows).toBeGreaterThan(95_000);
  expect(rows).toBeLessThan(105_000);
  expect(store.lanes.length).toBe(64);
  let unordered = 0;
  for (const cols of store.columns) {
    for (let row = 1; row < cols.count; row++) if (!(cols.startNs[row]! > cols.startNs[row - 1]!)) unordered++;
  }
  expect({ early, unordered }).toEqual({ early: 0, unordered: 0 });
  const counts = store.columns.map((cols) => cols.count);
  expect(Math.max(...counts) / Math.min(...counts)).toBeGreaterThan(8);
});

test('the same seed makes the same rows however they are taken', () => {
  const spec = { ...DEFAULT_SYNTHETIC, rows: 20_000 };
  const lengths = (step: number) => {
    const source = createSynthetic(spec);
    while (fillSynthetic(source, step)) {
      // Taken in steps of `step` rows.
    }
    return source.made;
  };
  // One random stream serves all lanes, so only the number of rows is the same for other steps.
  expect(Math.abs(lengths(500) - lengths(20_000))).toBeLessThan(500);
  expect(lengths(500)).toBe(lengths(500));
});
