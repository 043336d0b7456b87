// Story 1's numbers: each call of a lock's slow path in this run, and beside them the published calls with the same
// calls as the simulator makes them. One table; its second row group stands to the right where there is room.

import { useEffect } from 'react';
import { useApp, useAppState } from '../app_context.ts';
import { CallRows } from './CallRows.tsx';
import { PublishedRows } from './PublishedRows.tsx';

export function SlowPathTable() {
  const { askReferences } = useApp();
  const done = useAppState((s) => s.status === 'done');

  useEffect(() => {
    if (done) askReferences();
  }, [done, askReferences]);

  return (
    <table className="slow-path" aria-label="Slow path">
      <CallRows />
      <PublishedRows />
    </table>
  );
}
