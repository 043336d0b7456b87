// What the store needs from outside, as interfaces: tests hand in fakes, `create_app.ts` the real ones.

import type { Ns } from '../base/units.ts';
import type { RunId, RunRequest, RunSink, RunSummary } from '../engine/protocol.ts';
import type { JsonObject } from '../scenario/document.ts';
import type { LinkState as ScenarioLink } from '../scenario/link.ts';

/** A worker that runs scenarios, as `engine/client.ts` offers it. */
export interface EnginePort {
  /** Resolves to undefined when the document is bad (the sink was told) or the run was cancelled before it began. Rejects only when the worker crashed or got stuck. */
  start(request: RunRequest, sink: RunSink): Promise<RunSummary | undefined>;
  cancel(runId: RunId): void;
  /** Ends the worker. No other call follows. */
  close(): void;
}

/** Makes one worker's client. `onNotice` hears when a worker was replaced, as a sentence for people. */
export type EngineFactory = (onNotice: (text: string) => void) => EnginePort;

/** A scenario of the library. */
export interface LibraryEntry {
  readonly name: string;
  readonly title: string;
  /** Heading under which lists show it. */
  readonly group: string;
  readonly document: JsonObject;
}

export interface LibraryPort {
  readonly entries: readonly LibraryEntry[];
  readonly defaultName: string;
}

export type SettingValues = Readonly<Record<string, string>>;

/** A change at an instant of the run; `set` holds setting ids and values as the link spells them. */
export interface InterventionSpec {
  readonly atNs: Ns;
  readonly set: SettingValues;
}

export type LinkRest = Partial<Pick<ScenarioLink, 'versus' | 'notes' | 'prediction' | 'step' | 'present' | 'embed'>>;

/** What a link says, apart from its spelling. */
export interface LinkState {
  /** A name of the library, or a document of one's own. */
  readonly source:
    | { readonly kind: 'library'; readonly name: string }
    | { readonly kind: 'own'; readonly document: JsonObject };
  readonly settings: SettingValues;
  readonly interventions: readonly InterventionSpec[];
  /** Playhead. */
  readonly atNs?: Ns;
  readonly rangeNs?: readonly [Ns, Ns];
  readonly aNs?: Ns;
  readonly bNs?: Ns;
  /** The segment; see selection_param.ts. */
  readonly sel?: string;
  readonly play?: boolean;
  readonly reveal?: boolean;
  /** Version of the engine with which the link was made. */
  readonly engine?: string;
  /** Keys that this page passes on but does not act on. */
  readonly rest: LinkRest;
}

/** What is wrong with a link, in words. */
export interface LinkProblem {
  readonly message: string;
  readonly hint: string;
}

export type LinkReading =
  | { readonly ok: true; readonly state: LinkState }
  | { readonly ok: false; readonly problem: LinkProblem };

/** Reads and writes the part of an address after '#'. Never throws on bad input. */
export interface LinkPort {
  read(hash: string): Promise<LinkReading>;
  /** '#/…' */
  write(state: LinkState): Promise<string>;
}

/** The address bar and the history behind it. */
export interface AddressPort {
  hash(): string;
  push(hash: string): void;
  replace(hash: string): void;
  /** Calls back when the reader went back or forth, or typed another hash. Returns how to stop listening. */
  onChange(listener: () => void): () => void;
}

/** Clock and timers; a fake in tests. */
export interface TimePort {
  nowMs(): number;
  after(delayMs: number, run: () => void): () => void;
  /** Calls back once, before the next frame. */
  frame(run: (nowMs: number) => void): () => void;
}
