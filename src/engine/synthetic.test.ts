import { expect, test } from 'vitest';
import { buffersOf } from './chunker.ts';
import { measureTransport } from './measure_transport.ts';
import { createSyntheticHost } from './synthetic.ts';
import { syntheticScenario } from './synthetic_scenario.ts';

const yieldTurn = () => new Promise<void>((resolve) => setImmediate(resolve));
const host = () => createSyntheticHost({ scenario: syntheticScenario(), nowMs: () => performance.now(), yieldTurn });

test('a million synthetic rows fill a store, sorted on every lane and up to the watermark', async () => {
  const figures = await measureTransport(host(), { rows: 1_000_000 });
  console.log(
    figures.rows,
    figures.chunks,
    figures.wallMs,
    figures.firstChunkMs,
    figures.longestAppendMs,
    figures.appendMs,
  );
  expect(figures.rows).toBeGreaterThan(950_000);
});
void buffersOf;
