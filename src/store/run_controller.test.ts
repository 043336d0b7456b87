import { expect, test } from 'vitest';
import { settled } from './testkit/fakes.ts';
import { BAD_START, emptyChunk, goodStart, summaryOf } from './testkit/runs.ts';
import { createTestApp, type TestApp } from './testkit/test_app.ts';

/** Answers the newest call with a good run. */
async function finishRun(app: TestApp): Promise<void> {
  const call = app.engine.calls.at(-1)!;
  call.sink.started(goodStart());
  call.sink.chunk({ runId: call.request.runId, seq: 0, chunk: emptyChunk(1e9) });
  call.end(summaryOf(call.request.runId));
  await settled();
}

test('the page starts the default scenario at once and is done when its summary came', async () => {
  const app = createTestApp();
  expect(app.store.getState().status).toBe('running');
  await finishRun(app);
  expect(app.store.getState()).toMatchObject({
    status: 'done',
    watermarkNs: 1e9,
    summary: { hash: '1:00000000000000aa' },
  });
});

test('a flipped switch is running before the click has returned, and the old run is cancelled', async () => {
  const app = createTestApp();
  await finishRun(app);
  app.store.getState().setSetting('rt', 'off');
  expect(app.store.getState().status).toBe('running');
  app.store.getState().setSetting('rt', 'on');
  expect(app.engine.cancelled).toEqual([app.engine.calls[1]!.request.runId]);
  expect(app.engine.calls.at(-1)!.request.settings).toEqual({ rt: 'on' });
});

test('interventions travel as times with a unit', async () => {
  const app = createTestApp();
  app.store.getState().intervene(412_310_000, { backoff: 'usleep150' });
  expect(app.engine.calls.at(-1)!.request.interventions).toEqual([{ at: '412.31ms', set: { backoff: 'usleep150' } }]);
});

test('a bad document leaves the last good run on the page, with its problems beside it', async () => {
  const app = createTestApp();
  await finishRun(app);
  const shown = app.store.getState().shownRunId;
  app.store.getState().openDocument({ version: 1 });
  const call = app.engine.calls.at(-1)!;
  call.sink.started(BAD_START);
  call.end(undefined);
  await settled();
  expect(app.store.getState()).toMatchObject({
    status: 'done',
    shownRunId: shown,
    problems: [{ path: 'threads[2].priority' }],
  });
  expect(app.traces.get(shown)).toBeDefined();
});

test('with nothing good to show a bad document is an error', async () => {
  const app = createTestApp();
  app.engine.calls[0]!.sink.started(BAD_START);
  app.engine.calls[0]!.end(undefined);
  await settled();
  expect(app.store.getState()).toMatchObject({ status: 'error', shownRunId: undefined });
});

test('the new run takes the place of the old one with its first chunk, not before', async () => {
  const app = createTestApp();
  await finishRun(app);
  const old = app.store.getState().shownRunId;
  app.store.getState().setSetting('rt', 'off');
  const call = app.engine.calls.at(-1)!;
  call.sink.started(goodStart());
  expect(app.store.getState().shownRunId).toBe(old);
  call.sink.chunk({ runId: call.request.runId, seq: 0, chunk: emptyChunk(5e6) });
  expect(app.store.getState()).toMatchObject({ shownRunId: call.request.runId, summary: undefined, watermarkNs: 5e6 });
  expect(app.traces.get(old)).toBeUndefined();
});

test('chunks after the first are published once a frame', async () => {
  const app = createTestApp();
  const call = app.engine.calls[0]!;
  call.sink.started(goodStart());
  for (const seq of [0, 1, 2]) call.sink.chunk({ runId: call.request.runId, seq, chunk: emptyChunk(1e6 * (seq + 1)) });
  const before = app.store.getState().dataVersion;
  app.time.move(16);
  expect(app.store.getState()).toMatchObject({ dataVersion: before + 1, watermarkNs: 3e6 });
});

test('what a cancelled run still says is not heard', async () => {
  const app = createTestApp();
  const first = app.engine.calls[0]!;
  app.store.getState().setSetting('rt', 'off');
  first.sink.started(BAD_START);
  first.end(summaryOf(first.request.runId));
  await settled();
  expect(app.store.getState()).toMatchObject({ status: 'running', problems: [], summary: undefined });
});

test('a run that was lost with its worker begins again, is said, and the scenario stays as it was typed', async () => {
  const app = createTestApp();
  await finishRun(app);
  app.store.getState().setSetting('hold', '3ms');
  app.engine.calls.at(-1)!.crash('The worker crashed.');
  await settled();
  expect(app.store.getState()).toMatchObject({ status: 'running', settings: { hold: '3ms' } });
  expect(app.engine.calls.at(-1)!.request.settings).toEqual({ hold: '3ms' });
  expect(app.store.getState().notices.map((one) => one.tone)).toEqual(['note']);
  await finishRun(app);
  expect(app.store.getState().status).toBe('done');
});

test('a scenario that crashes the worker twice is not tried a third time', async () => {
  const app = createTestApp();
  await finishRun(app);
  app.store.getState().setSetting('hold', '3ms');
  for (let i = 0; i < 2; i++) {
    app.engine.calls.at(-1)!.crash('The worker crashed.');
    await settled();
  }
  expect(app.engine.calls).toHaveLength(3);
  expect(app.store.getState()).toMatchObject({ status: 'done', settings: { hold: '3ms' } });
  expect(app.store.getState().notices.map((one) => one.tone)).toEqual(['note', 'alert']);
});

/** The newest call's document is bad. */
async function refuse(app: TestApp): Promise<void> {
  const call = app.engine.calls.at(-1)!;
  call.sink.started(BAD_START);
  call.end(undefined);
  await settled();
}

test('a bad document that was opened makes way for the one that is still shown', async () => {
  const app = createTestApp();
  await finishRun(app);
  app.store.getState().setSetting('rt', 'off');
  await finishRun(app);
  const { document, viewport, playheadNs } = app.store.getState();
  app.store.getState().openDocument({ version: 1 });
  await refuse(app);
  expect(app.store.getState()).toMatchObject({ settings: { rt: 'off' }, instead: 'lastRun', viewport, playheadNs });
  expect(app.store.getState().document).toBe(document);
  // The next flip runs the document that is shown, and the list of problems goes.
  app.store.getState().setSetting('rt', 'on');
  expect(app.engine.calls.at(-1)!.request.document).toBe(document);
  await finishRun(app);
  expect(app.store.getState().problems).toEqual([]);
});

test('a bad document that was opened over a run on its way starts that run again', async () => {
  const app = createTestApp();
  const call = app.engine.calls.at(-1)!;
  call.sink.started(goodStart());
  call.sink.chunk({ runId: call.request.runId, seq: 0, chunk: emptyChunk(5e6) });
  app.store.getState().openDocument({ version: 1 });
  await refuse(app);
  expect(app.engine.calls).toHaveLength(3);
  expect(app.engine.calls[2]!.request.document).toBe(app.engine.calls[0]!.request.document);
  await finishRun(app);
  expect(app.store.getState()).toMatchObject({ status: 'done', problems: [{ path: 'threads[2].priority' }] });
});

test('a switch that makes the scenario bad stays as it was set', async () => {
  const app = createTestApp();
  await finishRun(app);
  app.store.getState().setSetting('rt', 'maybe');
  await refuse(app);
  expect(app.store.getState()).toMatchObject({ settings: { rt: 'maybe' }, instead: 'lastRun', status: 'done' });
});

test('where the first document is bad the default scene runs, and the problems stay listed', async () => {
  const app = createTestApp('#/bmalloc-hang?rt=maybe');
  await settled();
  await refuse(app);
  expect(app.engine.calls.at(-1)!.request.settings).toEqual({});
  await finishRun(app);
  expect(app.store.getState()).toMatchObject({
    status: 'done',
    settings: {},
    instead: 'defaultScene',
    problems: [{ path: 'threads[2].priority' }],
  });
});

test('playhead, range and markers of a link end where the run does', async () => {
  const app = createTestApp('#/bmalloc-hang?at=1h&t=0us-1h&a=1h');
  await settled();
  await finishRun(app);
  // The library's hang runs for 2 s.
  expect(app.store.getState()).toMatchObject({
    play: 'end',
    playheadNs: 2e9,
    markerANs: 2e9,
    viewport: { t0Ns: 0, t1Ns: 2e9 },
  });
});
