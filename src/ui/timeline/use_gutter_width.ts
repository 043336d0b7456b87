// Width of the gutter: what its longest row needs, measured in the page's own font.

import { useMemo } from 'react';
import type { TraceStore } from '../../trace/trace_store.ts';
import { gutterWidth, policyText } from '../../view/layout.ts';
import { displayName } from '../../view/names.ts';
import { UI_FONT } from '../../view/tokens.ts';
import { useAppState } from '../app_context.ts';

const PHONE_GUTTER_PX = 90;
const NAME_FONT = `600 12.5px ${UI_FONT}`;
const NOTE_FONT = `600 11.5px ${UI_FONT}`;
/** The longest word that a CPU's row shows. */
const CPU_NOTE = 'spins 100 %';

let context: CanvasRenderingContext2D | null | undefined;

export function useGutterWidth(trace: TraceStore | undefined, phone: boolean): number {
  const tasks = useAppState((s) => {
    void s.dataVersion;
    return trace?.tasks.length ?? 0;
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the trace changes in place; its number of tasks says when
  return useMemo(() => {
    if (phone) return PHONE_GUTTER_PX;
    const threads = trace?.tasks.map((task) => ({ name: displayName(task.name), policy: policyText(task) })) ?? [];
    const locks = trace?.meta.locks.map((lock) => ({ name: displayName(lock.name), policy: '4 spin' })) ?? [];
    return gutterWidth([{ name: 'CPU 00', policy: CPU_NOTE }, ...threads, ...locks], measure);
  }, [trace, phone, tasks]);
}

function measure(text: string, use: 'name' | 'policy'): number {
  context ??= document.createElement('canvas').getContext('2d');
  if (context === null) return text.length * 7;
  context.font = use === 'name' ? NAME_FONT : NOTE_FONT;
  return context.measureText(text).width;
}
