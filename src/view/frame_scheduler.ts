// The only requestAnimationFrame of the drawing: changes set bits, one frame paints what is dirty.

/** What a frame may have to paint again. */
export const Dirty = { lanes: 1, overlay: 2, axis: 4, playhead: 8, growth: 16 } as const;

export interface FrameScheduler {
  /** Marks parts (bits of Dirty) and asks for a frame. */
  invalidate(bits: number): void;
  /** Paints what is dirty now. */
  flush(): void;
  stop(): void;
}

/** Frames of the browser, or of a test. */
export interface Frames {
  request(callback: () => void): number;
  cancel(id: number): void;
}

const browserFrames: Frames = {
  request: (callback) => requestAnimationFrame(callback),
  cancel: (id) => cancelAnimationFrame(id),
};

/** `paint` gets the bits that are dirty, once a frame at most. */
export function createFrameScheduler(paint: (bits: number) => void, frames: Frames = browserFrames): FrameScheduler {
  let dirty = 0;
  let pending: number | undefined;
  const flush = (): void => {
    if (pending !== undefined) frames.cancel(pending);
    pending = undefined;
    const bits = dirty;
    // Cleared first: what painting invalidates belongs to the next frame.
    dirty = 0;
    if (bits !== 0) paint(bits);
  };
  return {
    invalidate(bits) {
      dirty |= bits;
      if (dirty !== 0) pending ??= frames.request(flush);
    },
    flush,
    stop() {
      if (pending !== undefined) frames.cancel(pending);
      pending = undefined;
      dirty = 0;
    },
  };
}
