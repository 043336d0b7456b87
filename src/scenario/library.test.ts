import { describe, expect, test } from 'vitest';
import type { JsonObject } from './document.ts';
import { LIBRARY, libraryDocument } from './library/library.ts';
import { resolve } from './resolve.ts';
import type { Scenario } from './scenario.ts';
import { validateDocument } from './validate.ts';

function scenario(name: string, settings: Record<string, string> = {}): Scenario {
  const result = resolve(libraryDocument(name)!, settings);
  if (!result.ok) throw new Error(JSON.stringify(result.error, null, 1));
  return result.value;
}

function starts(scene: Scenario): [string, number | 'fork'][] {
  return scene.threads.map((thread) => [thread.name, thread.start]);
}

test.each(LIBRARY.map(({ name }) => name))('%s is right with every value of every toggle', (name) => {
  const result = validateDocument(libraryDocument(name));
  expect(result.ok ? [] : result.error).toEqual([]);
  expect(scenario(name).notes).toEqual([]);
});

test('a name that is not in the library has no document', () => {
  expect(libraryDocument('constructor')).toBeUndefined();
});

describe('bmalloc-hang, as the scenario format promises it', () => {
  test('has the story’s threads, starts and machine', () => {
    const hang = scenario('bmalloc-hang');
    expect(starts(hang).slice(0, 5)).toEqual([
      ['WebProcess', 5_000_000],
      ['vqueue:src', 6_000_000],
      ['multiqueue0:src', 7_000_000],
      ['aqueue:src', 8_000_000],
      ['multiqueue1:src', 9_000_000],
    ]);
    expect(hang.threads.slice(0, 5).map((thread) => [thread.policy, thread.rtPrio])).toEqual([
      ['other', 0],
      ...Array(4).fill(['fifo', 50]),
    ]);
    expect(hang.machine).toMatchObject({ cpus: 4, kernel: '6.1', rtThrottling: false, fairServer: false });
    expect(hang.locks).toEqual([
      {
        name: 'heap',
        kind: 'spin',
        marks: true,
        tries: 256,
        tryNs: 10,
        oneSpinner: true,
        backoff: { kind: 'yield', costNs: 4_020 },
      },
    ]);
    expect(hang.settings).toMatchObject({ rt: 'on', backoff: 'yield', spinners: '4', hold: '8ms', throttling: 'off' });
    expect(hang.threads[0]!.program.slice(0, 3)).toMatchObject([
      { op: 'lock', lock: 0 },
      { op: 'run', forNs: 8_000_000 },
      { op: 'unlock', lock: 0 },
    ]);
  });

  test.each([0, 1, 2, 3, 4, 5, 6, 7, 8])('has %d spinners when asked, each 1 ms after the other', (count) => {
    const rt = scenario('bmalloc-hang', { spinners: String(count) }).threads.filter(
      (thread) => thread.policy === 'fifo',
    );
    expect(rt.map((thread) => thread.start)).toEqual(Array.from({ length: count }, (_, i) => (6 + i) * 1_000_000));
    for (const thread of rt) expect(JSON.stringify(thread.program)).toContain('"forNs":20000');
  });

  test('with rt off has no real-time thread, eight spinners included', () => {
    for (const order of [
      { rt: 'off', spinners: '8' },
      { spinners: '8', rt: 'off' },
    ]) {
      const scene = scenario('bmalloc-hang', order);
      expect(scene.threads.length).toBe(12);
      expect(scene.threads.every((thread) => thread.policy === 'other')).toBe(true);
    }
  });

  test('offers the back-offs of the page', () => {
    const backoff = scenario('bmalloc-hang').toggles.find((toggle) => toggle.id === 'backoff');
    expect(backoff?.values).toEqual(['yield', 'usleep125', 'usleep150', 'nanosleep', 'futex', 'pi']);
  });
});

describe('bmalloc-slow-path', () => {
  test('has a holder on CPU 0, a contender on CPU 1, and a call that lasts as long as hold says', () => {
    const slow = scenario('bmalloc-slow-path', { hold: '4230us' });
    expect(slow.threads.map((thread) => thread.allowedCpus)).toEqual([[0], [1]]);
    expect(slow.settings['costs']).toBe('set-top-box');
    const [holder, contender] = slow.threads;
    // Both reach 5 ms running: the contender asks then, and the holder releases `hold` of its CPU time later.
    expect(holder!.program.slice(0, 4)).toMatchObject([
      { op: 'lock' },
      { op: 'runUntil', atNs: 5_000_000 },
      { op: 'run', forNs: 4_230_000 },
      { op: 'unlock' },
    ]);
    expect(contender!.program.slice(0, 2)).toMatchObject([{ op: 'runUntil', atNs: 5_000_000 }, { op: 'lock' }]);
    expect(slow.toggles.map((toggle) => toggle.id)).toEqual(['rt', 'backoff']);
  });
});

describe('pi-reweight', () => {
  test('is the report’s program: main, low, high on CPU 0, contention from 300 ms to 2.3 s', () => {
    const pi = scenario('pi-reweight');
    expect(pi.threads.map((thread) => [thread.name, thread.nice, thread.allowedCpus])).toEqual([
      ['main', 0, [0]],
      ['low', 10, [0]],
      ['high', 0, [0]],
    ]);
    expect(pi.durationNs).toBe(3_300_000_000);
    expect(pi.machine).toMatchObject({ kernel: '6.12', piReweight: false });
    expect(pi.locks).toEqual([{ name: 'm', kind: 'pi', marks: false }]);
    expect(pi.threads[1]!.program).toMatchObject([
      { op: 'lock' },
      { op: 'runUntil', atNs: 2_300_000_000 },
      { op: 'unlock' },
      { op: 'runUntil', atNs: 3_300_000_000 },
    ]);
    expect(pi.threads[2]!.program[0]).toMatchObject({ op: 'sleepUntil', atNs: 300_000_000 });
    expect(scenario('pi-reweight', { reweight: 'on' }).machine.piReweight).toBe(true);
  });
});

test('documents are not changed by being resolved', () => {
  const before = JSON.stringify(libraryDocument('bmalloc-hang'));
  resolve(libraryDocument('bmalloc-hang') as JsonObject, { spinners: '8', backoff: 'pi', rt: 'off' }, [
    { at: '1ms', set: { backoff: 'futex' } },
  ]);
  expect(JSON.stringify(libraryDocument('bmalloc-hang'))).toBe(before);
});
