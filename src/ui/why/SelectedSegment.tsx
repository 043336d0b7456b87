// Question, answer and chain for one segment, and its facts in a few lines.

import { useMemo } from 'react';
import { formatDecimal, formatMs } from '../../base/format.ts';
import { NS_PER_MS } from '../../base/units.ts';
import { stateLines } from '../../explain/state_text.ts';
import { explainSegment } from '../../explain/why.ts';
import { attrRowAt } from '../../trace/attr_history.ts';
import type { Segment } from '../../trace/segments.ts';
import type { TraceStore } from '../../trace/trace_store.ts';
import { policyText } from '../../view/layout.ts';
import { threadSlots } from '../../view/slots.ts';
import { useAppState, useTrace } from '../app_context.ts';
import { SentenceText } from '../parts/SentenceText.tsx';
import { laneName } from '../timeline/lane_names.ts';
import { WhyChain } from './WhyChain.tsx';

const NO_VERDICTS: readonly never[] = [];

export function SelectedSegment({ segment }: { readonly segment: Segment }) {
  const trace = useTrace();
  const verdicts = useAppState((s) => s.summary?.verdicts ?? NO_VERDICTS);
  const why = useMemo(
    () => (trace === undefined ? undefined : explainSegment(trace, verdicts, segment.lane, segment.row)),
    [trace, verdicts, segment],
  );
  if (trace === undefined || why === undefined) return null;
  return (
    <>
      <WhoAndWhen trace={trace} segment={segment} />
      <h2 className="question">
        <SentenceText sentence={why.question} />
      </h2>
      <p className="answer">
        <SentenceText sentence={why.answer} />
      </p>
      <WhyChain steps={why.steps} />
      <Facts trace={trace} segment={segment} />
    </>
  );
}

/** 'WebProcess · nice 0 · 410.380 – 412.310 ms' */
function WhoAndWhen({ trace, segment }: { readonly trace: TraceStore; readonly segment: Segment }) {
  const lane = trace.lanes[segment.lane];
  if (lane === undefined) return null;
  const task = lane.kind === 'thread' ? trace.tasks[lane.subject] : undefined;
  const open = segment.endNs >= trace.watermarkNs;
  const span = open
    ? `from ${formatMs(segment.startNs)}`
    : `${formatDecimal(segment.startNs / NS_PER_MS, 3)} – ${formatMs(segment.endNs)}`;
  const slot = task === undefined ? undefined : (threadSlots(trace.tasks)[lane.subject] ?? 0);
  return (
    <p className="who">
      {slot !== undefined && (
        <span className="chip-colour" style={{ background: `var(--thread-${slot + 1})` }} aria-hidden="true" />
      )}
      {[laneName(trace, lane), task === undefined ? undefined : policyText(task), span]
        .filter((text) => text !== undefined)
        .join(' · ')}
    </p>
  );
}

function Facts({ trace, segment }: { readonly trace: TraceStore; readonly segment: Segment }) {
  const lines = stateLines(trace, segment);
  const weight = weightAt(trace, segment);
  return (
    <ul className="facts" aria-label="Facts">
      {lines.map((line, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other identity
        <li key={i}>
          <SentenceText sentence={line} />
        </li>
      ))}
      {weight !== undefined && <li>Weight {weight}</li>}
    </ul>
  );
}

/** Weight of the thread that a segment is about; undefined where there is none or it is real-time. */
function weightAt(trace: TraceStore, segment: Segment): number | undefined {
  const lane = trace.lanes[segment.lane];
  const attrs = trace.attrs[lane?.kind === 'thread' ? lane.subject : segment.who];
  if (attrs === undefined || segment.prio < 100 || segment.prio > 139) return undefined;
  const row = attrRowAt(attrs, segment.startNs);
  return row < 0 ? undefined : attrs.weight[row];
}
