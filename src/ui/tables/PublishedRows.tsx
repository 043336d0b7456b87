// The published calls, and under each what the simulator makes of the same call. A miss is shown as calmly as a hit.

import { Fragment } from 'react';
import { formatDecimal, formatInt, formatSignedPercent } from '../../base/format.ts';
import { NS_PER_US } from '../../base/units.ts';
import { offBy, REFERENCES, type Reference, type SimulatedCall } from '../../store/index.ts';
import { useAppState } from '../app_context.ts';

const COLUMNS = 6;
const SOURCE = 'https://github.com/WebPlatformForEmbedded/WPEWebKit/pull/1408';
/** Up to here a difference counts as a hit. */
const CLOSE_RATIO = 0.05;

export function PublishedRows() {
  return (
    <tbody className="published">
      <tr className="group-title">
        <th colSpan={COLUMNS} scope="rowgroup">
          Published,{' '}
          <a href={SOURCE} target="_blank" rel="noreferrer">
            WPEWebKit #1408
          </a>
          <span className="plain">, and below each the simulator</span>
        </th>
      </tr>
      <tr className="column-heads">
        <th scope="col">Back-off</th>
        <th scope="col">Runtime (µs)</th>
        <th scope="col">Execution (µs)</th>
        <th scope="col">Iterations</th>
        <th scope="col">Execution / runtime (%)</th>
        <th scope="col" title="The larger miss of iterations and execution / runtime">
          Off by
        </th>
      </tr>
      {REFERENCES.map((reference) => (
        <ReferenceRows key={reference.key} reference={reference} />
      ))}
      <tr className="footnote">
        <td colSpan={COLUMNS}>
          The length of each call is given to the simulator; turns and execution are what it finds. Row 3 stands twice:
          the published call lies between an RT thread, which wakes on time, and a normal thread, whose timer may be 50
          µs late. That it was a mix of both is a hypothesis. We don’t tune the model to hide the difference.
        </td>
      </tr>
    </tbody>
  );
}

function ReferenceRows({ reference: { key, published, as } }: { readonly reference: Reference }) {
  const simulated = useAppState((s) => s.references[key]);
  return (
    <Fragment>
      <tr className="published-row">
        <th scope="row">{published.backoff}</th>
        <td>{formatInt(published.runtimeUs)}</td>
        <td>{formatInt(published.executionUs)}</td>
        <td>{formatInt(published.iterations)}</td>
        <td>{trimmed(published.executionPercent)}</td>
        <td className="off-by-cell">
          {typeof simulated === 'object' && <OffBy ratio={offBy(published, simulated)} />}
        </td>
      </tr>
      <SimulatedRow as={as} simulated={simulated} />
    </Fragment>
  );
}

function SimulatedRow({
  as,
  simulated,
}: {
  readonly as: string;
  readonly simulated: SimulatedCall | 'failed' | undefined;
}) {
  return (
    <tr className="simulated-row">
      <th scope="row">{as}</th>
      {typeof simulated === 'object' ? (
        <>
          <td>{formatDecimal(simulated.wallNs / NS_PER_US, 0)}</td>
          <td>{formatDecimal(simulated.execNs / NS_PER_US, 0)}</td>
          <td>{formatInt(simulated.iterations)}</td>
          <td>{formatDecimal((simulated.execNs / simulated.wallNs) * 100, 3)}</td>
        </>
      ) : (
        <td colSpan={4} className="reason">
          {simulated === 'failed' ? 'the run failed' : 'not yet run'}
        </td>
      )}
      <td />
    </tr>
  );
}

function OffBy({ ratio }: { readonly ratio: number }) {
  return (
    <span className={Math.abs(ratio) <= CLOSE_RATIO ? 'badge ok' : 'badge warn'}>{formatSignedPercent(ratio)}</span>
  );
}

/** As published: three decimals where they are given, none for 100. */
function trimmed(percent: number): string {
  return Number.isInteger(percent) ? String(percent) : formatDecimal(percent, 3);
}
