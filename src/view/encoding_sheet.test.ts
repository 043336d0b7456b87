import { expect, test } from 'vitest';
import { SegFlag, SegKind } from '../trace/segments.ts';
import { encodingSheet } from './encoding_sheet.ts';
import { paintedLanes } from './lanes_fixture.ts';

const sheet = encodingSheet();

test('the sheet holds every state and every edge', () => {
  const kinds = new Set<number>();
  let flags = 0;
  for (const columns of sheet.trace.columns) {
    for (let row = 0; row < columns.count; row++) {
      kinds.add(columns.kind[row]!);
      flags |= columns.flags[row]!;
    }
  }
  expect(kinds).toEqual(new Set(Object.values(SegKind)));
  const all = SegFlag.boosted | SegFlag.holdsLock | SegFlag.preempted | SegFlag.rt | SegFlag.dl;
  expect(flags & all).toBe(all);
});

test('each row has its caption', () => {
  expect(sheet.captions).toHaveLength(sheet.state.rows.length);
});

test('no two states are drawn with the same inks and glyphs', () => {
  const { on } = paintedLanes(sheet.trace, { viewport: sheet.state.viewport, rows: sheet.state.rows });
  const forms = sheet.state.rows.flatMap((row) => {
    if (row.row !== 'lane') return [];
    const used = on(row.laneId).map((c) => `${c.call} ${c.ink} ${c.glyph ?? ''}`);
    return [[...new Set(used)].sort().join(', ')];
  });
  expect(new Set(forms).size).toBe(forms.length);
});
