// What wheel, drag and pinch mean on the lanes, by way of d3-zoom. The viewport is reported, never kept: the
// transform that d3 holds is put right after every event and every change from outside.

import { type D3ZoomEvent, select, zoom, zoomIdentity, zoomTransform } from 'd3';
import type { Ns } from '../base/units.ts';
import type { Habits, RangeDrag, Viewport } from './api.ts';
import { type Bounds, clampViewport, MIN_SPAN_NS, shiftBy } from './viewport.ts';

export interface ZoomHost {
  readonly viewport: () => Viewport;
  readonly widthPx: () => number;
  readonly bounds: () => Bounds;
  readonly onViewport: (viewport: Viewport) => void;
  readonly onRange: (range: RangeDrag) => void;
}

export interface ZoomControl {
  setHabits(habits: Habits): void;
  /** Tells d3 where the view is now. */
  sync(): void;
  destroy(): void;
}

/** A press that moves less than this, CSS px, is a click. */
const CLICK_PX = 4;

/** What a plain drag does, and a drag with Shift. */
const DRAGS: Readonly<Record<Habits, { readonly plain: Drag; readonly shift: Drag }>> = {
  perfetto: { plain: 'measure', shift: 'pan' },
  kernelshark: { plain: 'zoom', shift: 'pan' },
  browser: { plain: 'pan', shift: 'measure' },
};

type Drag = 'measure' | 'pan' | 'zoom';

export function createZoom(element: HTMLElement, host: ZoomHost): ZoomControl {
  let habits: Habits = 'perfetto';
  const dragOf = (event: { readonly shiftKey: boolean }): Drag => DRAGS[habits][event.shiftKey ? 'shift' : 'plain'];
  const target = select(element);

  const behaviour = zoom<HTMLElement, unknown>()
    .filter((event: Event) => isZoomEvent(event, dragOf))
    .wheelDelta(wheelDelta)
    .clickDistance(CLICK_PX)
    .on('zoom', (event: D3ZoomEvent<HTMLElement, unknown>) => {
      // Changes from outside come without a source event; they are known already.
      if (event.sourceEvent === null || event.sourceEvent === undefined) return;
      host.onViewport(clampViewport(viewportOf(event.transform, host), host.bounds()));
      sync();
    });
  const sync = (): void => {
    const { k, x } = transformOf(host);
    (element as HTMLElement & { __zoom: unknown }).__zoom = zoomIdentity
      .translate(x, zoomTransform(element).y)
      .scale(k);
  };

  target.call(behaviour).on('dblclick.zoom', null);
  // Up and down belongs to the page, which scrolls the lanes; the rest of a finger's moves comes here.
  element.style.touchAction = 'pan-y';
  const onWheel = (event: WheelEvent): void => panByWheel(event, host);
  element.addEventListener('wheel', onWheel, { passive: false });
  const stopRange = watchRange(element, host, dragOf);
  sync();

  return {
    setHabits(wanted) {
      habits = wanted;
    },
    sync,
    destroy() {
      target.on('.zoom', null);
      element.removeEventListener('wheel', onWheel);
      stopRange();
    },
  };
}

/** d3 zooms by Ctrl or Cmd with the wheel, pinches, and pans where the habits say so. */
function isZoomEvent(event: Event, dragOf: (event: MouseEvent) => Drag): boolean {
  if (event.type === 'wheel')
    return ((event as WheelEvent).ctrlKey || (event as WheelEvent).metaKey) && !(event as WheelEvent).shiftKey;
  if (event.type.startsWith('touch')) return true;
  const mouse = event as MouseEvent;
  return mouse.button === 0 && !mouse.ctrlKey && dragOf(mouse) === 'pan';
}

/** A notch of a wheel zooms by about 1.5; a pinch on a touchpad, which comes as many small steps, follows the fingers. */
function wheelDelta(event: WheelEvent): number {
  const perUnit = event.deltaMode === 1 ? 0.05 : event.deltaMode === 2 ? 1 : 0.002;
  const isPinch = event.ctrlKey && Math.abs(event.deltaY) < 40;
  return -event.deltaY * perUnit * (isPinch ? 6 : 2.5);
}

function viewportOf(transform: { readonly k: number; readonly x: number }, host: ZoomHost): Viewport {
  const { fromNs, toNs } = host.bounds();
  const wholeNs = Math.max(MIN_SPAN_NS, toNs - fromNs);
  const spanNs = wholeNs / transform.k;
  const t0Ns = fromNs - (transform.x / transform.k / host.widthPx()) * wholeNs;
  return { t0Ns, t1Ns: t0Ns + spanNs };
}

function transformOf(host: ZoomHost): { readonly k: number; readonly x: number } {
  const { fromNs, toNs } = host.bounds();
  const { t0Ns, t1Ns } = host.viewport();
  const wholeNs = Math.max(MIN_SPAN_NS, toNs - fromNs);
  const k = wholeNs / (t1Ns - t0Ns);
  return { k, x: (-(t0Ns - fromNs) / wholeNs) * host.widthPx() * k };
}

/** Shift with the wheel and sideways scrolling pan; plain up and down is left to the page. */
function panByWheel(event: WheelEvent, host: ZoomHost): void {
  if (event.ctrlKey || event.metaKey) {
    // Else the browser would zoom the page where the lanes are at their limit.
    event.preventDefault();
    return;
  }
  const isSideways = Math.abs(event.deltaX) > Math.abs(event.deltaY);
  if (!event.shiftKey && !isSideways) return;
  event.preventDefault();
  const unitPx = event.deltaMode === 1 ? 16 : event.deltaMode === 2 ? host.widthPx() : 1;
  const byPx = (isSideways ? event.deltaX : event.deltaY) * unitPx;
  const { t0Ns, t1Ns } = host.viewport();
  host.onViewport(clampViewport(shiftBy(host.viewport(), (byPx / host.widthPx()) * (t1Ns - t0Ns)), host.bounds()));
}

/** Drags that mark a stretch: measured, or zoomed to when they end. Touch never starts one. */
function watchRange(element: HTMLElement, host: ZoomHost, dragOf: (event: MouseEvent) => Drag): () => void {
  let from: { readonly x: number; readonly atNs: Ns; readonly drag: Drag } | undefined;
  let moved = false;

  const timeAt = (event: PointerEvent): Ns => {
    const { t0Ns, t1Ns } = host.viewport();
    const x = event.clientX - element.getBoundingClientRect().left;
    return t0Ns + (Math.min(Math.max(x, 0), host.widthPx()) / host.widthPx()) * (t1Ns - t0Ns);
  };
  const report = (event: PointerEvent, phase: RangeDrag['phase']): void => {
    if (from !== undefined)
      host.onRange({ fromNs: from.atNs, toNs: timeAt(event), phase, zooms: from.drag === 'zoom' });
  };
  const onDown = (event: PointerEvent): void => {
    if (event.pointerType === 'touch' || event.button !== 0 || event.ctrlKey) return;
    const drag = dragOf(event);
    if (drag === 'pan') return;
    from = { x: event.clientX, atNs: timeAt(event), drag };
    moved = false;
  };
  const onMove = (event: PointerEvent): void => {
    if (from === undefined) return;
    if (!moved && Math.abs(event.clientX - from.x) < CLICK_PX) return;
    if (!moved) element.setPointerCapture(event.pointerId);
    moved = true;
    report(event, 'move');
  };
  const onUp = (event: PointerEvent): void => {
    if (from !== undefined && moved) {
      report(event, 'end');
      swallowClick(element);
    }
    from = undefined;
  };
  const onCancel = (event: PointerEvent): void => {
    if (moved) report(event, 'cancel');
    from = undefined;
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || from === undefined || !moved) return;
    host.onRange({ fromNs: from.atNs, toNs: from.atNs, phase: 'cancel', zooms: false });
    from = undefined;
    event.stopPropagation();
  };

  element.addEventListener('pointerdown', onDown);
  element.addEventListener('pointermove', onMove);
  element.addEventListener('pointerup', onUp);
  element.addEventListener('pointercancel', onCancel);
  window.addEventListener('keydown', onKey, true);
  return () => {
    element.removeEventListener('pointerdown', onDown);
    element.removeEventListener('pointermove', onMove);
    element.removeEventListener('pointerup', onUp);
    element.removeEventListener('pointercancel', onCancel);
    window.removeEventListener('keydown', onKey, true);
  };
}

/** The click that follows a drag is not a click on a segment. */
function swallowClick(element: HTMLElement): void {
  const swallow = (event: Event): void => event.stopPropagation();
  element.addEventListener('click', swallow, { capture: true, once: true });
  // No click follows when the button comes up elsewhere.
  setTimeout(() => element.removeEventListener('click', swallow, true), 0);
}
