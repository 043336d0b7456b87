// The numbers of the run, one table a tab.

import { type ReactNode, useId, useState } from 'react';
import { formatInt } from '../../base/format.ts';
import type { TableTab } from '../../store/index.ts';
import { useApp, useAppState, useTrace } from '../app_context.ts';
import { InterventionList } from '../experiment/InterventionList.tsx';
import { PHONE_QUERY, useMedia, WIDE_QUERY } from '../hooks/use_media.ts';
import { Icon } from '../parts/Icon.tsx';
import { EventsTable } from './EventsTable.tsx';
import { LocksTable } from './LocksTable.tsx';
import { ResizeHandle, useTablesHeight } from './ResizeHandle.tsx';
import { SlowPathTable } from './SlowPathTable.tsx';
import { ThreadsTable } from './ThreadsTable.tsx';

const TABS: readonly { readonly tab: TableTab; readonly label: string }[] = [
  { tab: 'slowPath', label: 'Slow path' },
  { tab: 'threads', label: 'Threads' },
  { tab: 'locks', label: 'Locks' },
  { tab: 'events', label: 'Events' },
];

export function Tables() {
  const { store } = useApp();
  const active = useAppState((s) => s.tab);
  const id = useId();
  // On a phone the tabs are a bar, and a table opens over the whole screen.
  const phone = useMedia(PHONE_QUERY);
  const wide = useMedia(WIDE_QUERY);
  const [opened, setOpened] = useState(false);
  const full = phone && opened;
  const [heightPx, setHeightPx] = useTablesHeight();

  /** Arrow keys move between tabs, as in every tab list. */
  function onKey(key: string): void {
    const move = key === 'ArrowRight' ? 1 : key === 'ArrowLeft' ? -1 : 0;
    if (move === 0) return;
    const index = TABS.findIndex((one) => one.tab === active);
    const next = TABS[(index + move + TABS.length) % TABS.length];
    if (next === undefined) return;
    store.getState().setTab(next.tab);
    document.getElementById(`${id}-${next.tab}`)?.focus();
  }

  return (
    <section
      className={full ? 'tables full' : 'tables'}
      aria-label="Numbers"
      style={heightPx === undefined || phone ? undefined : { flex: `0 0 ${heightPx}px` }}
    >
      {!phone && <ResizeHandle heightPx={heightPx} onResize={setHeightPx} />}
      <div className="tabs" role="tablist" aria-label="Tables" onKeyDown={(event) => onKey(event.key)}>
        {TABS.map(({ tab, label }) => (
          <button
            key={tab}
            type="button"
            role="tab"
            id={`${id}-${tab}`}
            aria-selected={tab === active}
            aria-controls={`${id}-${tab}-panel`}
            tabIndex={tab === active ? 0 : -1}
            className="tab"
            onClick={() => {
              store.getState().setTab(tab);
              setOpened(true);
            }}
          >
            {label}
            {tab === 'events' && <EventCount />}
          </button>
        ))}
        {wide && <InterventionList />}
        {full && (
          <button
            type="button"
            className="button square tables-close"
            aria-label="Close table"
            onClick={() => setOpened(false)}
          >
            <Icon name="close" />
          </button>
        )}
      </div>
      {TABS.map(({ tab }) => {
        const shown = tab === active && (full || !phone);
        // A table that is not shown stays there for screen readers and whoever reads the page by its names.
        return (
          <div
            key={tab}
            className={shown ? 'table-panel' : 'table-panel parked'}
            role="tabpanel"
            id={`${id}-${tab}-panel`}
            aria-labelledby={`${id}-${tab}`}
            tabIndex={shown ? 0 : -1}
          >
            {panelOf(tab)}
          </div>
        );
      })}
    </section>
  );
}

function EventCount() {
  const trace = useTrace();
  useAppState((s) => s.dataVersion);
  return <span className="count"> {formatInt(trace?.records.count ?? 0)}</span>;
}

function panelOf(tab: TableTab): ReactNode {
  switch (tab) {
    case 'slowPath':
      return <SlowPathTable />;
    case 'threads':
      return <ThreadsTable />;
    case 'locks':
      return <LocksTable />;
    case 'events':
      return <EventsTable />;
  }
}
