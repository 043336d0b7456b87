import { expect, test } from 'vitest';
import type { Verdict } from '../trace/verdicts.ts';
import { followPlayhead } from './playback.ts';
import { settled } from './testkit/fakes.ts';
import { emptyChunk, goodStart, hangFrom, summaryOf } from './testkit/runs.ts';
import { createTestApp, type TestApp } from './testkit/test_app.ts';
import { SPEEDS_NS_PER_S } from './view_slice.ts';

async function runUpTo(
  app: TestApp,
  watermarkNs: number,
  done: boolean,
  verdicts: readonly Verdict[] = [],
): Promise<void> {
  const call = app.engine.calls.at(-1)!;
  call.sink.started(goodStart());
  call.sink.chunk({ runId: call.request.runId, seq: 0, chunk: emptyChunk(watermarkNs) });
  if (done) call.end(summaryOf(call.request.runId, verdicts));
  await settled();
}

function setSpeed(app: TestApp, nsPerS: number): void {
  app.store.getState().setSpeedIndex(SPEEDS_NS_PER_S.indexOf(nsPerS));
}

test('at 1 ms/s a second of the reader is a millisecond of the run', async () => {
  const app = createTestApp();
  await runUpTo(app, 1e9, true);
  setSpeed(app, 1e6);
  app.store.getState().setPlayhead(5_000_000);
  app.commands.playPause();
  for (let i = 0; i < 100; i++) app.time.move(10);
  expect(app.store.getState()).toMatchObject({ play: 'playing', playheadNs: 6_000_000 });
});

test('playing waits for a run on its way and never overtakes it', async () => {
  const app = createTestApp();
  await runUpTo(app, 2_000_000, false);
  setSpeed(app, 1e9);
  app.store.getState().setPlayhead(1_000_000);
  app.commands.playPause();
  app.time.move(100);
  expect(app.store.getState()).toMatchObject({ play: 'playing', playheadNs: 2_000_000 });
});

test('at the end of the run playing ends, and Play begins anew', async () => {
  const app = createTestApp();
  await runUpTo(app, 1e9, true);
  setSpeed(app, 1e9);
  const endNs = app.store.getState().scenario!.durationNs;
  app.store.getState().setPlayhead(endNs - 1_000_000);
  app.commands.playPause();
  app.time.move(100);
  expect(app.store.getState()).toMatchObject({ play: 'end', playheadNs: endNs });
  app.commands.playPause();
  expect(app.store.getState()).toMatchObject({ play: 'playing', playheadNs: 0 });
});

test('a flip while it plays neither stops it nor moves the playhead', async () => {
  const app = createTestApp();
  await runUpTo(app, 1e9, true);
  app.store.getState().setPlayhead(7_000_000);
  app.store.getState().setApplyMode('here');
  app.commands.playPause();
  app.store.getState().setSetting('backoff', 'usleep150');
  await runUpTo(app, 1e9, true);
  expect(app.store.getState()).toMatchObject({
    play: 'playing',
    playheadNs: 7_000_000,
    interventions: [{ atNs: 7_000_000 }],
  });
});

test('a pause after playing lifts the veil', async () => {
  const app = createTestApp();
  await runUpTo(app, 1e9, true, [hangFrom(9e6, 5e6)]);
  expect(app.store.getState().veiled).toBe(true);
  app.commands.playPause();
  app.commands.playPause();
  expect(app.store.getState()).toMatchObject({ play: 'paused', veiled: false });
});

test('a run whose finding forms at no instant is shown as a whole from the start', async () => {
  const app = createTestApp();
  await runUpTo(app, 1e9, true, [{ ...hangFrom(9e6, 5e6), kind: 'boost-without-weight', forever: false }]);
  expect(app.store.getState().veiled).toBe(false);
});

test('the range follows a playhead that leaves its first seven tenths, and no other', () => {
  const viewport = { t0Ns: 0, t1Ns: 100 };
  expect(followPlayhead(viewport, 50, 60)).toBe(viewport);
  expect(followPlayhead(viewport, 70, 80)).toEqual({ t0Ns: 10, t1Ns: 110 });
  expect(followPlayhead(viewport, 150, 160)).toBe(viewport);
});
