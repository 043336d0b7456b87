// The slow-path calls of this run, one row a call, oldest first. A call that never ended shows what it had when the run ended.

import { useMemo } from 'react';
import type { RunResult, SlowPathCall } from '../../analysis/result.ts';
import { formatDecimal, formatInt, NO_NUMBER } from '../../base/format.ts';
import { NS_PER_MS, NS_PER_US } from '../../base/units.ts';
import { useApp, useAppState } from '../app_context.ts';
import { MoreRow, ThreadName } from './cells.tsx';

const SHOWN_CALLS = 200;
const COLUMNS = 6;

export function CallRows() {
  const result = useAppState((s) => s.summary?.result);
  const calls = useMemo(() => callsOf(result), [result]);
  return (
    <tbody className="calls">
      <tr className="group-title">
        <th colSpan={COLUMNS} scope="rowgroup">
          This run, one row a call
        </th>
      </tr>
      <tr className="column-heads">
        <th scope="col">Thread</th>
        <th scope="col">From (ms)</th>
        <th scope="col">Runtime (µs)</th>
        <th scope="col">Execution (µs)</th>
        <th scope="col">Iterations</th>
        <th scope="col">Execution / runtime (%)</th>
      </tr>
      {calls.slice(0, SHOWN_CALLS).map((call) => (
        <CallRow key={`${call.thread} ${call.start_ns}`} call={call} />
      ))}
      <MoreRow count={calls.length - SHOWN_CALLS} columns={COLUMNS} />
      {calls.length === 0 && (
        <tr>
          <td colSpan={COLUMNS} className="reason">
            {result === undefined ? 'Still running.' : 'No thread enters the slow path in this run.'}
          </td>
        </tr>
      )}
    </tbody>
  );
}

function CallRow({ call }: { readonly call: SlowPathCall }) {
  const { commands } = useApp();
  const open = call.open === true ? ' …' : '';
  return (
    <tr title={call.open === true ? 'Never ended: as of the end of the run' : undefined}>
      <th scope="row">
        <ThreadName name={call.thread} />
      </th>
      <td>
        <button type="button" className="link quiet" onClick={() => commands.goTo(call.start_ns)}>
          {formatDecimal(call.start_ns / NS_PER_MS, 3)}
        </button>
      </td>
      <td>{formatDecimal(call.wall_ns / NS_PER_US, 0) + open}</td>
      <td>{formatDecimal(call.exec_ns / NS_PER_US, 0)}</td>
      <td>{formatInt(call.iterations)}</td>
      <td>{call.exec_share === null ? NO_NUMBER : formatDecimal(call.exec_share * 100, 1)}</td>
    </tr>
  );
}

function callsOf(result: RunResult | undefined): readonly SlowPathCall[] {
  const calls = result?.locks.flatMap((lock) => lock.slow_path) ?? [];
  return calls.sort((a, b) => a.start_ns - b.start_ns);
}
