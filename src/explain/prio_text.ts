// Kernel numbers in words: prio -1 is deadline, 0..98 real-time (99 - prio), 100..139 fair (nice = prio - 120).

import { formatSigned } from '../base/format.ts';
import type { Policy } from '../trace/meta.ts';

const POLICY_WORDS: Readonly<Record<Policy, string>> = {
  other: 'OTHER',
  batch: 'BATCH',
  idle: 'IDLE',
  fifo: 'FIFO',
  rr: 'RR',
  deadline: 'DEADLINE',
};

/** Policy and rank as a gutter shows them: `FIFO 50`, `OTHER`, `nice +10`. */
export function policyText(policy: Policy, rtPrio: number, nice: number): string {
  if (policy === 'fifo' || policy === 'rr') return `${POLICY_WORDS[policy]} ${rtPrio}`;
  if (policy === 'other' && nice !== 0) return `nice ${formatSigned(nice)}`;
  return nice !== 0 && policy === 'batch' ? `BATCH, nice ${formatSigned(nice)}` : POLICY_WORDS[policy];
}

/** What an effective prio means: `real-time 50`, `nice 0`, `nice +10`, `deadline`. Empty where none applies (140). */
export function prioText(prio: number): string {
  if (prio < 0) return 'deadline';
  if (prio < 100) return `real-time ${99 - prio}`;
  if (prio < 140) return `nice ${formatSigned(prio - 120)}`;
  return '';
}
