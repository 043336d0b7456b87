// A sentence of explain/ on the page: thread names in bold, locks in mono, instants as links that move the playhead.

import type { Part, Sentence } from '../../explain/parts.ts';
import { useApp } from '../app_context.ts';

export function SentenceText({ sentence }: { readonly sentence: Sentence }) {
  // Parts never change their order within a sentence.
  // biome-ignore lint/suspicious/noArrayIndexKey: the index is the identity of a part
  return sentence.map((part, i) => <PartText key={i} part={part} />);
}

function PartText({ part }: { readonly part: Part }) {
  const { commands } = useApp();
  switch (part.part) {
    case 'thread':
      return <b>{part.text}</b>;
    case 'lock':
      return <code>{part.text}</code>;
    case 'time':
      return (
        <button type="button" className="link" onClick={() => commands.goTo(part.atNs)}>
          {part.text}
        </button>
      );
    case 'cpu':
    case 'span':
      return <span className="keep">{part.text}</span>;
    default:
      return part.text;
  }
}
