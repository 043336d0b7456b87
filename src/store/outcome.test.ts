import { expect, test } from 'vitest';
import type { Verdict } from '../trace/verdicts.ts';
import { outcomeOf } from './outcome.ts';
import { hangFrom } from './testkit/runs.ts';

const bounded = (fromNs: number, toNs: number): Verdict => ({
  ...hangFrom(fromNs, 0),
  toNs,
  forever: false,
  ended: true,
});

test('without a finding there is no hang', () => {
  expect(outcomeOf([], undefined)).toEqual({ ends: 'clear' });
});

test('a hang that stands before the change and ends after it clears in the time between', () => {
  expect(outcomeOf([bounded(9, 120)], 100)).toEqual({ ends: 'clears', afterNs: 20 });
});

test('a hang that was over before the change is no outcome of it', () => {
  expect(outcomeOf([bounded(9, 90)], 100)).toEqual({ ends: 'clear' });
});

test('a finding with an end that begins later is a stall of its length', () => {
  expect(outcomeOf([bounded(150, 190)], 100)).toEqual({ ends: 'stall', lengthNs: 40 });
});

test('for ever, or not ended when the run does, is a hang', () => {
  expect(outcomeOf([hangFrom(9, 0)], 100)).toEqual({ ends: 'hang' });
  expect(outcomeOf([{ ...bounded(9, 1000), ended: false }], 100)).toEqual({ ends: 'hang' });
});
