// Each lock: who holds it and who waits at the playhead, and the longest of both over the run.

import { useMemo } from 'react';
import type { LockResult } from '../../analysis/result.ts';
import { formatDecimal, NO_NUMBER } from '../../base/format.ts';
import { NS_PER_MS } from '../../base/units.ts';
import { useAppState, useTrace } from '../app_context.ts';
import { lockStateAt } from '../timeline/lock_state.ts';

const HEADS = ['Lock', 'Kind', 'Holder', 'Waiters', 'Longest hold (ms)', 'Longest wait (ms)'];

export function LocksTable() {
  const locks = useAppState((s) => s.summary?.result.locks) ?? [];
  return (
    <table aria-label="Locks">
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
        {locks.map((lock, index) => (
          <LockRow key={lock.name} lock={lock} index={index} />
        ))}
        {locks.length === 0 && (
          <tr>
            <td colSpan={HEADS.length} className="reason">
              This scenario has no lock.
            </td>
          </tr>
        )}
      </tbody>
    </table>
  );
}

function LockRow({ lock, index }: { readonly lock: LockResult; readonly index: number }) {
  const trace = useTrace();
  const atNs = useAppState((s) => s.playheadNs);
  const version = useAppState((s) => s.dataVersion);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the trace changes in place; its version says when
  const now = useMemo(
    () => (trace === undefined ? undefined : lockStateAt(trace, index, atNs)),
    [trace, index, atNs, version],
  );
  return (
    <tr>
      <th scope="row">{lock.name}</th>
      <td className="text">{lock.kind}</td>
      <td className="text">{now?.holder ?? NO_NUMBER}</td>
      <td className="text">{now === undefined || now.waiters.length === 0 ? NO_NUMBER : now.waiters.join(', ')}</td>
      <td>{ms(lock.hold_ns.max)}</td>
      <td>{ms(lock.wait_ns.max)}</td>
    </tr>
  );
}

function ms(ns: number | null): string {
  return ns === null ? NO_NUMBER : formatDecimal(ns / NS_PER_MS, 3);
}
