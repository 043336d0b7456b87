// What is to be run: the document, the settings over it, and the interventions. Every change raises `edit`,
// by which run_controller.ts starts a run and url_sync.ts writes the address. Nothing here runs anything.

import type { Ns } from '../base/units.ts';
import type { JsonObject } from '../scenario/document.ts';
import type { AppState, GetState, SetState } from './app_state.ts';
import type { InterventionSpec, LibraryEntry, LinkState, SettingValues } from './ports.ts';

/** Where a flipped switch acts: on the whole run, or from the playhead on. */
export type ApplyMode = 'start' | 'here';

export type ScenarioSource = { readonly kind: 'library'; readonly name: string } | { readonly kind: 'own' };

/** Settings that describe the machine as it was built: no run can change them on its way. */
export const START_ONLY_SETTINGS: readonly string[] = ['kernel', 'cpus', 'hz', 'seed'];

export interface ScenarioSlice {
  readonly source: ScenarioSource;
  readonly document: JsonObject;
  /** Only what differs from the document, by setting id, in the order in which it was set. */
  readonly settings: SettingValues;
  /** Ascending by time, one for each instant. */
  readonly interventions: readonly InterventionSpec[];
  readonly applyMode: ApplyMode;
  /** Goes up with each change of what is to be run. */
  readonly edit: number;
  /** Opens a scenario of the library with its defaults. */
  openLibrary(entry: LibraryEntry): void;
  /** Opens a document of one's own; whether it is any good, the run tells. */
  openDocument(document: JsonObject): void;
  /** Takes over what a link says about the run. */
  openLink(link: LinkState, document: JsonObject): void;
  setApplyMode(mode: ApplyMode): void;
  /** Sets for the whole run or from the playhead on, as the apply mode says. */
  setSetting(id: string, value: string): void;
  /** Adds or extends the intervention at `atNs`, whatever the apply mode. */
  intervene(atNs: Ns, set: SettingValues): void;
  removeIntervention(atNs: Ns): void;
}

export function createScenarioSlice(set: SetState, get: GetState, first: LibraryEntry): ScenarioSlice {
  return {
    source: { kind: 'library', name: first.name },
    document: first.document,
    settings: {},
    interventions: [],
    applyMode: 'start',
    edit: 0,

    openLibrary(entry) {
      set((s) => ({ ...fresh(s.edit), source: { kind: 'library', name: entry.name }, document: entry.document }));
    },

    openDocument(document) {
      set((s) => ({ ...fresh(s.edit), source: { kind: 'own' }, document }));
    },

    openLink(link, document) {
      set((s) => ({
        source: link.source.kind === 'library' ? { kind: 'library', name: link.source.name } : { kind: 'own' },
        document,
        settings: link.settings,
        interventions: byTime(link.interventions),
        ...opened(s.edit),
      }));
    },

    setApplyMode(applyMode) {
      set({ applyMode });
    },

    setSetting(id, value) {
      const { applyMode, playheadNs, scenario, notify } = get();
      const here = applyMode === 'here' && playheadNs > 0;
      const toggle = scenario?.toggles.find((one) => one.id === id);
      if (here && !START_ONLY_SETTINGS.includes(id) && toggle?.startOnly !== true) {
        get().intervene(playheadNs, { [id]: value });
        return;
      }
      if (here)
        notify(
          'note',
          `“${toggle?.label ?? id}” can’t change on the way.`,
          'It was changed from the start of the run.',
        );
      set((s) => ({
        settings: { ...s.settings, [id]: value },
        interventions: withoutSetting(s.interventions, id),
        ...edited(s.edit),
      }));
    },

    intervene(atNs, changes) {
      set((s) => ({ interventions: withChange(s.interventions, atNs, changes), ...edited(s.edit) }));
    },

    removeIntervention(atNs) {
      set((s) => ({ interventions: s.interventions.filter((one) => one.atNs !== atNs), ...edited(s.edit) }));
    },
  };
}

/** Settings in force at `atNs`: those of the start, then every intervention up to and at that instant. */
export function settingsAt(state: Pick<ScenarioSlice, 'settings' | 'interventions'>, atNs: Ns): SettingValues {
  return Object.assign(
    {},
    state.settings,
    ...state.interventions.filter((one) => one.atNs <= atNs).map((one) => one.set),
  );
}

/** Another scenario: nothing of the old one's range, selection or markers means anything for it. */
function opened(edit: number): Partial<AppState> {
  return {
    edit: edit + 1,
    play: 'paused',
    veiled: true,
    unframed: { range: true, playhead: true },
    fresh: true,
    selection: undefined,
    hover: undefined,
    activeLaneId: undefined,
    markerANs: undefined,
    markerBNs: undefined,
  };
}

/** Another scenario with nothing set over it. */
export function fresh(edit: number): Partial<AppState> {
  return { settings: {}, interventions: [], ...opened(edit) };
}

/** A flip: the reader wants to see what it did, so nothing stays veiled. */
function edited(edit: number): Partial<AppState> {
  return { edit: edit + 1, veiled: false };
}

/** A setting for the whole run ends what was said about it on the way; interventions left empty go. */
function withoutSetting(interventions: readonly InterventionSpec[], id: string): readonly InterventionSpec[] {
  const kept = interventions.map(({ atNs, set }) => {
    const { [id]: _dropped, ...rest } = set;
    return { atNs, set: rest };
  });
  return kept.filter((one) => Object.keys(one.set).length > 0);
}

function withChange(
  interventions: readonly InterventionSpec[],
  atNs: Ns,
  changes: SettingValues,
): readonly InterventionSpec[] {
  const same = interventions.find((one) => one.atNs === atNs);
  const others = interventions.filter((one) => one !== same);
  return byTime([...others, { atNs, set: { ...same?.set, ...changes } }]);
}

function byTime(interventions: readonly InterventionSpec[]): readonly InterventionSpec[] {
  return [...interventions].sort((a, b) => a.atNs - b.atNs);
}
