// What buttons and keys do, where it takes more than one action of a slice.

import type { Ns } from '../base/units.ts';
import type { JsonObject } from '../scenario/document.ts';
import { isObject } from '../scenario/json_value.ts';
import { parseJsonText } from '../scenario/parse_document.ts';
import { nextEventNs, previousEventNs } from '../trace/query.ts';
import { reveal } from '../view/viewport.ts';
import type { AppStore } from './app_state.ts';
import type { Fix } from './aside_slice.ts';
import type { LibraryPort } from './ports.ts';

import { savedDocument } from './saved_document.ts';
import type { TraceRegistry } from './trace_registry.ts';

/** A file larger than this is no scenario (the format's bound). */
const MAX_FILE_BYTES = 256 * 1024;

export interface Commands {
  playPause(): void;
  /** Stops playing and goes to the next, or previous, change on any CPU lane that is shown. */
  step(direction: 1 | -1): void;
  restart(): void;
  /** Playhead to `atNs`, scrolled into view. */
  goTo(atNs: Ns): void;
  openScenario(name: string): void;
  openFile(name: string, sizeBytes: number, readText: () => Promise<string>): Promise<void>;
  applyFix(fix: Fix): void;
  /** The scenario as a file: the document with what was set over it. */
  fileText(): string;
}

export function createCommands(store: AppStore, traces: TraceRegistry, library: LibraryPort): Commands {
  function goTo(atNs: Ns): void {
    const s = store.getState();
    s.setPlayhead(atNs);
    const viewport = reveal(s.viewport, atNs);
    if (viewport !== s.viewport) s.setViewport(viewport);
  }

  return {
    goTo,

    playPause() {
      const s = store.getState();
      if (s.play === 'playing') return s.setPlay('paused');
      if (s.play === 'end') goTo(0);
      s.setPlay('playing');
    },

    step(direction) {
      const s = store.getState();
      const trace = traces.get(s.shownRunId);
      if (s.play === 'playing') s.setPlay('paused');
      if (trace === undefined) return;
      const cpuLanes = trace.lanes.filter((lane) => lane.kind === 'cpu').map((lane) => lane.id);
      const edgeNs = direction > 0 ? trace.watermarkNs : 0;
      const find = direction > 0 ? nextEventNs : previousEventNs;
      goTo(find(trace, cpuLanes, s.playheadNs) ?? edgeNs);
    },

    restart() {
      store.getState().setPlay('paused');
      goTo(0);
    },

    openScenario(name) {
      const entry = library.entries.find((one) => one.name === name);
      if (entry !== undefined) store.getState().openLibrary(entry);
    },

    async openFile(name, sizeBytes, readText) {
      const { notify, openDocument, dismissAlerts } = store.getState();
      dismissAlerts();
      if (sizeBytes > MAX_FILE_BYTES)
        return notify(
          'alert',
          `“${name}” has ${sizeBytes} bytes. A scenario has at most ${MAX_FILE_BYTES}.`,
          'Choose a scenario file (JSON).',
        );
      const text = await readText().catch(() => undefined);
      if (text === undefined) return notify('alert', `“${name}” can’t be read.`, 'Choose a scenario file (JSON).');
      const json = parseJsonText(text);
      if (!json.ok) {
        const [first] = json.error;
        const more = json.error.length > 1 ? ` (And ${json.error.length - 1} more.)` : '';
        return notify('alert', `“${name}” can’t be opened. ${first?.message ?? ''}${more}`, first?.hint);
      }
      if (!isObject(json.value))
        return notify(
          'alert',
          `“${name}” is not a scenario: it holds no JSON object.`,
          'Choose a scenario file (JSON), such as “Save…” writes.',
        );
      openDocument(json.value as JsonObject);
    },

    applyFix(fix) {
      const s = store.getState();
      if (s.play === 'playing') s.setPlay('paused');
      if (fix.applies === 'here' && s.playheadNs > 0) s.intervene(s.playheadNs, { [fix.setting]: fix.value });
      else s.setSetting(fix.setting, fix.value);
    },

    fileText() {
      const { document, settings, interventions } = store.getState();
      return `${JSON.stringify(savedDocument(document, settings, interventions), null, 2)}\n`;
    },
  };
}
