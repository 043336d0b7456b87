// Which changes are worth trying against a finding: the other values of the scenario's own switches, and the machine's protections.

import type { Ns } from '../base/units.ts';
import type { Scenario, ToggleInfo } from '../scenario/scenario.ts';
import type { Verdict } from '../trace/verdicts.ts';
import type { Fix } from './aside_slice.ts';
import type { SettingValues } from './ports.ts';

const MAX_FIXES = 6;
/** Of a choice with many values the first few stand for all. */
const MAX_VALUES_PER_TOGGLE = 4;
/** Below this a stall is the ordinary life of a lock and asks for no fix. */
const WORTH_FIXING: readonly Verdict['kind'][] = [
  'rt-spin-hang',
  'deadlock',
  'livelock',
  'starvation',
  'priority-inversion',
  'boost-without-weight',
];

/** A finding that the reader would want to be rid of at `atNs` or after. */
export function needsFix(verdicts: readonly Verdict[], atNs: Ns): boolean {
  return verdicts.some((one) => WORTH_FIXING.includes(one.kind) && one.toNs > atNs);
}

/** Changes to try, back-offs first: they are what the fix of a spin lock is about. `inForce` are the settings at the playhead. */
export function fixesFor(scenario: Scenario, inForce: SettingValues): readonly Fix[] {
  const toggles = [...scenario.toggles].sort((a, b) => Number(b.id === 'backoff') - Number(a.id === 'backoff'));
  const own = toggles.flatMap((toggle) => otherValues(toggle, inForce[toggle.id] ?? toggle.value));
  const fixes = [
    ...own,
    ...protections(scenario),
    { setting: 'cpus', value: String(scenario.machine.cpus + 1), applies: 'start' as const, outcome: undefined },
  ];
  return fixes.slice(0, MAX_FIXES);
}

function otherValues(toggle: ToggleInfo, inForce: string): readonly Fix[] {
  // A number of threads is the question, not an answer to it.
  if (toggle.values.every((value) => /^\d+$/.test(value))) return [];
  const values = toggle.id === 'backoff' ? backoffFixes(toggle.values) : toggle.values;
  const others = values.filter((value) => value !== inForce).slice(0, MAX_VALUES_PER_TOGGLE);
  return others.map((value) => ({ setting: toggle.id, value, applies: 'here', outcome: undefined }));
}

/** The recommended sleep, and waiting in the kernel. */
function backoffFixes(offered: readonly string[]): readonly string[] {
  return ['usleep150', ...['pi', 'futex'].filter((value) => offered.includes(value))];
}

function protections({ machine }: Scenario): readonly Fix[] {
  const hasThrottling = machine.kernel === '6.1' || machine.kernel === '6.6';
  if (hasThrottling)
    return machine.rtThrottling === false
      ? [{ setting: 'throttling', value: 'on', applies: 'here', outcome: undefined }]
      : [];
  return machine.fairServer === false
    ? [{ setting: 'fairserver', value: 'on', applies: 'here', outcome: undefined }]
    : [];
}
