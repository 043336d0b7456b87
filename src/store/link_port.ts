// scenario/'s links behind the store's port: times as ns, and only the first of several problems, in one sentence.

import { createDeflatePort, type DeflatePort } from '../scenario/deflate_port.ts';
import type { Problem } from '../scenario/document.ts';
import { decodeLink, encodeLink, type LinkState as ScenarioLink } from '../scenario/link.ts';
import { formatTime, parseTime } from '../scenario/time_text.ts';
import type { LinkPort, LinkReading, LinkState } from './ports.ts';

let made: DeflatePort | undefined;
/** Made when it is first needed: a browser without the streams shall get to say so. */
function deflate(): DeflatePort {
  made ??= createDeflatePort(CompressionStream, DecompressionStream);
  return made;
}

export const linkPort: LinkPort = {
  async read(hash): Promise<LinkReading> {
    const decoded = await decodeLink(hash, deflate());
    return decoded.ok
      ? { ok: true, state: fromScenario(decoded.value) }
      : { ok: false, problem: inWords(decoded.error) };
  },
  write: (state) => encodeLink(toScenario(state), deflate()),
};

function fromScenario(link: ScenarioLink): LinkState {
  const { scenario, settings, playheadNs, rangeNs, markerANs, markerBNs, selection, play, reveal, engine } = link;
  return {
    source:
      scenario.from === 'library'
        ? { kind: 'library', name: scenario.name }
        : { kind: 'own', document: scenario.document },
    settings,
    interventions: link.interventions.map(({ at, set }) => ({ atNs: nsOf(at), set })),
    ...(playheadNs === undefined ? {} : { atNs: playheadNs }),
    ...(rangeNs === undefined ? {} : { rangeNs }),
    ...(markerANs === undefined ? {} : { aNs: markerANs }),
    ...(markerBNs === undefined ? {} : { bNs: markerBNs }),
    ...(selection === undefined ? {} : { sel: selection }),
    ...(engine === undefined ? {} : { engine }),
    play,
    reveal,
    rest: restOf(link),
  };
}

function toScenario(state: LinkState): ScenarioLink {
  const { source, atNs, rangeNs, aNs, bNs, sel, engine } = state;
  return {
    scenario:
      source.kind === 'library'
        ? { from: 'library', name: source.name }
        : { from: 'inline', document: source.document },
    settings: state.settings,
    interventions: state.interventions.map((one) => ({ at: formatTime(one.atNs), set: one.set })),
    ...(atNs === undefined ? {} : { playheadNs: atNs }),
    ...(rangeNs === undefined ? {} : { rangeNs }),
    ...(aNs === undefined ? {} : { markerANs: aNs }),
    ...(bNs === undefined ? {} : { markerBNs: bNs }),
    ...(sel === undefined ? {} : { selection: sel }),
    ...(engine === undefined ? {} : { engine }),
    ...state.rest,
    play: false,
    reveal: false,
    present: state.rest.present ?? false,
    embed: state.rest.embed ?? false,
  };
}

/** What this page passes on unread. */
function restOf({ versus, notes, prediction, step, present, embed }: ScenarioLink): LinkState['rest'] {
  return {
    ...(versus === undefined ? {} : { versus }),
    ...(notes === undefined ? {} : { notes }),
    ...(prediction === undefined ? {} : { prediction }),
    ...(step === undefined ? {} : { step }),
    ...(present ? { present } : {}),
    ...(embed ? { embed } : {}),
  };
}

/** Times of a decoded link can be read; a text that can't would be the decoder's bug, and means the start. */
function nsOf(text: string): number {
  const time = parseTime(text);
  return time.ok ? time.value : 0;
}

function inWords(problems: readonly Problem[]): { readonly message: string; readonly hint: string } {
  const [first] = problems;
  const more = problems.length > 1 ? ` (And ${problems.length - 1} more.)` : '';
  return { message: `${first?.message ?? 'It can’t be read.'}${more}`, hint: first?.hint ?? '' };
}
