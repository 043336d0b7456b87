import { expect, test } from 'vitest';
import { backoffKind, backoffText, usleepUs } from './backoff_values.ts';
import { settingText, switchedText } from './setting_words.ts';

const RT = { id: 'rt', label: 'RT priorities', help: '', values: ['on', 'off'], default: 'on', value: 'on' };

test('any number of µs is the kind usleep, with its number', () => {
  expect(backoffKind('usleep150')).toBe('usleep');
  expect(usleepUs('usleep37')).toBe(37);
  expect(usleepUs('yield')).toBeUndefined();
});

test('back-offs read as people write them', () => {
  expect(['yield', 'usleep125', 'nanosleep', 'futex', 'pi'].map(backoffText)).toEqual([
    'sched_yield',
    'usleep(125)',
    'backoff + nanosleep',
    'futex',
    'PI futex',
  ]);
});

test('settings and flips in words', () => {
  expect(settingText('rt', 'off', [RT])).toBe('RT priorities off');
  expect(settingText('cpus', '5', [RT])).toBe('5 CPUs');
  expect(switchedText('backoff', 'usleep150', [RT])).toBe('Back-off switched to usleep(150)');
  expect(switchedText('rt', 'off', [RT])).toBe('RT priorities switched off');
});
