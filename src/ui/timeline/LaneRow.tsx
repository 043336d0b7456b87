// One row of the treegrid: the gutter cells of a lane or of a group's head. The drawing beside it is a canvas; what it
// shows at the selection is said in the row's last cell.

import { memo } from 'react';
import type { LaneInfo } from '../../trace/segments.ts';
import type { TraceStore } from '../../trace/trace_store.ts';
import type { Band, Row } from '../../view/api.ts';
import { policyText } from '../../view/layout.ts';
import { shortName } from '../../view/names.ts';
import { threadSlots } from '../../view/slots.ts';
import { useAppState } from '../app_context.ts';
import { Icon } from '../parts/Icon.tsx';
import { cpuShareText, waitersText } from './gutter_text.ts';
import { laneName } from './lane_names.ts';

interface LaneRowProps {
  readonly row: Row;
  /** Added to the row's top. */
  readonly offsetPx: number;
  readonly index: number;
  readonly id: string;
  readonly trace: TraceStore;
  readonly active: boolean;
  /** The lane is party to a finding of this tone. */
  readonly marked: Band['tone'] | undefined;
  /** Short names, as a phone shows them. */
  readonly narrow: boolean;
  /** What the lane shows at the selection, for screen readers. */
  readonly said: string;
  onPick(laneId: number): void;
}

export const LaneRow = memo(function LaneRow(props: LaneRowProps) {
  const { row, index, id, offsetPx } = props;
  const style = { top: row.yPx + offsetPx, height: row.heightPx };
  if (row.row === 'head') {
    return (
      <div
        role="row"
        id={id}
        aria-level={1}
        aria-rowindex={index + 1}
        aria-label={row.label}
        className="lane-row head"
        style={style}
      >
        <div role="rowheader" className="gutter-cell">
          {row.label}
        </div>
      </div>
    );
  }
  const lane = props.trace.lanes[row.laneId];
  return lane === undefined ? null : <Lane {...props} lane={lane} style={style} />;
});

function Lane({
  index,
  id,
  trace,
  active,
  marked,
  narrow,
  said,
  onPick,
  lane,
  style,
}: LaneRowProps & { readonly lane: LaneInfo; readonly style: object }) {
  const name = laneName(trace, lane);
  const classes = [
    'lane-row',
    lane.kind,
    active ? 'active' : '',
    marked === undefined ? '' : `marked tone-${marked}`,
  ].join(' ');
  return (
    <div
      role="row"
      id={id}
      aria-level={2}
      aria-rowindex={index + 1}
      aria-label={name}
      aria-selected={active}
      className={classes}
      style={style}
    >
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the treegrid has the keys; a click only makes its row the active one */}
      <div role="rowheader" className="gutter-cell" title={name} onClick={() => onPick(lane.id)}>
        <LaneLabel lane={lane} trace={trace} name={name} narrow={narrow} />
      </div>
      {!narrow && (
        <div role="gridcell" className="gutter-note">
          <LaneNote lane={lane} trace={trace} />
        </div>
      )}
      <div role="gridcell" className="visually-hidden">
        {said}
      </div>
    </div>
  );
}

function LaneLabel({
  lane,
  trace,
  name,
  narrow,
}: {
  readonly lane: LaneInfo;
  readonly trace: TraceStore;
  readonly name: string;
  readonly narrow: boolean;
}) {
  switch (lane.kind) {
    case 'cpu':
      return <span className="lane-name">{name}</span>;
    case 'thread':
      return (
        <>
          <span
            className="chip-colour"
            style={{ background: `var(--thread-${(threadSlots(trace.tasks)[lane.subject] ?? 0) + 1})` }}
            aria-hidden="true"
          />
          <span className="lane-name">{narrow ? shortName(name) : name}</span>
        </>
      );
    case 'lock':
    case 'lockWait':
      return (
        <>
          <Icon name="padlock" sizePx={12} />
          <span className="lane-name">{name.replace(/^lock /, '')}</span>
        </>
      );
  }
}

function LaneNote({ lane, trace }: { readonly lane: LaneInfo; readonly trace: TraceStore }) {
  switch (lane.kind) {
    case 'cpu':
      return <CpuShare trace={trace} laneId={lane.id} />;
    case 'thread': {
      const task = trace.tasks[lane.subject];
      return task === undefined ? null : policyText(task);
    }
    case 'lock':
    case 'lockWait':
      return <Waiters trace={trace} lock={lane.subject} />;
  }
}

function CpuShare({ trace, laneId }: { readonly trace: TraceStore; readonly laneId: number }) {
  const text = useAppState((s) => {
    const hidden = s.veiled || s.play === 'playing';
    // Read, so that growth of the trace counts.
    void s.dataVersion;
    return cpuShareText(
      trace,
      laneId,
      s.viewport.t0Ns,
      hidden ? Math.min(s.playheadNs, s.viewport.t1Ns) : s.viewport.t1Ns,
    );
  });
  return <span className={text.startsWith('spins') ? 'spins' : undefined}>{text}</span>;
}

function Waiters({ trace, lock }: { readonly trace: TraceStore; readonly lock: number }) {
  const text = useAppState((s) => {
    void s.dataVersion;
    return waitersText(trace, lock, s.playheadNs);
  });
  return <span>{text}</span>;
}
