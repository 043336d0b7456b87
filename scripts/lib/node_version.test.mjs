import { afterEach, expect, test, vi } from 'vitest';
import { nodeIsTooOld } from './node_version.mjs';

afterEach(() => vi.restoreAllMocks());

// The engines that package.json names: ^20.19.0 || >=22.12.0.
test.each([
  ['12.22.12', true],
  ['18.20.4', true],
  ['20.18.3', true],
  ['20.19.0', false],
  ['20.20.2', false],
  ['21.7.3', true],
  ['22.11.0', true],
  ['22.12.0', false],
  ['24.0.0', false],
])('Node %s: too old is %s', (version, tooOld) => {
  const said = vi.spyOn(console, 'error').mockImplementation(() => {});
  vi.spyOn(process, 'versions', 'get').mockReturnValue({ ...process.versions, node: version });
  expect(nodeIsTooOld()).toBe(tooOld);
  expect(said.mock.calls.map(([line]) => line.includes('20.19') && line.includes(version))).toEqual(
    tooOld ? [true] : [],
  );
});
