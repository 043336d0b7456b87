// Every segment of the library's runs is asked "why?", so that no combination of codes that the simulation really
// writes leaves a hole in a sentence.

import { expect, test } from 'vitest';
import { LIBRARY } from '../scenario/library/library.ts';
import { resolve } from '../scenario/resolve.ts';
import { advance, createSimulation, takeRecords, verdictsOf } from '../sim/api.ts';
import { segmentOf } from '../trace/query.ts';
import { createSegmenter, feedRecords, settle } from '../trace/segmenter.ts';
import { appendChunk, createTraceStore } from '../trace/trace_store.ts';
import { toPlainText } from './parts.ts';
import { sceneText } from './screen_text.ts';
import { accessibleText, stateLines } from './state_text.ts';
import { explainSegment } from './why.ts';

/** Segments of a lane that are asked; the rest repeat them. */
const MAX_ROWS = 60;

const SETTINGS: readonly Readonly<Record<string, string>>[] = [{}, { kernel: '6.1' }, { kernel: '7.2' }];
const MORE: Readonly<Record<string, readonly Readonly<Record<string, string>>[]>> = {
  'bmalloc-hang': [
    { throttling: 'on' },
    { backoff: 'usleep150' },
    { backoff: 'pi' },
    { backoff: 'futex' },
    { rt: 'off' },
    { spinners: '3' },
  ],
  'pi-reweight': [{ reweight: 'on' }],
};

const CASES = LIBRARY.flatMap(({ name, document }) =>
  [...SETTINGS, ...(MORE[name] ?? [])].map((settings) => ({ name, document, settings })),
);

test.each(CASES)('$name $settings: every segment has an answer without holes', ({ document, settings }) => {
  const scenario = resolve(document, settings);
  if (!scenario.ok) throw new Error(JSON.stringify(scenario.error));
  const sim = createSimulation(scenario.value);
  while (advance(sim, scenario.value.durationNs, 1_000_000) === 'running');
  const records = takeRecords(sim);
  const trace = createTraceStore(sim.meta);
  const segmenter = createSegmenter(sim.meta);
  feedRecords(segmenter, records);
  settle(segmenter, scenario.value.durationNs);
  appendChunk(trace, {
    watermarkNs: scenario.value.durationNs,
    newLanes: segmenter.lanes,
    newTasks: sim.tasks.slice(sim.meta.tasks.length),
    newTexts: sim.texts,
    segments: segmenter.rows,
    records,
  });
  const verdicts = verdictsOf(sim);
  let asked = 0;
  for (const lane of trace.lanes) {
    for (let row = 0; row < Math.min(MAX_ROWS, trace.columns[lane.id]!.count); row++) {
      const why = explainSegment(trace, verdicts, lane.id, row)!;
      const texts = [
        why.question,
        why.answer,
        ...why.steps.map((step) => step.text),
        ...stateLines(trace, segmentOf(trace, lane.id, row)!),
      ].map(toPlainText);
      for (const text of [...texts, accessibleText(trace, segmentOf(trace, lane.id, row)!)]) {
        expect(text).not.toMatch(/undefined|NaN|\[object|a thread\b|a lock\b| {2}|,\.|: \.|^$| $/);
      }
      expect(toPlainText(why.question)).toMatch(/\?$/);
      expect(toPlainText(why.answer)).toMatch(/[^.]\.$/);
      expect(why.steps.length).toBeLessThanOrEqual(9);
      for (const step of why.steps) expect(step.atNs).toBeLessThanOrEqual(trace.watermarkNs);
      asked++;
    }
  }
  expect(asked).toBeGreaterThan(trace.lanes.length);
  expect(sceneText(trace, scenario.value.durationNs / 2)).toMatch(/^At .*CPU 0.*\.$/);
});
