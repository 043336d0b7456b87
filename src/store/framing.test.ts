import { expect, test } from 'vitest';
import { frameRun } from './framing.ts';
import { hangFrom } from './testkit/runs.ts';
import { SPEEDS_NS_PER_S, speedFor } from './view_slice.ts';

const NO_VIEW = { durationNs: 1e9, view: { notes: [] } };

test('a document’s own view wins', () => {
  const scenario = { durationNs: 1e9, view: { notes: [], rangeNs: [4e6, 14e6] as const, playheadNs: 8.8e6 } };
  expect(frameRun(scenario, [hangFrom(412e6, 410e6)])).toEqual({
    viewport: { t0Ns: 4e6, t1Ns: 14e6 },
    playheadNs: 8.8e6,
  });
});

test('a hang is framed from before the lock is taken to after it formed, with the playhead in between', () => {
  const { viewport, playheadNs } = frameRun(NO_VIEW, [hangFrom(414e6, 410e6)]);
  expect(viewport.t0Ns).toBeLessThan(410e6);
  expect(viewport.t1Ns).toBeGreaterThan(414e6);
  expect(playheadNs).toBeGreaterThan(410e6);
  expect(playheadNs).toBeLessThan(414e6);
});

test('without a finding the whole run is shown from its start', () => {
  expect(frameRun(NO_VIEW, [])).toEqual({ viewport: { t0Ns: 0, t1Ns: 1e9 }, playheadNs: 0 });
});

test('playing takes about ten seconds for what is in sight', () => {
  expect(SPEEDS_NS_PER_S[speedFor({ t0Ns: 4e6, t1Ns: 14e6 })]).toBe(1e6);
  expect(SPEEDS_NS_PER_S[speedFor({ t0Ns: 0, t1Ns: 3.3e9 })]).toBe(500e6);
});
