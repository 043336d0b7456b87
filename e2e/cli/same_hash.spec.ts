// The same scene gives the same trace on the command line (Node) and on the page (a worker in Chromium), played or not.

import { execFile } from 'node:child_process';
import { expect, simulationDone, test } from '../harness/test.ts';

const SCENES: readonly (readonly [name: string, settings: Readonly<Record<string, string>>, at?: string])[] = [
  ['bmalloc-hang', {}],
  ['bmalloc-hang', { backoff: 'usleep150' }],
  ['bmalloc-hang', { kernel: '6.12' }],
  ['bmalloc-hang', { kernel: '7.2', cpus: '6', spinners: '7' }],
  ['bmalloc-hang', { backoff: 'usleep125' }, '100ms'],
  ['bmalloc-slow-path', { rt: 'off', backoff: 'usleep150' }],
  ['pi-reweight', {}],
  ['pi-reweight', { reweight: 'on' }, '1s'],
];

for (const [name, settings, at] of SCENES) {
  const pairs = Object.entries(settings).map(([key, value]) => `${key}=${value}`);
  test(`${name} ${pairs.join(' ')} ${at === undefined ? '' : `from ${at}`}`, async ({ page, open }) => {
    const expected = await hashInNode(name, pairs, at);
    expect(expected).toMatch(/^[^:]+:[0-9a-f]{16}$/);
    const query = at === undefined ? pairs.join('&') : `do=${at}:${pairs.join(',')}`;
    await open(`#/${name}?${query}`);
    expect(await simulationDone(page)).toBe(expected);
  });
}

test('a run that is played and paused while it is made has the same hash', async ({ page, open }) => {
  const expected = await hashInNode('pi-reweight', [], undefined);
  await open('#/pi-reweight?play=1');
  const button = page.getByRole('button', { name: /^(Play|Pause)$/ });
  await button.click();
  await button.click();
  expect(await simulationDone(page)).toBe(expected);
});

function hashInNode(name: string, pairs: readonly string[], at: string | undefined): Promise<string> {
  const sets = pairs.flatMap((pair) => (at === undefined ? ['--set', pair] : ['--at', at, pair]));
  return new Promise((done, fail) => {
    const args = ['scripts/sim.mjs', 'run', name, ...sets, '--json'];
    execFile(process.execPath, args, { maxBuffer: 1 << 28 }, (error, stdout) => {
      if (error === null) done((JSON.parse(stdout) as { hash: string }).hash);
      else fail(error);
    });
  });
}
