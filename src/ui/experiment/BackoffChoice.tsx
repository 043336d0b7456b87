// What a thread does between two attempts at the lock. The sleep's length stands inside its own segment.

import { useState } from 'react';
import type { ToggleInfo } from '../../scenario/scenario.ts';
import { useSetting } from '../hooks/use_setting.ts';
import { NumberField } from '../parts/NumberField.tsx';
import { RadioGroup } from '../parts/RadioGroup.tsx';
import { BACKOFF_LABELS, type BackoffKind, backoffKind, SHORT_BACKOFF_LABELS, usleepUs } from './backoff_values.ts';

const BACKOFF_TITLES: Readonly<Record<BackoffKind, string>> = {
  yield: 'Try, call sched_yield, try again',
  usleep: 'Try, sleep, try again',
  nanosleep: 'Try with growing pauses, then sleep with nanosleep',
  futex: 'Sleep until the holder wakes the waiter',
  pi: 'Sleep until woken; the holder inherits the waiter\u2019s priority',
};

/** Longest sleep that the field offers: a second. */
const MAX_SLEEP_US = 1_000_000;
const RECOMMENDED_US = 150;

export function BackoffChoice({ toggle }: { readonly toggle: ToggleInfo }) {
  const [value, setValue] = useSetting(toggle.id, toggle.value);
  const [lastUs, setLastUs] = useState(RECOMMENDED_US);
  const us = usleepUs(value) ?? lastUs;

  function sleepFor(nextUs: number): void {
    setLastUs(nextUs);
    setValue(`usleep${nextUs}`);
  }

  const field = (
    <NumberField label="Sleep (µs)" hideLabel value={us} min={1} max={MAX_SLEEP_US} unit="µs" onChange={sleepFor} />
  );
  const options = offeredKinds(toggle.values).map((kind) => ({
    value: kind,
    label: BACKOFF_LABELS[kind],
    shown: SHORT_BACKOFF_LABELS[kind],
    title: BACKOFF_TITLES[kind],
    ...(kind === 'usleep' ? { beside: field } : {}),
  }));
  return (
    <span className="backoff-choice">
      <RadioGroup
        label="Back-off"
        value={backoffKind(value)}
        options={options}
        onChange={(kind) => (kind === 'usleep' ? sleepFor(us) : setValue(kind))}
      />
    </span>
  );
}

/** Kinds in the order of the scenario's values; the two sleeps are one kind. */
function offeredKinds(values: readonly string[]): readonly BackoffKind[] {
  const kinds = values.map(backoffKind).filter((kind) => kind !== undefined);
  return [...new Set(kinds)];
}
