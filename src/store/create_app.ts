// Puts the store and its controllers together: the one place that knows them all. The page makes one App; tests hand in fakes.

import { createStore } from 'zustand/vanilla';
import { createSimClient } from '../engine/client.ts';
import { LIBRARY } from '../scenario/library/library.ts';
import type { AppState, AppStore } from './app_state.ts';
import { createAsideSlice } from './aside_slice.ts';
import { browserAddress, browserTime } from './browser_ports.ts';
import { type Commands, createCommands } from './commands.ts';
import { createFixesController } from './fixes_controller.ts';
import { createFramer } from './framer.ts';
import { linkPort } from './link_port.ts';
import { createPlayback } from './playback.ts';
import type { AddressPort, EngineFactory, LibraryPort, LinkPort, TimePort } from './ports.ts';
import { loadPreferences, type PreferenceStorage, savePreferences } from './preferences.ts';
import { createReferences } from './references_controller.ts';
import { createRunController } from './run_controller.ts';
import { createRunSlice } from './run_slice.ts';
import { createRunsAside } from './runs_aside.ts';
import { createScenarioSlice } from './scenario_slice.ts';
import { createSelectionSlice } from './selection_slice.ts';
import { createTraceRegistry, type TraceRegistry } from './trace_registry.ts';
import { createUrlSync } from './url_sync.ts';
import { createViewSlice } from './view_slice.ts';

/** What components use. */
export interface App {
  readonly store: AppStore;
  readonly traces: TraceRegistry;
  readonly library: LibraryPort;
  readonly commands: Commands;
  /** Link to what is shown, from '#' on. */
  readonly link: () => Promise<string>;
  /** Fills `references`; may be asked often. */
  readonly askReferences: () => void;
  close(): void;
}

/** What of the world outside an App stands on; the page's own by default. */
export interface AppPorts {
  readonly createEngine: EngineFactory;
  readonly library: LibraryPort;
  readonly links: LinkPort;
  readonly address: AddressPort;
  readonly time: TimePort;
  readonly storage: PreferenceStorage;
  readonly reducedMotion: () => boolean;
}

/** Makes the page's App and opens what the address says. */
export function createApp(ports: AppPorts = browserPorts()): App {
  const { createEngine, library, links, address, time, storage, reducedMotion } = ports;
  const first = library.entries.find((one) => one.name === library.defaultName);
  if (first === undefined) throw new Error('bug: it must hold that the library has its default scenario');

  const traces = createTraceRegistry();
  const store: AppStore = createStore<AppState>()((set, get) => ({
    ...createScenarioSlice(set, get, first),
    ...createRunSlice(set),
    ...createViewSlice(set, get, loadPreferences(storage)),
    ...createSelectionSlice(set),
    ...createAsideSlice(),
  }));

  // The framer listens before the address bar does, so that the first link holds the range that is shown.
  const stopFramer = createFramer(store);
  const runs = createRunController({ store, traces, createEngine, time, fallback: first });
  const playback = createPlayback(store, time, reducedMotion);
  const aside = createRunsAside(createEngine);
  const stopFixes = createFixesController(store, aside, time);
  const url = createUrlSync({ store, links, library, address, time });
  const stopSaving = store.subscribe((now, before) => {
    if (now.theme !== before.theme || now.laneSize !== before.laneSize || now.habits !== before.habits)
      savePreferences(storage, now);
  });
  void url.open();

  return {
    store,
    traces,
    library,
    commands: createCommands(store, traces, library),
    link: url.link,
    askReferences: createReferences(store, aside, library),
    close() {
      stopSaving();
      url.close();
      stopFixes();
      aside.close();
      playback.close();
      runs.close();
      stopFramer();
    },
  };
}

function browserPorts(): AppPorts {
  return {
    createEngine: (onNotice) => createSimClient({ onNotice }),
    library: { entries: LIBRARY, defaultName: LIBRARY[0]?.name ?? '' },
    links: linkPort,
    address: browserAddress,
    time: browserTime,
    storage: browserStorage(),
    reducedMotion: () => window.matchMedia('(prefers-reduced-motion: reduce)').matches,
  };
}

/** Reading the property alone may throw where storage is forbidden. */
function browserStorage(): PreferenceStorage {
  try {
    return window.localStorage;
  } catch {
    return undefined;
  }
}
