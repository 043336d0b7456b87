// The drawing: overview, ruler, verdict strip, and the lanes as a treegrid whose rows stand beside a canvas.

import { type CSSProperties, type PointerEvent, useRef } from 'react';
import { formatMs } from '../../base/format.ts';
import type { ThemeName } from '../../view/api.ts';
import { useApp, useAppState, useTrace } from '../app_context.ts';
import { PHONE_QUERY, useMedia } from '../hooks/use_media.ts';
import { Lanes } from './Lanes.tsx';
import { Overview } from './Overview.tsx';
import { RunProgress } from './RunProgress.tsx';
import { SceneAnnouncer } from './SceneAnnouncer.tsx';
import { SelectionAnnouncer } from './SelectionAnnouncer.tsx';
import { Tooltip } from './Tooltip.tsx';
import { useBands } from './use_bands.ts';
import { useGutterWidth } from './use_gutter_width.ts';
import { useLanesRoom } from './use_lanes_room.ts';
import { useRows } from './use_rows.ts';

interface TimelineProps {
  readonly theme: ThemeName;
  onWhy(): void;
  onHelp(): void;
}

export function Timeline({ theme, onWhy, onHelp }: TimelineProps) {
  const trace = useTrace();
  const phone = useMedia(PHONE_QUERY);
  const section = useRef<HTMLElement>(null);
  const { rows, heightPx } = useRows(trace, phone, useLanesRoom(section));
  const gutterPx = useGutterWidth(trace, phone);
  const bands = useBands(trace);
  const axis = useRef<SVGSVGElement>(null);
  return (
    <section
      ref={section}
      className="timeline"
      aria-label="Timeline"
      style={{ '--gutter': `${gutterPx}px`, ...(phone ? {} : { '--lanes-height': `${heightPx}px` }) } as CSSProperties}
    >
      <div className="overview-row">
        <WholeRun />
        <Overview theme={theme} trace={trace} bands={bands} />
      </div>
      <div className="axis-row">
        <div className="gutter">
          <span>Verdict</span>
        </div>
        <Ruler axis={axis} />
        <RunProgress />
      </div>
      <Lanes
        trace={trace}
        rows={rows}
        heightPx={heightPx}
        theme={theme}
        phone={phone}
        bands={bands}
        axis={axis}
        onWhy={onWhy}
        onHelp={onHelp}
      />
      <Tooltip />
      <SelectionAnnouncer />
      <SceneAnnouncer />
    </section>
  );
}

function WholeRun() {
  const endNs = useAppState((s) => s.scenario?.durationNs ?? 0);
  const cpus = useAppState((s) => s.scenario?.machine.cpus ?? 0);
  return (
    <div className="gutter">
      <b>Whole run</b>
      <span>
        0 – {formatMs(endNs, 0)} · {cpus} {cpus === 1 ? 'CPU' : 'CPUs'}
      </span>
    </div>
  );
}

/** A press or a drag on the ruler moves the playhead. */
function Ruler({ axis }: { readonly axis: React.RefObject<SVGSVGElement | null> }) {
  const { store } = useApp();

  function seek(event: PointerEvent<HTMLDivElement>): void {
    const box = event.currentTarget.getBoundingClientRect();
    const { viewport, setPlayhead } = store.getState();
    setPlayhead(viewport.t0Ns + ((event.clientX - box.left) / box.width) * (viewport.t1Ns - viewport.t0Ns));
  }

  return (
    <div
      className="ruler-plot"
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        seek(event);
      }}
      onPointerMove={(event) => event.currentTarget.hasPointerCapture(event.pointerId) && seek(event)}
    >
      <svg ref={axis} aria-hidden="true" />
    </div>
  );
}
