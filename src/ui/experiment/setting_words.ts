// A setting and its value in words, for interventions and fixes.

import type { ToggleInfo } from '../../scenario/scenario.ts';
import { backoffText } from './backoff_values.ts';

const MACHINE_LABELS: Readonly<Record<string, string>> = {
  throttling: 'RT throttling',
  fairserver: 'Fair server',
  kernel: 'Kernel',
  cpus: 'CPUs',
  costs: 'Costs',
};

/** 'RT priorities off', 'usleep(150)', '5 CPUs', 'Kernel 6.12'. */
export function settingText(setting: string, value: string, toggles: readonly ToggleInfo[]): string {
  if (setting === 'backoff') return backoffText(value);
  if (setting === 'cpus') return `${value} CPUs`;
  const label = toggles.find((toggle) => toggle.id === setting)?.label ?? MACHINE_LABELS[setting] ?? setting;
  return `${label} ${value}`;
}

/** The same as an event: 'Back-off switched to usleep(150)'. */
export function switchedText(setting: string, value: string, toggles: readonly ToggleInfo[]): string {
  if (setting === 'backoff') return `Back-off switched to ${backoffText(value)}`;
  const label = toggles.find((toggle) => toggle.id === setting)?.label ?? MACHINE_LABELS[setting] ?? setting;
  return `${label} switched ${value === 'on' || value === 'off' ? value : `to ${value}`}`;
}
