// Answers of the browser's media queries, live.

import { useSyncExternalStore } from 'react';

/** One list a query: asking the browser anew at every render would cost more than the render. */
const lists = new Map<string, MediaQueryList>();

export function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (changed) => {
      const list = listOf(query);
      list.addEventListener('change', changed);
      return () => list.removeEventListener('change', changed);
    },
    () => listOf(query).matches,
  );
}

export const PHONE_QUERY = '(max-width: 599px)';
/** The inspector has a column of its own. */
export const WIDE_QUERY = '(min-width: 1024px)';
/** The top bar has room for the machine's protections. */
export const ROOMY_QUERY = '(min-width: 1400px)';
export const REDUCED_MOTION_QUERY = '(prefers-reduced-motion: reduce)';

function listOf(query: string): MediaQueryList {
  const known = lists.get(query);
  if (known !== undefined) return known;
  const list = window.matchMedia(query);
  lists.set(query, list);
  return list;
}
