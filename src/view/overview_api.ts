// What ui/ may use of the overview strip: the whole run, one row a CPU, with a frame round what is in sight.

import type { Ns } from '../base/units.ts';
import type { TraceStore } from '../trace/trace_store.ts';
import type { Band, ThemeName, Viewport } from './api.ts';

export interface OverviewState {
  readonly trace: TraceStore | undefined;
  readonly viewport: Viewport;
  readonly bands: readonly Band[];
  readonly playheadNs: Ns;
  readonly theme: ThemeName;
}

export interface Overview {
  /** Marks what changed and paints it in the next frame; equal parts cost nothing. */
  update(change: Partial<OverviewState>): void;
  /** New rows arrived in the trace that is shown. */
  dataChanged(): void;
  resize(widthPx: number, heightPx: number, devicePixelRatio: number): void;
  /** The frame was dragged, resized at an edge, or sent to a place by a press. */
  onViewport(listener: (viewport: Viewport) => void): void;
  flush(): void;
  destroy(): void;
}
