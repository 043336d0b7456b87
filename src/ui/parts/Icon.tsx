// The page's icons: 16 px grid, drawn as strokes. Always beside words, except play controls, settings and help,
// whose buttons carry a label.

const PATHS = {
  play: 'M4.5 2.5v11l9-5.5z',
  pause: 'M5 3v10M11 3v10',
  step: 'M3.5 3v10l7-5zM13 3v10',
  stepBack: 'M12.5 3v10l-7-5zM3 3v10',
  restart: 'M3 8a5.2 5.2 0 1 0 1.8-3.9M3 2.5v3h3',
  hang: 'M5.2 1.5h5.6l3.7 3.7v5.6l-3.7 3.7H5.2l-3.7-3.7V5.2z',
  stall: 'M8 1.8 15 14H1z',
  clear: 'M8 1.2a6.8 6.8 0 1 0 0 13.6A6.8 6.8 0 0 0 8 1.2z',
  share: 'M8 10V2M5 4.6 8 1.8l3 2.8M3 8v5.5h10V8',
  open: 'M1.8 12.8V3.4h4l1.4 1.8h5.6v1.9M1.8 12.8l2-5.7h11l-2 5.7z',
  save: 'M8 2v8M5 7.4 8 10.2l3-2.8M3 10.5v3h10v-3',
  settings:
    'M8 5.6a2.4 2.4 0 1 0 0 4.8 2.4 2.4 0 0 0 0-4.8zM8 1.2v2M8 12.8v2M1.2 8h2M12.8 8h2M3.2 3.2l1.4 1.4M11.4 11.4l1.4 1.4M3.2 12.8l1.4-1.4M11.4 4.6l1.4-1.4',
  help: 'M5.6 5.6a2.5 2.5 0 1 1 3.5 2.3c-.7.3-1.1.8-1.1 1.6v.4M8 12.9v.2',
  close: 'M3.5 3.5l9 9M12.5 3.5l-9 9',
  arrow: 'M3 8h10M9 4l4 4-4 4',
  up: 'M3.5 10 8 5.5l4.5 4.5',
  down: 'M3.5 6 8 10.5 12.5 6',
  padlock: 'M3.5 7.2h9v6.6h-9zM5.3 7V4.8a2.7 2.7 0 0 1 5.4 0V7',
  copy: 'M5.5 5.5h8v8h-8zM10.5 5.3V2.5h-8v8h2.8',
  check: 'M3 8.5l3.2 3.2L13 4.8',
  tune: 'M2 4.5h7M12 4.5h2M2 11.5h2M7 11.5h7M10.5 2.5v4M5.5 9.5v4',
  flag: 'M3.5 14V2.5h9l-2 3 2 3h-9',
} as const;

export type IconName = keyof typeof PATHS;

/** Filled ones read as shapes, not lines. */
const SOLID: readonly IconName[] = ['play', 'step', 'stepBack', 'hang', 'stall', 'clear', 'padlock'];
/** What stands on a solid glyph, in the colour of the ground. */
const MARKS: Partial<Record<IconName, string>> = {
  hang: 'M5.7 5.7l4.6 4.6M10.3 5.7l-4.6 4.6',
  stall: 'M8 6.2v3.6M8 12v.1',
  clear: 'M5 8.2l2.2 2.2L11 6.2',
};

export function Icon({ name, sizePx = 16 }: { readonly name: IconName; readonly sizePx?: number }) {
  const mark = MARKS[name];
  return (
    <svg
      className="icon"
      viewBox="0 0 16 16"
      aria-hidden="true"
      focusable="false"
      style={{ width: sizePx, height: sizePx }}
    >
      <path d={PATHS[name]} className={SOLID.includes(name) ? 'solid' : undefined} />
      {mark !== undefined && (
        <path d={mark} style={{ stroke: 'var(--icon-ground, var(--surface))', strokeWidth: 1.9 }} />
      )}
    </svg>
  );
}
