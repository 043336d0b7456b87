// The address bar always holds the link. A change of what is to be run makes a new entry of the history, so that Back
// undoes it; a change of the view replaces the entry after a rest. A link is untrusted: what can't be read becomes an
// alert, and the default scenario runs.

import type { JsonObject } from '../scenario/document.ts';
import type { AppState, AppStore } from './app_state.ts';
import type { AddressPort, LibraryPort, LinkPort, LinkRest, LinkState, TimePort } from './ports.ts';
import { readSelection, selectionText } from './selection_param.ts';

const VIEW_REST_MS = 250;

export interface UrlSync {
  /** Opens what the address says now. Call once, after every other part listens. */
  open(): Promise<void>;
  /** Link to what is shown now, without the page's own address. */
  link(): Promise<string>;
  close(): void;
}

export interface UrlSyncParts {
  readonly store: AppStore;
  readonly links: LinkPort;
  readonly library: LibraryPort;
  readonly address: AddressPort;
  readonly time: TimePort;
}

export function createUrlSync({ store, links, library, address, time }: UrlSyncParts): UrlSync {
  /** Keys of the link that this page passes on unread. */
  let rest: LinkRest = {};
  /** Engine of the link that was opened last, until its run said whether it is this one's. */
  let linkEngine: string | undefined;
  let reading = false;
  let writes = 0;
  let reads = 0;
  /** Settles once the entries of all edits so far are in the history. */
  let pushed: Promise<void> = Promise.resolve();
  let cancelRest: (() => void) | undefined;

  const stopAddress = address.onChange(() => void open());
  const stopStore = store.subscribe((now, before) => {
    if (now.summary !== before.summary) compareEngine(now);
    if (reading) return;
    if (now.edit !== before.edit) void write('push');
    else if (viewChanged(now, before)) writeAfterRest();
  });

  async function open(): Promise<void> {
    const hash = address.hash();
    const turn = ++reads;
    cancelRest?.();
    // A view that is about to be written belongs to the entry that was left.
    writes += 1;
    if (hash === '' || hash === '#' || hash === '#/') return openDefault();
    const answer = await links.read(hash);
    // The reader has gone elsewhere in the meantime.
    if (turn !== reads) return;
    if (!answer.ok) return refuse(answer.problem.message, answer.problem.hint);
    const document = documentOf(answer.state);
    if (document === undefined)
      return refuse(
        `There is no scenario named “${nameOf(answer.state)}”.`,
        'Choose one under “Scenario”, or open the default scene below.',
      );
    adopt(answer.state, document);
  }

  function documentOf({ source }: LinkState): JsonObject | undefined {
    return source.kind === 'own' ? source.document : library.entries.find((one) => one.name === source.name)?.document;
  }

  function compareEngine({ summary, notify }: AppState): void {
    const here = summary?.hash.split(':')[0];
    if (summary === undefined || linkEngine === undefined || here === linkEngine) return;
    notify(
      'note',
      `This link was made with engine ${linkEngine}; this page runs engine ${here}.`,
      'Results may differ.',
    );
    linkEngine = undefined;
  }

  function adopt(link: LinkState, document: JsonObject): void {
    rest = link.rest;
    linkEngine = link.engine;
    reading = true;
    const s = store.getState();
    s.dismissAlerts();
    s.openLink(link, document);
    store.setState(viewOf(link));
    reading = false;
    if (link.play === true) playWhenFramed(link);
    // The entry gets the page's own spelling once range and playhead are known.
    writeAfterRest();
  }

  /** Without an instant of its own the link means the one at which the story begins, known when the run is done. */
  function playWhenFramed(link: LinkState): void {
    const { edit, setPlay } = store.getState();
    if (link.atNs !== undefined) {
      setPlay('playing');
      return;
    }
    const stop = store.subscribe((now) => {
      if (now.edit === edit && now.unframed.playhead) return;
      stop();
      if (now.edit === edit) setPlay('playing');
    });
  }

  function openDefault(): void {
    const entry = library.entries.find((one) => one.name === library.defaultName);
    if (entry === undefined) return;
    rest = {};
    reading = true;
    store.getState().openLibrary(entry);
    reading = false;
    writeAfterRest();
  }

  function refuse(message: string, hint: string): void {
    // Whoever went back to a bad link keeps what is on the page.
    if (store.getState().shownRunId === undefined) openDefault();
    else writeAfterRest();
    store.getState().notify('alert', `This link can’t be opened. ${message}`, hint);
  }

  function writeAfterRest(): void {
    cancelRest?.();
    cancelRest = time.after(VIEW_REST_MS, () => void write('replace'));
  }

  async function write(how: 'push' | 'replace'): Promise<void> {
    cancelRest?.();
    const turn = ++writes;
    const writing = links.write(linkOf(store.getState(), rest));
    if (how === 'push') {
      pushed = Promise.all([writing, pushed]).then(([hash]) => {
        if (hash !== address.hash()) address.push(hash);
      });
      return pushed;
    }
    const [hash] = await Promise.all([writing, pushed]);
    // A later edit writes its own; of two writes on their way only the last counts, but no push may get lost.
    if (turn === writes && hash !== address.hash()) address.replace(hash);
  }

  return {
    open,
    link: () => links.write(linkOf(store.getState(), rest)),
    close() {
      stopAddress();
      stopStore();
      cancelRest?.();
    },
  };
}

/** The state as a link says it. */
export function linkOf(s: AppState, rest: LinkRest): LinkState {
  // The view may reach over the ends of the run; times of a link have no sign.
  const t0Ns = Math.max(0, Math.round(s.viewport.t0Ns));
  const range: readonly [number, number] = [t0Ns, Math.max(t0Ns + 1, Math.round(s.viewport.t1Ns))];
  const selected = s.selection;
  const engine = s.summary?.hash.split(':')[0];
  return {
    source: s.source.kind === 'library' ? s.source : { kind: 'own', document: s.document },
    settings: s.settings,
    interventions: s.interventions,
    ...(s.unframed.playhead ? {} : { atNs: s.playheadNs }),
    ...(s.unframed.range ? {} : { rangeNs: range }),
    ...(s.markerANs === undefined ? {} : { aNs: s.markerANs }),
    ...(s.markerBNs === undefined ? {} : { bNs: s.markerBNs }),
    ...(selected === undefined ? {} : { sel: selectionText(selected) }),
    ...(engine === undefined ? {} : { engine }),
    rest,
  };
}

function viewOf(link: LinkState): Partial<AppState> {
  return {
    ...(link.rangeNs === undefined ? {} : { viewport: { t0Ns: link.rangeNs[0], t1Ns: link.rangeNs[1] } }),
    ...(link.atNs === undefined ? {} : { playheadNs: link.atNs }),
    unframed: { range: link.rangeNs === undefined, playhead: link.atNs === undefined },
    // Who sends an instant wants it seen, with what follows.
    veiled: link.atNs === undefined && link.reveal !== true,
    markerANs: link.aNs,
    markerBNs: link.bNs,
    selection: readSelection(link.sel),
  };
}

function viewChanged(now: AppState, before: AppState): boolean {
  return (
    now.viewport !== before.viewport ||
    now.playheadNs !== before.playheadNs ||
    now.markerANs !== before.markerANs ||
    now.markerBNs !== before.markerBNs ||
    now.selection !== before.selection ||
    now.unframed !== before.unframed ||
    now.summary !== before.summary
  );
}

function nameOf({ source }: LinkState): string {
  return source.kind === 'library' ? source.name : '';
}
