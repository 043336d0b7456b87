// A run that the fuzz found: an entity with a vruntime below zero left its queue by a boost and was searched for ever.

import { expect, test } from 'vitest';
import { run } from '../../testing/scene.ts';

test('an entity whose deadline was made relative to a negative vruntime is found in its queue', () => {
  const forever = (...steps: unknown[]) => [{ repeat: 'forever', do: steps }];
  const ran = run({
    duration: '4500us',
    machine: { cpus: 2, tunableScaling: 'none' },
    locks: { m1: { kind: 'pi' } },
    threads: [
      {
        name: 't0',
        program: forever({ sleep: '0ns' }, { run: '1ns' }, { run: { uniform: ['479019ns', '1540363ns'] } }),
      },
      {
        name: 't1',
        nice: -1,
        program: forever({ lock: 'm1' }, { unlock: 'm1' }, { sleep: { uniform: ['2276100ns', '2718001ns'] } }),
      },
      { name: 't2', policy: 'idle', program: forever('yield', { sleep: '0ns' }) },
      { name: 't3', program: [{ run: 'forever' }] },
      { name: 't4', program: forever({ sleep: '1ns' }, { lock: 'm1' }, { io: '0ns' }, { unlock: 'm1' }) },
    ],
  });
  expect(ran.sim.state).toBe('done');
}, 60_000);
