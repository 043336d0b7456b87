// What a link says, typed: the scenario, its settings and interventions, and where the page looks.

import type { Ns } from '../base/units.ts';
import type { JsonObject } from './document.ts';

export type LinkScenario =
  | { readonly from: 'library'; readonly name: string }
  /** A document of one's own. Read as far as its version; what else is wrong with it `resolve` says. */
  | { readonly from: 'inline'; readonly document: JsonObject };

export interface LinkIntervention {
  /** Time text, e.g. '100ms'. */
  readonly at: string;
  readonly set: Readonly<Record<string, string>>;
}

export interface LinkState {
  readonly scenario: LinkScenario;
  /** Toggles, params and machine settings by id, in order. */
  readonly settings: Readonly<Record<string, string>>;
  readonly interventions: readonly LinkIntervention[];
  /** at= */
  readonly playheadNs?: Ns;
  /** t=, half-open, not empty. */
  readonly rangeNs?: readonly [Ns, Ns];
  /** a=, b= */
  readonly markerANs?: Ns;
  readonly markerBNs?: Ns;
  /** sel=: the segment, as the page names it. */
  readonly selection?: string;
  /** vs=: the query of the other side of a comparison, e.g. 'backoff=usleep150&rt=off'. */
  readonly versus?: string;
  readonly notes?: string;
  readonly prediction?: string;
  readonly step?: string;
  readonly play: boolean;
  readonly present: boolean;
  readonly embed: boolean;
  readonly reveal: boolean;
  /** e=: version of the engine that the link was made with. */
  readonly engine?: string;
}

/** A link that says nothing but which scenario. */
export function plainLink(scenario: LinkScenario): LinkState {
  return { scenario, settings: {}, interventions: [], play: false, present: false, embed: false, reveal: false };
}
