import { expect, test } from 'vitest';
import { settingsAt } from './scenario_slice.ts';
import { settled } from './testkit/fakes.ts';
import { emptyChunk, goodStart } from './testkit/runs.ts';
import { createTestApp } from './testkit/test_app.ts';

test('a switch flipped "from the start" is a setting of the whole run', () => {
  const { store } = createTestApp();
  store.getState().setSetting('rt', 'off');
  expect(store.getState()).toMatchObject({ settings: { rt: 'off' }, interventions: [] });
});

test('a switch flipped "from here" is an intervention at the playhead', () => {
  const { store } = createTestApp();
  store.getState().setPlayhead(12_345_000);
  store.getState().setApplyMode('here');
  store.getState().setSetting('backoff', 'usleep150');
  store.getState().setSetting('rt', 'off');
  expect(store.getState()).toMatchObject({
    settings: {},
    interventions: [{ atNs: 12_345_000, set: { backoff: 'usleep150', rt: 'off' } }],
  });
});

test('what no run can change on its way acts from the start whatever the mode', () => {
  const { store } = createTestApp();
  store.getState().setPlayhead(5_000_000);
  store.getState().setApplyMode('here');
  store.getState().setSetting('cpus', '5');
  expect(store.getState()).toMatchObject({ settings: { cpus: '5' }, interventions: [] });
});

test('so does a switch that adds or removes threads, and a note says why', async () => {
  const { store, engine } = createTestApp();
  const call = engine.calls[0]!;
  call.sink.started(goodStart());
  call.sink.chunk({ runId: call.request.runId, seq: 0, chunk: emptyChunk(1e9) });
  await settled();
  store.getState().setPlayhead(5_000_000);
  store.getState().setApplyMode('here');
  store.getState().setSetting('spinners', '2');
  expect(store.getState()).toMatchObject({ settings: { spinners: '2' }, interventions: [] });
  expect(store.getState().notices).toMatchObject([
    { tone: 'note', message: expect.stringContaining('Spinning threads') },
  ]);
});

test('interventions stand in order of time, whatever the order in which they were made', () => {
  const { store } = createTestApp();
  store.getState().intervene(30, { rt: 'off' });
  store.getState().intervene(10, { rt: 'on' });
  store.getState().intervene(20, { backoff: 'futex' });
  expect(store.getState().interventions.map((one) => one.atNs)).toEqual([10, 20, 30]);
});

test('a setting for the whole run takes back what was flipped on the way for the same switch, and only that', () => {
  const { store } = createTestApp();
  store.getState().intervene(10, { rt: 'off', backoff: 'futex' });
  store.getState().intervene(20, { rt: 'on' });
  store.getState().setSetting('rt', 'off');
  expect(store.getState()).toMatchObject({
    settings: { rt: 'off' },
    interventions: [{ atNs: 10, set: { backoff: 'futex' } }],
  });
});

test('settings in force at an instant are those of the start and of every intervention up to it, itself included', () => {
  const state = {
    settings: { rt: 'on', hold: '8ms' },
    interventions: [
      { atNs: 10, set: { rt: 'off' } },
      { atNs: 20, set: { hold: '1ms' } },
    ],
  };
  expect(settingsAt(state, 9)).toEqual({ rt: 'on', hold: '8ms' });
  expect(settingsAt(state, 10)).toEqual({ rt: 'off', hold: '8ms' });
  expect(settingsAt(state, 25)).toEqual({ rt: 'off', hold: '1ms' });
});

test('another scenario forgets settings, interventions, selection and markers of the one before', () => {
  const { store, library } = createTestApp();
  store.getState().setSetting('rt', 'off');
  store.getState().intervene(10, { rt: 'on' });
  store.getState().select({ laneId: 1, startNs: 5 });
  store.getState().setMarkers(1, 2);
  store.getState().openLibrary(library.entries[2]!);
  expect(store.getState()).toMatchObject({
    source: { kind: 'library', name: 'pi-reweight' },
    settings: {},
    interventions: [],
    selection: undefined,
    markerANs: undefined,
    markerBNs: undefined,
  });
});
