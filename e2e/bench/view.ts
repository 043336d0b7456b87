// In the browser: the page's own timeline and a plain canvas paint the same million segments through the same
// zooms and pans. scripts/bench/view.mjs drives it.

import { appendChunk, createTraceStore, type TraceStore } from '../../src/trace/trace_store.ts';
import type { Viewport } from '../../src/view/api.ts';
import { createPlainPainter } from './plain_canvas.ts';
import { LANES, syntheticTrace } from './synthetic_trace.ts';
import { emptyView, freshCanvas, HEIGHT_PX, showTrace, WIDTH_PX } from './timeline.ts';

const LANE_PX = HEIGHT_PX / LANES;

/** At the far end of the zoom this share of the trace is in view. */
const DEEPEST_ZOOM = 1 / 2000;

interface Frames {
  /** Time that the main thread's script took, per frame. */
  readonly scriptMs: number[];
  /** From one frame to the next: script, raster and all. */
  readonly intervalMs: number[];
}

interface BenchResult {
  readonly appendMs: number;
  readonly ours: Frames;
  /** One rectangle over an empty canvas: what a frame costs on this machine at least. */
  readonly floor: Frames;
  /** Where it was asked for: it takes many times as long as all the rest. */
  readonly plain: Frames | undefined;
}

type Paint = (viewport: Viewport) => void;

async function run(segmentCount: number, frameCount: number, withPlain: boolean): Promise<BenchResult> {
  const { meta, chunk } = syntheticTrace(segmentCount);
  const beforeMs = performance.now();
  const trace = createTraceStore(meta);
  appendChunk(trace, chunk);
  const appendMs = performance.now() - beforeMs;

  const { durationNs } = meta;
  const plain = createPlainPainter(freshCanvas('lanes'), trace, { widthPx: WIDTH_PX, lanePx: LANE_PX });
  const plainFrames = withPlain ? await measure(durationNs, frameCount, plain) : undefined;
  const floorFrames = await measure(durationNs, frameCount, createFloor());
  const ours = createOurs(trace);
  const ourFrames = await measure(durationNs, frameCount, ours.paint);
  ours.destroy();
  return { appendMs, ours: ourFrames, floor: floorFrames, plain: plainFrames };
}

function createFloor(): Paint {
  const context = freshCanvas('lanes').getContext('2d')!;
  let frame = 0;
  return () => {
    // Another colour each time, so that no frame is left out.
    context.fillStyle = frame++ % 2 === 0 ? '#eee' : '#ddd';
    context.fillRect(0, 0, WIDTH_PX, HEIGHT_PX);
  };
}

function createOurs(trace: TraceStore): { paint: Paint; destroy: () => void } {
  const view = emptyView();
  showTrace(view, trace);
  return {
    paint: (viewport) => {
      view.update({ viewport, playheadNs: (viewport.t0Ns + viewport.t1Ns) / 2 });
      view.flush();
    },
    destroy: () => view.destroy(),
  };
}

/** Zooms in, pans, zooms out again; a frame each. */
async function measure(durationNs: number, frameCount: number, paint: Paint): Promise<Frames> {
  const scriptMs: number[] = [];
  const intervalMs: number[] = [];
  let lastMs = await nextFrame();
  for (let frame = 0; frame < frameCount; frame++) {
    const viewport = viewportAt(frame / (frameCount - 1), durationNs);
    const startMs = performance.now();
    paint(viewport);
    scriptMs.push(performance.now() - startMs);
    const nowMs = await nextFrame();
    intervalMs.push(nowMs - lastMs);
    lastMs = nowMs;
  }
  return { scriptMs, intervalMs };
}

/** A third of the way in, a third across, a third out. Whole ns; the depth grows by equal factors. */
function viewportAt(progress: number, durationNs: number): Viewport {
  const depth = progress < 1 / 3 ? progress * 3 : progress < 2 / 3 ? 1 : 3 - progress * 3;
  const across = progress < 1 / 3 ? 0 : progress < 2 / 3 ? progress * 3 - 1 : 1;
  const widthNs = durationNs * DEEPEST_ZOOM ** depth;
  const t0Ns = Math.round((durationNs - widthNs) * (0.3 + 0.4 * across) * depth);
  return { t0Ns, t1Ns: Math.round(t0Ns + widthNs) };
}

function nextFrame(): Promise<number> {
  return new Promise((done) => requestAnimationFrame(() => done(performance.now())));
}

Object.assign(window, { bench: { run } });
