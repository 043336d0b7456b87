// The keys of the timeline, as the page contract lists them: by physical place for zoom, pan and steps, by character for the rest.

/** What a key asks for. */
export type TimelineKey =
  | 'zoomIn'
  | 'zoomOut'
  | 'panLeft'
  | 'panRight'
  | 'stepBack'
  | 'step'
  | 'previousSegment'
  | 'nextSegment'
  | 'laneUp'
  | 'laneDown'
  | 'fit'
  | 'zoomToSelection'
  | 'markerA'
  | 'markerB'
  | 'followBack'
  | 'followOn'
  | 'playPause'
  | 'why'
  | 'help'
  | 'escape';

/** The part of a KeyboardEvent that counts. */
export interface KeyPress {
  readonly key: string;
  readonly code: string;
  readonly shiftKey: boolean;
  readonly ctrlKey: boolean;
  readonly altKey: boolean;
  readonly metaKey: boolean;
}

const BY_PLACE: Readonly<Record<string, TimelineKey>> = {
  KeyW: 'zoomIn',
  KeyS: 'zoomOut',
  KeyA: 'panLeft',
  KeyD: 'panRight',
  Comma: 'stepBack',
  Period: 'step',
};
const BY_CHARACTER: Readonly<Record<string, TimelineKey>> = {
  ArrowLeft: 'previousSegment',
  ArrowRight: 'nextSegment',
  ArrowUp: 'laneUp',
  ArrowDown: 'laneDown',
  '+': 'zoomIn',
  '=': 'zoomIn',
  '-': 'zoomOut',
  '−': 'zoomOut',
  '0': 'fit',
  f: 'zoomToSelection',
  z: 'zoomToSelection',
  '[': 'followBack',
  ']': 'followOn',
  ' ': 'playPause',
  y: 'why',
  '?': 'help',
  Escape: 'escape',
};

/** undefined: the key is the browser's or nobody's. */
export function timelineKey(press: KeyPress): TimelineKey | undefined {
  // Ctrl+R, Ctrl+D and their like stay the browser's.
  if (press.ctrlKey || press.metaKey) return undefined;
  if (press.altKey)
    return press.key === 'ArrowLeft' ? 'followBack' : press.key === 'ArrowRight' ? 'followOn' : undefined;
  if (press.shiftKey && press.key === 'A') return 'markerA';
  if (press.shiftKey && press.key === 'B') return 'markerB';
  // Characters that a key bears on this layout win over its place: '?' may lie where '.' lies elsewhere.
  const byCharacter = BY_CHARACTER[press.key.length === 1 ? press.key.toLowerCase() : press.key];
  if (byCharacter !== undefined && !isPlaceLetter(press)) return byCharacter;
  return press.shiftKey ? undefined : BY_PLACE[press.code];
}

/** On an AZERTY keyboard the key at W's place types "z": the place wins there. */
function isPlaceLetter({ key, code }: KeyPress): boolean {
  return /^[a-z]$/i.test(key) && BY_PLACE[code] !== undefined;
}
