import { expect, test } from 'vitest';
import { settled } from './testkit/fakes.ts';
import { emptyChunk, goodStart, hangFrom, summaryOf } from './testkit/runs.ts';
import { createTestApp, type TestApp } from './testkit/test_app.ts';

/** Compression answers through real streams: wait for them. */
async function streams(): Promise<void> {
  for (let i = 0; i < 5; i++) await new Promise((resolve) => setTimeout(resolve, 2));
}

async function finishRun(app: TestApp): Promise<void> {
  await settled();
  const call = app.engine.calls.at(-1)!;
  call.sink.started(goodStart());
  call.sink.chunk({ runId: call.request.runId, seq: 0, chunk: emptyChunk(1e9) });
  call.end(summaryOf(call.request.runId, [hangFrom(9_000_000, 5_000_000)]));
  await settled();
}

async function rest(app: TestApp): Promise<void> {
  app.time.move(250);
  await settled();
}

test('without a link the default scenario opens and the address names it', async () => {
  const app = createTestApp();
  await finishRun(app);
  await rest(app);
  expect(app.address.hash()).toMatch(/^#\/bmalloc-hang\?/);
  expect(app.address.entries).toHaveLength(1);
});

test('a flip makes a new entry of the history, and Back undoes it', async () => {
  const app = createTestApp();
  await finishRun(app);
  await rest(app);
  app.store.getState().setSetting('rt', 'off');
  await settled();
  expect(app.address.hash()).toContain('rt=off');
  expect(app.address.entries).toHaveLength(2);
  app.address.back();
  await settled();
  expect(app.store.getState().settings).toEqual({});
  expect(app.engine.calls.at(-1)!.request.settings).toEqual({});
});

test('looking around replaces the entry, once it has rested for 250 ms', async () => {
  const app = createTestApp();
  await finishRun(app);
  await rest(app);
  app.store.getState().setPlayhead(20_000_000);
  app.time.move(249);
  await settled();
  expect(app.address.hash()).not.toContain('at=20ms');
  app.time.move(1);
  await settled();
  expect(app.address.hash()).toContain('at=20ms');
  expect(app.address.entries).toHaveLength(1);
});

test('a link is what it says: settings, flips on the way, playhead, range, markers', async () => {
  const app = createTestApp('#/bmalloc-hang?rt=off&hold=3ms&do=100ms:backoff=usleep150&at=4.2ms&t=0us-5ms&a=1ms&b=2ms');
  await settled();
  expect(app.store.getState()).toMatchObject({
    settings: { rt: 'off', hold: '3ms' },
    interventions: [{ atNs: 100_000_000, set: { backoff: 'usleep150' } }],
    playheadNs: 4_200_000,
    viewport: { t0Ns: 0, t1Ns: 5_000_000 },
    markerANs: 1_000_000,
    markerBNs: 2_000_000,
  });
});

test('the link of a page opens the same page elsewhere', async () => {
  const app = createTestApp();
  await finishRun(app);
  app.store.getState().setSetting('hold', '3ms');
  app.store.getState().intervene(12_000_000, { backoff: 'futex' });
  app.store.getState().setPlayhead(13_000_000);
  app.store.getState().setViewport({ t0Ns: 10_000_000, t1Ns: 20_000_000 });
  app.store.getState().select({ laneId: 4, startNs: 9_020_000 });
  const other = createTestApp(await app.link());
  await settled();
  const { document, settings, interventions, playheadNs, viewport, selection } = app.store.getState();
  expect(other.store.getState()).toMatchObject({ document, settings, interventions, playheadNs, viewport, selection });
});

test('a document of one’s own travels whole', async () => {
  const app = createTestApp();
  await settled();
  const document = { version: 1, title: 'Mine & <b>yours</b>', duration: '10ms' } as const;
  app.store.getState().openDocument(document);
  const link = await app.link();
  expect(link).toMatch(/^#\/z=/);
  const other = createTestApp(link);
  await streams();
  expect(other.store.getState()).toMatchObject({ source: { kind: 'own' }, document });
});

test.each([
  ['an unknown name', '#/no-such-scene'],
  ['a cut-off document', '#/z=q1Yq'],
  ['no base64', '#/z=%%%'],
  ['a huge link', `#/z=${'A'.repeat(600_000)}`],
  ['a time without unit', '#/bmalloc-hang?at=5'],
  ['markup', '#/<img src=x onerror=alert(1)>'],
  ['a broken escape', '#/bmalloc-hang?rt=%E0%A4%A'],
])('%s in a link gives an alert with a reason, and the default scenario runs', async (_what, hash) => {
  const app = createTestApp(hash);
  await streams();
  const { notices, source } = app.store.getState();
  expect(notices).toHaveLength(1);
  expect(notices[0]).toMatchObject({ tone: 'alert' });
  expect(notices[0]!.message.length).toBeGreaterThan(30);
  expect(source).toEqual({ kind: 'library', name: 'bmalloc-hang' });
  expect(app.engine.calls.at(-1)!.request.settings).toEqual({});
});

test('going back to a link that can’t be read leaves the page as it is', async () => {
  const app = createTestApp('#/no-such-scene');
  await finishRun(app);
  app.store.getState().setSetting('rt', 'off');
  await finishRun(app);
  app.address.push('#/bmalloc-hang?at=5');
  app.address.push('#/pi-reweight');
  app.address.back();
  await settled();
  expect(app.store.getState().settings).toEqual({ rt: 'off' });
});

test('the first visit stops shortly before the hang forms, with the future veiled', async () => {
  const app = createTestApp();
  await finishRun(app);
  const { playheadNs, veiled, viewport, play } = app.store.getState();
  expect(play).toBe('paused');
  expect(veiled).toBe(true);
  expect(playheadNs).toBeGreaterThan(5_000_000);
  expect(playheadNs).toBeLessThan(9_000_000);
  expect(viewport.t0Ns).toBeLessThan(5_000_000);
  expect(viewport.t1Ns).toBeGreaterThan(9_000_000);
});

test('a link of another engine opens, and says so', async () => {
  const app = createTestApp('#/bmalloc-hang?rt=off&e=7');
  await finishRun(app);
  expect(app.store.getState().settings).toEqual({ rt: 'off' });
  expect(app.store.getState().notices.map((one) => one.message)).toEqual([
    'This link was made with engine 7; this page runs engine 1.',
  ]);
});

test('a view that reaches over the start of the run is a link that can be read', async () => {
  const app = createTestApp();
  await finishRun(app);
  // Seen from 1 ms before the run, as after "Restart".
  app.store.setState({ viewport: { t0Ns: -1_000_000, t1Ns: 9_000_000 }, playheadNs: 0 });
  await rest(app);
  expect(app.address.hash()).toContain('t=0us-9ms');
  const again = createTestApp(app.address.hash());
  await settled();
  expect(again.store.getState().notices).toEqual([]);
  expect(again.store.getState().viewport).toEqual({ t0Ns: 0, t1Ns: 9_000_000 });
});

test('of two links opened one after the other the later counts, whichever is read first', async () => {
  const app = createTestApp();
  await finishRun(app);
  await rest(app);
  const own = createTestApp();
  await finishRun(own);
  own.store.getState().openDocument({ version: 1, title: 'slow to unpack' });
  await streams();
  app.address.push(own.address.hash());
  app.address.push('#/pi-reweight');
  app.address.push(own.address.hash());
  // Back from the packed document to the one that needs no unpacking.
  app.address.push('');
  app.address.back();
  app.address.back();
  await streams();
  expect(app.store.getState().source).toEqual({ kind: 'library', name: 'pi-reweight' });
});

test('the address names what is shown after a bad link, too', async () => {
  const app = createTestApp();
  await finishRun(app);
  await rest(app);
  app.address.push('#/bmalloc-hang?at=5');
  app.address.push('');
  app.address.back();
  await settled();
  expect(app.store.getState().notices).toMatchObject([{ tone: 'alert' }]);
  await rest(app);
  expect(app.address.hash()).not.toContain('at=5');
});

test('play=1 without an instant plays from where the story begins', async () => {
  const app = createTestApp('#/bmalloc-hang?play=1');
  await settled();
  expect(app.store.getState().play).toBe('paused');
  await finishRun(app);
  expect(app.store.getState()).toMatchObject({ play: 'playing' });
  expect(app.store.getState().playheadNs).toBeGreaterThan(5_000_000);
});

test('the alert about a bad link goes with the next link that can be read', async () => {
  const app = createTestApp('#/no-such-scene');
  await settled();
  await finishRun(app);
  expect(app.store.getState().notices).toHaveLength(1);
  app.address.push('#/pi-reweight');
  app.address.push('');
  app.address.back();
  await settled();
  expect(app.store.getState()).toMatchObject({ notices: [], source: { kind: 'library', name: 'pi-reweight' } });
});
