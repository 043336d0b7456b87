// Where each thread's time went, over the whole run.

import type { ThreadResult } from '../../analysis/result.ts';
import { formatDecimal, formatInt } from '../../base/format.ts';
import { NS_PER_MS } from '../../base/units.ts';
import { useAppState } from '../app_context.ts';
import { MoreRow, ThreadName } from './cells.tsx';

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
];

export function ThreadsTable() {
  const threads = useAppState((s) => s.summary?.result.threads) ?? [];
  return (
    <table aria-label="Threads">
      <thead>
        <tr>
          {HEADS.map((head) => (
            <th key={head} scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {threads.slice(0, SHOWN_THREADS).map((thread) => (
          <ThreadRow key={thread.tid} thread={thread} />
        ))}
        <MoreRow count={threads.length - SHOWN_THREADS} columns={HEADS.length} />
      </tbody>
    </table>
  );
}

function ThreadRow({ thread }: { readonly thread: ThreadResult }) {
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
      <td>{formatInt(thread.switches)}</td>
      <td>{ms(thread.longest_wait_ns)}</td>
    </tr>
  );
}

function ms(ns: number): string {
  return formatDecimal(ns / NS_PER_MS, 3);
}
