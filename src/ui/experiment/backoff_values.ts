// Back-off settings as the link spells them and as people say them.

export type BackoffKind = 'yield' | 'usleep' | 'nanosleep' | 'futex' | 'pi';

export const BACKOFF_LABELS: Readonly<Record<BackoffKind, string>> = {
  yield: 'sched_yield',
  usleep: 'usleep',
  nanosleep: 'backoff + nanosleep',
  futex: 'futex',
  pi: 'PI futex',
};

/** Where a label is too long for its segment. */
export const SHORT_BACKOFF_LABELS: Partial<Record<BackoffKind, string>> = { nanosleep: 'nanosleep' };

const USLEEP = /^usleep(\d+)$/;

export function backoffKind(value: string): BackoffKind | undefined {
  if (USLEEP.test(value)) return 'usleep';
  return value === 'yield' || value === 'nanosleep' || value === 'futex' || value === 'pi' ? value : undefined;
}

/** µs of a usleep setting. */
export function usleepUs(value: string): number | undefined {
  const us = USLEEP.exec(value)?.[1];
  return us === undefined ? undefined : Number(us);
}

/** 'usleep(150)', 'PI futex'; a value that is none of the known ones stands for itself. */
export function backoffText(value: string): string {
  const us = usleepUs(value);
  if (us !== undefined) return `usleep(${us})`;
  const kind = backoffKind(value);
  return kind === undefined ? value : BACKOFF_LABELS[kind];
}
