import { expect, test } from 'vitest';
import type { Verdict } from '../trace/verdicts.ts';
import { outcomeOf } from './outcome.ts';
import { hangFrom } from './testkit/runs.ts';

const bounded = (fromNs: number, toNs: number, kind: Verdict['kind'] = 'rt-spin-hang'): Verdict => ({
  ...hangFrom(fromNs, 0),
  kind,
  toNs,
  forever: false,
  ended: true,
});
const AT_100 = { atNs: 100, without: [hangFrom(9, 0)] };

test('without a finding there is no hang', () => {
  expect(outcomeOf([])).toEqual({ ends: 'clear' });
  expect(outcomeOf([], AT_100)).toEqual({ ends: 'clear' });
});

test('a hang that stands before the change and ends after it clears in the time between', () => {
  expect(outcomeOf([bounded(9, 120)], AT_100)).toEqual({ ends: 'clears', afterNs: 20 });
});

test('a hang is cleared when the waits that it left have ended, not when the first spinner steps aside', () => {
  // The holder runs at once, releases at 140, and the last of the waiters has the lock at 175.
  const waits = { ...AT_100, waitsEndNs: 175 };
  expect(outcomeOf([bounded(9, 100)], waits)).toEqual({ ends: 'clears', afterNs: 75 });
  expect(outcomeOf([bounded(9, 120)], waits)).toEqual({ ends: 'clears', afterNs: 75 });
  // No finding stood there: a wait for a lock is nothing that was cleared.
  expect(outcomeOf([], { ...waits, without: [] })).toEqual({ ends: 'clear' });
});

test('a hang that was over before the change is no outcome of it', () => {
  expect(outcomeOf([bounded(9, 90)], AT_100)).toEqual({ ends: 'clear' });
});

test('a finding with an end that begins later is a stall of its length', () => {
  expect(outcomeOf([bounded(150, 190)], AT_100)).toEqual({ ends: 'stall', lengthNs: 40 });
  expect(outcomeOf([bounded(150, 190)])).toEqual({ ends: 'stall', lengthNs: 40 });
});

test('for ever, or not ended when the run does, is a hang', () => {
  expect(outcomeOf([hangFrom(9, 0)], AT_100)).toEqual({ ends: 'hang' });
  expect(outcomeOf([{ ...bounded(9, 1000), ended: false }], AT_100)).toEqual({ ends: 'hang' });
});

test('a change after which the finding ends no sooner than without it changes nothing', () => {
  const without = [bounded(30, 230, 'boost-without-weight')];
  expect(outcomeOf(without, { atNs: 100, without })).toEqual({ ends: 'same' });
  expect(outcomeOf([bounded(30, 140, 'boost-without-weight')], { atNs: 100, without })).toEqual({
    ends: 'clears',
    afterNs: 40,
  });
});

test('another finding that begins after the change is named', () => {
  expect(outcomeOf([bounded(150, 190, 'convoy')], AT_100)).toEqual({ ends: 'other', kind: 'convoy' });
});
