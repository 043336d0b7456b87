import { expect, test } from 'vitest';
import { LIBRARY } from '../scenario/library/library.ts';
import { resolve } from '../scenario/resolve.ts';
import type { Scenario } from '../scenario/scenario.ts';
import { formatTime } from '../scenario/time_text.ts';
import type { InterventionSpec, SettingValues } from './ports.ts';
import { savedDocument } from './saved_document.ts';

/** What runs: everything but what the page offers and how it was asked for. */
function whatRuns(result: ReturnType<typeof resolve>): Partial<Scenario> {
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  const { machine, locks, threads, durationNs, seed, interventions } = result.value;
  return { machine, locks, threads, durationNs, seed, interventions };
}

const HERE: readonly InterventionSpec[] = [{ atNs: 12_000_000, set: { backoff: 'usleep150' } }];

test.each<[number, SettingValues, readonly InterventionSpec[]]>([
  [0, {}, []],
  [0, { rt: 'off' }, []],
  [0, { backoff: 'usleep37', hold: '3ms' }, []],
  [0, { cpus: '5', seed: '7', hz: '1000', costs: 'server' }, []],
  [0, { throttling: 'on' }, HERE],
  [0, { throttling: '180ms' }, []],
  [0, { kernel: '6.12', fairserver: 'off' }, HERE],
  [1, { backoff: 'yield', hold: '4538us' }, []],
  [2, { reweight: 'on' }, [{ atNs: 1e9, set: { reweight: 'off' } }]],
])('scenario %i with %o saved runs as it did', (index, settings, interventions) => {
  const document = LIBRARY[index]!.document;
  const requests = interventions.map(({ atNs, set }) => ({ at: formatTime(atNs), set }));
  const saved = savedDocument(document, settings, interventions);
  expect(whatRuns(resolve(saved))).toEqual(whatRuns(resolve(document, settings, requests)));
});
