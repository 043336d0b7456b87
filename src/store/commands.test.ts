import { expect, test } from 'vitest';
import { createTestApp, type TestApp } from './testkit/test_app.ts';

const open = (app: TestApp, text: string) =>
  app.commands.openFile('mine.json', text.length, () => Promise.resolve(text));
const alertsOf = (app: TestApp) => app.store.getState().notices.map((one) => `${one.message} ${one.hint}`);

test('a file that is no JSON is answered with line and column', async () => {
  const app = createTestApp();
  await open(app, '{"version": 1,\n "threads": oops}');
  expect(alertsOf(app)).toEqual([expect.stringContaining('line 2, column 13')]);
  expect(app.store.getState().source).toMatchObject({ kind: 'library' });
});

test('a key that stands twice is an error, not a silent choice', async () => {
  const app = createTestApp();
  await open(app, '{"version": 1, "duration": "1ms", "duration": "2ms"}');
  expect(alertsOf(app)).toEqual([expect.stringContaining('"duration" stands twice')]);
});

test('nesting without end is an answer, not an exception', async () => {
  const app = createTestApp();
  await open(app, `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`);
  expect(alertsOf(app)).toHaveLength(1);
  expect(app.engine.calls).toHaveLength(1);
});

test('a file that can’t be read says so', async () => {
  const app = createTestApp();
  await app.commands.openFile('folder', 4096, () => Promise.reject(new Error('NotReadableError')));
  expect(alertsOf(app)).toEqual([expect.stringContaining('“folder” can’t be read.')]);
});

test('the alert about a file goes with the next file', async () => {
  const app = createTestApp();
  await open(app, '[]');
  expect(alertsOf(app)).toHaveLength(1);
  await open(app, '{"version": 1}');
  expect(alertsOf(app)).toEqual([]);
  expect(app.store.getState().document).toEqual({ version: 1 });
});
