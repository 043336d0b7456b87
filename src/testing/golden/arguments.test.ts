import { expect, test } from 'vitest';
import { parseArguments } from './arguments.ts';

test('workloads and kernels can be named several times', () => {
  const parsed = parseArguments(['--only', 'usleep', '--only', 'fair-share', '--kernel', '6.1', '--json']);
  expect(parsed.ok && parsed.value.only).toEqual(['usleep', 'fair-share']);
  expect(parsed.ok && parsed.value.kernels).toEqual(['6.1']);
  expect(parsed.ok && parsed.value.json).toBe(true);
});

test('an unknown argument is refused by name', () => {
  const parsed = parseArguments(['--onyl', 'usleep']);
  expect(parsed.ok ? '' : parsed.error).toContain('--onyl');
});

test('a missing value is refused', () => {
  const parsed = parseArguments(['--only']);
  expect(parsed.ok ? '' : parsed.error).toContain('--only needs a value');
});

test('a recording is named by kernel and workload', () => {
  const parsed = parseArguments(['--record', '6.1.176-deb/usleep']);
  expect(parsed.ok ? parsed.value.record : undefined).toBe('6.1.176-deb/usleep');
  expect(parseArguments(['--record']).ok).toBe(false);
});
