// The records of the run, as ftrace names them. Only the rows in sight exist.

import { useMemo, useRef, useState } from 'react';
import { formatDecimal } from '../../base/format.ts';
import { NS_PER_MS } from '../../base/units.ts';
import { NONE } from '../../trace/ids.ts';
import type { TraceStore } from '../../trace/trace_store.ts';
import { useApp, useAppState, useTrace } from '../app_context.ts';
import { eventDetails, eventName } from './event_words.ts';

const ROW_PX = 24;
const SHOWN_ROWS = 40;
/** Browsers draw nothing beyond some 16 million px. */
const MAX_ROWS = 600_000;
const HEADS = ['Time (ms)', 'CPU', 'Event', 'Thread', 'Details'];

export function EventsTable() {
  const trace = useTrace();
  useAppState((s) => s.dataVersion);
  const [first, setFirst] = useState(0);
  const scroller = useRef<HTMLDivElement>(null);
  const total = trace?.records.count ?? 0;
  const count = Math.min(total, MAX_ROWS);
  const from = Math.min(first, Math.max(0, count - SHOWN_ROWS));
  const rows = useMemo(
    () => Array.from({ length: Math.min(SHOWN_ROWS, count - from) }, (_, i) => from + i),
    [from, count],
  );

  return (
    <div
      className="events"
      ref={scroller}
      onScroll={(event) => setFirst(Math.floor(event.currentTarget.scrollTop / ROW_PX))}
    >
      <div style={{ height: (count + 1) * ROW_PX }} className="events-height">
        <table aria-label="Events" aria-rowcount={count + 1} style={{ transform: `translateY(${from * ROW_PX}px)` }}>
          <thead>
            <tr aria-rowindex={1}>
              {HEADS.map((head) => (
                <th key={head} scope="col">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>{trace !== undefined && rows.map((row) => <EventRow key={row} trace={trace} row={row} />)}</tbody>
        </table>
      </div>
      {total > count && <p className="reason">And {formatDecimal(total - count, 0)} more.</p>}
    </div>
  );
}

function EventRow({ trace, row }: { readonly trace: TraceStore; readonly row: number }) {
  const { commands } = useApp();
  const { tsNs, cpu, kind, task } = trace.records;
  const atNs = tsNs[row] ?? 0;
  return (
    <tr aria-rowindex={row + 2}>
      <td>
        <button type="button" className="link quiet" onClick={() => commands.goTo(atNs)}>
          {formatDecimal(atNs / NS_PER_MS, 6)}
        </button>
      </td>
      <td>{cpu[row] === NONE ? '' : cpu[row]}</td>
      <td className="text">{eventName(kind[row] ?? 0)}</td>
      <td className="text">{trace.tasks[task[row] ?? NONE]?.name ?? ''}</td>
      <td className="text details">{eventDetails(trace, row)}</td>
    </tr>
  );
}
