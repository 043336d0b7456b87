// The two sides on one axis: drag pans, Ctrl+wheel and pinch zoom, Shift+wheel pans, keys and buttons do both.

import { type KeyboardEvent, type PointerEvent, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { formatShort } from '../base/format.ts';
import type { Ns } from '../base/units.ts';
import type { ThemeName } from '../view/api.ts';
import { cssVariables } from '../view/tokens.ts';
import type { Comparison } from './comparison.ts';
import {
  AXIS_PX,
  hueCount,
  LANE_PX,
  lanesOf,
  paintPair,
  plotHeightPx,
  type Range,
  slotOf,
  stintAt,
} from './paint_pair.ts';

/** No closer than this: stints are not known more finely than the clocks agree. */
const LEAST_RANGE_NS = 10_000;
const STEP = 1.5;
/** Of the range, per key or press. */
const PAN = 0.25;
const WHEEL_RATE = 0.002;

interface Props {
  readonly comparison: Comparison;
  readonly theme: ThemeName;
}

export function PairPlot({ comparison, theme }: Props) {
  const { recorded, simulated, threads, endNs } = comparison;
  const canvas = useRef<HTMLCanvasElement>(null);
  const [range, setRange] = useState<Range>({ t0Ns: 0, t1Ns: endNs });
  const [widthPx, setWidthPx] = useState(0);
  const [said, setSaid] = useState('');
  const pointers = useRef(new Map<number, number>());
  const cpus = Math.max(recorded.cpus, simulated.cpus);
  const heightPx = plotHeightPx(cpus);
  const lanes = useMemo(() => lanesOf(recorded.stints, simulated.stints, cpus), [recorded, simulated, cpus]);
  const colours = useMemo(() => cssVariables(theme), [theme]);
  const phases = useMemo(() => phasesOf(comparison), [comparison]);

  const change = (to: (before: Range) => Range) => setRange((before) => within(to(before), endNs));
  const zoom = (factor: number, about = 0.5) => change((before) => zoomed(before, factor, about));
  const pan = (part: number) => change((before) => panned(before, part));

  useLayoutEffect(() => {
    const element = canvas.current!;
    const observer = new ResizeObserver(() => setWidthPx(element.clientWidth));
    observer.observe(element);
    setWidthPx(element.clientWidth);
    return () => observer.disconnect();
  }, []);

  useLayoutEffect(() => {
    const element = canvas.current!;
    const context = element.getContext('2d');
    if (context === null || widthPx === 0) return;
    const ratio = devicePixelRatio;
    element.width = Math.round(widthPx * ratio);
    element.height = Math.round(heightPx * ratio);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    paintPair(context, {
      lanes,
      range,
      startsNs: phases.map((phase) => phase.t0Ns),
      threads,
      colours,
      widthPx,
      heightPx,
    });
  }, [lanes, range, phases, threads, colours, widthPx, heightPx]);

  // React's own wheel listeners are passive: they could not keep the page from zooming.
  useEffect(() => {
    const element = canvas.current!;
    const onWheel = (event: WheelEvent) => {
      const sideways = event.shiftKey ? event.deltaY || event.deltaX : event.deltaX;
      if (event.ctrlKey || event.metaKey) {
        const about = event.offsetX / element.clientWidth;
        setRange((before) => within(zoomed(before, Math.exp(-event.deltaY * WHEEL_RATE), about), endNs));
      } else if (sideways !== 0) {
        setRange((before) => within(panned(before, sideways / element.clientWidth), endNs));
      } else return;
      event.preventDefault();
    };
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => element.removeEventListener('wheel', onWheel);
  }, [endNs]);

  const onMove = (event: PointerEvent<HTMLCanvasElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    const x = event.clientX - box.left;
    const before = pointers.current.get(event.pointerId);
    if (before === undefined) {
      setSaid(sayAt(x / box.width, event.clientY - box.top));
      return;
    }
    const other = [...pointers.current].find(([id]) => id !== event.pointerId)?.[1];
    pointers.current.set(event.pointerId, x);
    if (other === undefined) pan((before - x) / box.width);
    else if (x !== other && before !== other) zoom(Math.abs((x - other) / (before - other)), other / box.width);
  };
  const onUp = (event: PointerEvent) => pointers.current.delete(event.pointerId);

  const sayAt = (part: number, y: number): string => {
    const lane = lanes.find((each) => y >= each.topPx && y < each.topPx + LANE_PX);
    const stint = lane && stintAt(lane, range.t0Ns + part * (range.t1Ns - range.t0Ns));
    if (lane === undefined || stint === undefined) return '';
    const length = formatShort(stint.toNs - stint.fromNs);
    return `${stint.thread}, ${lane.side} on CPU ${stint.cpu}: ${length} from ${formatShort(stint.fromNs)}`;
  };

  const actOf = (key: string): (() => void) | undefined => {
    if (key === '+' || key === '=') return () => zoom(STEP);
    if (key === '-') return () => zoom(1 / STEP);
    if (key === '0') return () => setRange({ t0Ns: 0, t1Ns: endNs });
    if (key === 'ArrowLeft') return () => pan(-PAN);
    return key === 'ArrowRight' ? () => pan(PAN) : undefined;
  };

  const onKey = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const act = actOf(event.key);
    if (act === undefined) return;
    event.preventDefault();
    act();
  };

  const hues = hueCount(colours);
  return (
    <section aria-label="Lanes" className="golden-lanes">
      <div className="golden-tools" role="group" aria-label="Part that is shown">
        <button type="button" className="button outlined" onClick={() => setRange({ t0Ns: 0, t1Ns: endNs })}>
          Whole run
        </button>
        <button type="button" className="button outlined square" aria-label="Zoom in" onClick={() => zoom(STEP)}>
          +
        </button>
        <button type="button" className="button outlined square" aria-label="Zoom out" onClick={() => zoom(1 / STEP)}>
          −
        </button>
        {phases.map((phase) => (
          <button key={phase.name} type="button" className="button" onClick={() => setRange(within(phase, endNs))}>
            {phase.name}
          </button>
        ))}
      </div>
      <div className="golden-plot">
        <div className="golden-gutter" style={{ paddingTop: AXIS_PX + 6 }}>
          {lanes.map((lane) => (
            <div key={lane.topPx} style={{ top: lane.topPx, height: LANE_PX }}>
              <strong>{lane.side === 'recorded' ? 'Recorded' : 'Simulated'}</strong>
              <span>CPU {lane.cpu}</span>
            </div>
          ))}
        </div>
        <canvas
          ref={canvas}
          style={{ height: heightPx }}
          role="img"
          tabIndex={0}
          aria-label={`Recorded and simulated lanes, ${formatShort(range.t0Ns)} to ${formatShort(range.t1Ns)}`}
          onKeyDown={onKey}
          onPointerDown={(event) => {
            event.currentTarget.setPointerCapture(event.pointerId);
            pointers.current.set(event.pointerId, event.clientX - event.currentTarget.getBoundingClientRect().left);
          }}
          onPointerMove={onMove}
          onPointerUp={onUp}
          onPointerCancel={onUp}
          onPointerLeave={() => setSaid('')}
        />
      </div>
      <p className="golden-said">{said || 'Drag to pan, Ctrl+wheel or pinch to zoom.'}</p>
      <ul className="golden-legend" aria-label="Threads">
        {threads.map((thread) => (
          <li key={thread} className="thread-name">
            <span
              className="chip-colour"
              style={{ background: `var(--thread-${slotOf(threads, thread, hues)})` }}
              aria-hidden="true"
            />
            {thread}
          </li>
        ))}
      </ul>
    </section>
  );
}

function zoomed({ t0Ns, t1Ns }: Range, factor: number, about: number): Range {
  const fixed = t0Ns + about * (t1Ns - t0Ns);
  return { t0Ns: fixed - (fixed - t0Ns) / factor, t1Ns: fixed + (t1Ns - fixed) / factor };
}

function panned({ t0Ns, t1Ns }: Range, part: number): Range {
  const by = part * (t1Ns - t0Ns);
  return { t0Ns: t0Ns + by, t1Ns: t1Ns + by };
}

/** Moved and cut so that it lies within the run. */
function within({ t0Ns, t1Ns }: Range, endNs: Ns): Range {
  const length = Math.min(endNs, Math.max(LEAST_RANGE_NS, t1Ns - t0Ns));
  const from = Math.min(Math.max(0, t0Ns), endNs - length);
  return { t0Ns: from, t1Ns: from + length };
}

/** The recorded run's phases; none where the program has none. */
function phasesOf({ recorded }: Comparison): (Range & { readonly name: string })[] {
  const starts = recorded.marks.filter((mark) => mark.text.startsWith('phase '));
  return starts.flatMap((mark, i) => {
    const name = mark.text.slice('phase '.length);
    const t1Ns = starts[i + 1]?.atNs ?? recorded.endNs;
    return name === 'gap' || name === 'end' ? [] : [{ name, t0Ns: mark.atNs, t1Ns }];
  });
}
