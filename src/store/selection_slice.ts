// What the reader points at: the chosen segment, the segment under the pointer, the active lane, the two markers.

import type { Ns } from '../base/units.ts';
import type { SetState } from './app_state.ts';

/** A segment by its lane and its start: the same when the same scenario runs again. */
export interface SegmentRef {
  readonly laneId: number;
  readonly startNs: Ns;
}

export interface HoverRef extends SegmentRef {
  /** Segments that share these pixels; 1 where each is drawn. */
  readonly count: number;
  readonly timeNs: Ns;
  /** Pointer, in CSS px of the window. */
  readonly xPx: number;
  readonly yPx: number;
}

export type MarkerName = 'a' | 'b';

export interface SelectionSlice {
  readonly selection: SegmentRef | undefined;
  readonly hover: HoverRef | undefined;
  /** Lane that the arrow keys act on. */
  readonly activeLaneId: number | undefined;
  readonly markerANs: Ns | undefined;
  readonly markerBNs: Ns | undefined;
  select(segment: SegmentRef | undefined): void;
  setHover(hover: HoverRef | undefined): void;
  setActiveLane(laneId: number): void;
  /** Puts a marker, or takes it away where it already stands. */
  toggleMarker(name: MarkerName, atNs: Ns): void;
  setMarkers(aNs: Ns | undefined, bNs: Ns | undefined): void;
}

export function createSelectionSlice(set: SetState): SelectionSlice {
  return {
    selection: undefined,
    hover: undefined,
    activeLaneId: undefined,
    markerANs: undefined,
    markerBNs: undefined,

    select(selection) {
      set(selection === undefined ? { selection } : { selection, activeLaneId: selection.laneId });
    },

    setHover(hover) {
      set({ hover });
    },

    setActiveLane(activeLaneId) {
      set({ activeLaneId });
    },

    toggleMarker(name, atNs) {
      if (name === 'a') set((s) => ({ markerANs: s.markerANs === atNs ? undefined : atNs }));
      else set((s) => ({ markerBNs: s.markerBNs === atNs ? undefined : atNs }));
    },

    setMarkers(markerANs, markerBNs) {
      set({ markerANs, markerBNs });
    },
  };
}
