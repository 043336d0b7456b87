// The measures of one recording, each with its tolerance; a miss with its cause.

import { Fragment } from 'react';
import type { KnownMiss } from '../testing/golden/known_misses.ts';
import type { Row } from '../testing/golden/row.ts';
import { valueText } from '../testing/golden/table.ts';

const LISTS = import.meta.glob<{ rows: KnownMiss[] }>('../../golden/known_misses.json', {
  import: 'default',
  eager: true,
});
const CAUSES = new Map(Object.values(LISTS).flatMap(({ rows }) => rows.map((miss) => [miss.row, miss.cause])));

export function MeasureTable({ rows }: { readonly rows: readonly Row[] }) {
  const within = rows.filter((row) => row.ok).length;
  return (
    <section aria-label="Measures">
      <p role="status" className="golden-count">
        {within} of {rows.length} measures lie within their tolerance.
      </p>
      <div className="golden-table">
        <table aria-label="Measures">
          <thead>
            <tr>
              <th scope="col">Measure</th>
              <th scope="col">Recorded</th>
              <th scope="col">Simulated</th>
              <th scope="col">Tolerance</th>
              <th scope="col">Within</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <Fragment key={row.id}>
                <tr className={row.ok ? undefined : 'golden-miss'}>
                  <th scope="row">{row.measure}</th>
                  <td>{text(row.recorded, row.unit)}</td>
                  <td>{text(row.simulated, row.unit)}</td>
                  <td>{row.tolerance === undefined ? 'equal' : text(row.tolerance, row.unit)}</td>
                  <td className="golden-verdict">{row.ok ? 'yes' : 'no'}</td>
                </tr>
                {!row.ok && (
                  <tr className="golden-cause">
                    <td className="reason" colSpan={5}>
                      {CAUSES.get(row.id) ?? 'The cause is not known.'}
                    </td>
                  </tr>
                )}
              </Fragment>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function text(value: Row['recorded'], unit: Row['unit']): string {
  return valueText(value, unit).replace(/ us$/, ' µs').replace(/^-$/, '–');
}
