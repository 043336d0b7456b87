// The browser's address bar, clock and frames behind the ports that the store is written against.

import type { AddressPort, TimePort } from './ports.ts';

export const browserTime: TimePort = {
  nowMs: () => performance.now(),
  after(delayMs, run) {
    const id = setTimeout(run, delayMs);
    return () => clearTimeout(id);
  },
  frame(run) {
    const id = requestAnimationFrame(run);
    return () => cancelAnimationFrame(id);
  },
};

export const browserAddress: AddressPort = {
  hash: () => window.location.hash,
  push: (hash) => window.history.pushState(null, '', hash),
  replace: (hash) => window.history.replaceState(null, '', hash),
  onChange(listener) {
    // Back and forth fire popstate, a hash that is typed or clicked fires both: one of them is enough.
    window.addEventListener('popstate', listener);
    return () => window.removeEventListener('popstate', listener);
  },
};
