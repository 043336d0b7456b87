// Where each thread's time went, over the whole run, and which share of a CPU it has in the range that is shown.

import type { CSSProperties } from 'react';
import type { ThreadResult } from '../../analysis/result.ts';
import { formatDecimal, formatInt, NO_NUMBER } from '../../base/format.ts';
import { NS_PER_MS } from '../../base/units.ts';
import { useAppState } from '../app_context.ts';
import { MoreRow, ThreadName } from './cells.tsx';
import { useSharesInView } from './use_shares_in_view.ts';

const NO_THREADS: readonly ThreadResult[] = [];
const SHOWN_THREADS = 256;
const HEADS = [
  'Thread',
  'Policy',
  'Share (%)',
  'Running (ms)',
  'Spinning (ms)',
  'Runnable (ms)',
  'Blocked (ms)',
  'Sleeping (ms)',
  'Switches',
  'Longest wait (ms)',
  'In view (%)',
];

const TITLES: Readonly<Record<string, string>> = {
  'Share (%)': 'Of one CPU, over the whole run',
  'In view (%)': 'Of one CPU, over the range that is shown',
};

export function ThreadsTable() {
  const threads = useAppState((s) => s.summary?.result.threads) ?? NO_THREADS;
  const inView = useSharesInView(threads);
  // Most runs throttle nobody: the column is there where it says something.
  const throttles = threads.some((thread) => thread.throttled_ns > 0);
  const heads = throttles ? HEADS.toSpliced(HEADS.indexOf('Sleeping (ms)') + 1, 0, 'Throttled (ms)') : HEADS;
  return (
    <table aria-label="Threads">
      <thead>
        <tr>
          {heads.map((head) => (
            <th key={head} scope="col" title={TITLES[head]}>
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {threads.slice(0, SHOWN_THREADS).map((thread, i) => (
          <ThreadRow key={thread.tid} thread={thread} inView={inView[i]} throttles={throttles} />
        ))}
        <MoreRow count={threads.length - SHOWN_THREADS} columns={heads.length} />
      </tbody>
    </table>
  );
}

interface ThreadRowProps {
  readonly thread: ThreadResult;
  readonly inView: number | undefined;
  readonly throttles: boolean;
}

function ThreadRow({ thread, inView, throttles }: ThreadRowProps) {
  return (
    <tr>
      <th scope="row">
        <ThreadName name={thread.name} />
      </th>
      <td className="text">{thread.policy}</td>
      <td>{formatDecimal(thread.share * 100, 1)}</td>
      <td>{ms(thread.run_ns)}</td>
      <td>{ms(thread.spin_ns)}</td>
      <td>{ms(thread.runnable_ns)}</td>
      <td>{ms(thread.blocked_ns)}</td>
      <td>{ms(thread.sleep_ns)}</td>
      {throttles && <td>{ms(thread.throttled_ns)}</td>}
      <td>{formatInt(thread.switches)}</td>
      <td>{ms(thread.longest_wait_ns)}</td>
      <td>
        <ShareBar ratio={inView} />
      </td>
    </tr>
  );
}

/** The share as a number over a bar as long as the share. */
function ShareBar({ ratio }: { readonly ratio: number | undefined }) {
  if (ratio === undefined) return <span className="share-bar">{NO_NUMBER}</span>;
  return (
    <span className="share-bar" style={{ '--share': `${Math.min(1, ratio) * 100}%` } as CSSProperties}>
      {formatDecimal(ratio * 100, 1)}
    </span>
  );
}

function ms(ns: number): string {
  return formatDecimal(ns / NS_PER_MS, 3);
}
