// Where things stand inside a lane of a given height: 3 px air, 4 px top edge, fill, 1 px gap, 3 px bottom edge,
// 3 px air. In whole device px from the lane's top.

export interface LaneMetrics {
  /** Enlargement of edges and patterns: 1 on a desk, 2.3 on a projector. */
  readonly scale: number;
  readonly heightPx: number;
  readonly combY: number;
  readonly combEndY: number;
  readonly ribbonY: number;
  readonly ribbonEndY: number;
  readonly fillY: number;
  readonly fillEndY: number;
  readonly lockLineY: number;
  readonly lockLineEndY: number;
  /** Middle of the fill, and the thickness of a sleep line around it. */
  readonly midY: number;
  readonly sleepPx: number;
  /** 1 px edge of hatched segments. */
  readonly edgePx: number;
  /** Extent of a hollow segment beyond a fill. */
  readonly hollowPx: number;
  readonly radiusPx: number;
  /** Between two segments that touch. */
  readonly gapPx: number;
  /** Segments narrower than this are merged into bins of `binPx`. */
  readonly minPx: number;
  readonly binPx: number;
  /** Segments narrower than this have no edges: they would be nothing but edge. */
  readonly edgedFromPx: number;
  readonly fontPx: number;
}

const PROJECTOR_FROM_PX = 80;

/** Enlargement of the drawing for a lane of this height in CSS px. */
export function scaleOfLane(heightPx: number): number {
  return heightPx >= PROJECTOR_FROM_PX ? 2.3 : 1;
}

const COMPACT_BELOW_PX = 27;
const LOW_BELOW_PX = 20;

const kept = new Map<number, LaneMetrics>();

export function metricsFor(heightPx: number, dpr: number): LaneMetrics {
  const key = heightPx * 64 + dpr;
  let metrics = kept.get(key);
  if (metrics === undefined) {
    metrics = makeMetrics(heightPx, dpr);
    kept.set(key, metrics);
  }
  return metrics;
}

function makeMetrics(heightPx: number, dpr: number): LaneMetrics {
  const scale = scaleOfLane(heightPx);
  const px = (css: number): number => Math.round(css * scale * dpr);
  const atLeastOne = (css: number): number => Math.max(1, px(css));
  const height = Math.round(heightPx * dpr);
  // Low lanes give up air and gaps first: the fill must carry a label, on 64-CPU screens it must be seen at all.
  const low = heightPx < LOW_BELOW_PX;
  const airPx = px(low ? 1 : heightPx < COMPACT_BELOW_PX ? 2 : 3);
  const fillY = airPx + px(low ? 2 : 4);
  const lockLineY = height - airPx - px(low ? 2 : 3);
  const fillEndY = lockLineY - (low ? 0 : px(1));
  return {
    scale,
    heightPx: height,
    combY: airPx,
    combEndY: airPx + atLeastOne(low ? 2 : 3),
    ribbonY: airPx,
    ribbonEndY: airPx + Math.floor((low ? 2 : 3.5) * scale * dpr),
    fillY,
    fillEndY,
    lockLineY,
    lockLineEndY: lockLineY + atLeastOne(low ? 2 : 2.6),
    midY: Math.round((fillY + fillEndY) / 2),
    sleepPx: atLeastOne(2),
    edgePx: atLeastOne(1),
    hollowPx: px(1),
    radiusPx: 1.5 * scale * dpr,
    gapPx: Math.max(1, Math.round(dpr * (scale > 1 ? 2 : 1))),
    minPx: 3 * dpr,
    binPx: 3 * dpr,
    edgedFromPx: 6 * dpr,
    fontPx: labelSize(heightPx),
  };
}

/** Labels in CSS px: 11.5 on a desk, 25 on a projector. */
function labelSize(heightPx: number): number {
  if (heightPx >= PROJECTOR_FROM_PX) return 25;
  if (heightPx < 26) return 11;
  return heightPx >= 40 ? 12.5 : 11.5;
}
