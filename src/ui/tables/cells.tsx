// Cells that several tables share.

import { useMemo } from 'react';
import { threadSlots } from '../../view/slots.ts';
import { useTrace } from '../app_context.ts';

/** A thread's name with its colour before it. */
export function ThreadName({ name }: { readonly name: string }) {
  const slot = useSlotOf(name);
  return (
    <span className="thread-name">
      <span
        className="chip-colour"
        style={slot === undefined ? undefined : { background: `var(--thread-${slot + 1})` }}
        aria-hidden="true"
      />
      {name}
    </span>
  );
}

function useSlotOf(name: string): number | undefined {
  const trace = useTrace();
  const slots = useMemo(
    () => new Map(trace?.tasks.map((task, id) => [task.name, threadSlots(trace.tasks)[id]])),
    [trace],
  );
  return slots.get(name);
}

/** Says that a table shows a part, and how much is left out. */
export function MoreRow({ count, columns }: { readonly count: number; readonly columns: number }) {
  if (count <= 0) return null;
  return (
    <tr>
      <td colSpan={columns} className="reason">
        and {count} more
      </td>
    </tr>
  );
}
