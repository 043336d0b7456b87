// The selected segment in a link: number of its lane and its start, '5@9.02ms'. Lanes keep their number as long as the scenario does.

import { formatTime, parseTime } from '../scenario/time_text.ts';
import type { SegmentRef } from './selection_slice.ts';

export function selectionText({ laneId, startNs }: SegmentRef): string {
  return `${laneId}@${formatTime(startNs)}`;
}

/** undefined for a text that names no segment: what a link selects is a courtesy, not worth an alert. */
export function readSelection(text: string | undefined): SegmentRef | undefined {
  const match = /^(\d{1,5})@(.+)$/.exec(text ?? '');
  const time = parseTime(match?.[2] ?? '');
  return match !== null && time.ok ? { laneId: Number(match[1]), startNs: time.value } : undefined;
}
