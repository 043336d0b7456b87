// The rows as text for people.

import { assertNever } from '../../base/assert.ts';
import { NS_PER_MS, NS_PER_US } from '../../base/units.ts';
import type { KnownMiss, MissReport } from './known_misses.ts';
import type { Row } from './row.ts';

/** Longer texts are cut in the table; `--json` has them whole. */
const TEXT_WIDTH = 34;

function nsText(ns: number): string {
  return Math.abs(ns) >= 0.1 * NS_PER_MS ? `${(ns / NS_PER_MS).toFixed(3)} ms` : `${(ns / NS_PER_US).toFixed(2)} us`;
}

/** A value in the row's unit. */
export function valueText(value: number | string | undefined, unit: Row['unit']): string {
  if (value === undefined) return '-';
  if (typeof value === 'string') return value.length > TEXT_WIDTH ? `${value.slice(0, TEXT_WIDTH - 3)}...` : value;
  switch (unit) {
    case 'share':
      return `${(value * 100).toFixed(2)} %`;
    case 'ns':
      return nsText(value);
    case 'ratio':
      return value.toFixed(3);
    case 'perMs':
      return `${value.toFixed(2)} /ms`;
    case 'count':
    case 'text':
      return String(value);
    default:
      return assertNever(unit);
  }
}

/** Header and one line per row, columns aligned. */
export function tableText(rows: readonly Row[]): string {
  const lines = [['workload', 'kernel', 'measure', 'recorded', 'simulated', 'tolerance', 'other recording', 'ok']];
  for (const row of rows) {
    lines.push([
      row.workload,
      row.kernel,
      row.measure,
      valueText(row.recorded, row.unit),
      valueText(row.simulated, row.unit),
      row.tolerance === undefined ? 'equal' : valueText(row.tolerance, row.unit),
      row.peer === undefined ? '' : `${valueText(row.peer.value, row.unit)}${row.peer.ok ? '' : ' (outside)'}`,
      row.ok ? 'yes' : 'NO',
    ]);
  }
  const widths = lines[0]!.map((_, column) => Math.max(...lines.map((line) => line[column]!.length)));
  return lines
    .map((line) =>
      line
        .map((cell, column) =>
          column >= 3 && column <= 6 ? cell.padStart(widths[column]!) : cell.padEnd(widths[column]!),
        )
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** Misses with their causes, what is new, what is healed, and the counts as the last line. */
export function reportText(rows: readonly Row[], report: MissReport, known: readonly KnownMiss[]): string {
  const lines: string[] = [];
  const causes = new Map(known.map((miss) => [miss.row, miss.cause]));
  const missed = rows.filter((row) => !row.ok);
  if (missed.length > 0) {
    lines.push('', 'Outside the tolerance:');
    for (const row of missed) {
      const values = `recorded ${valueText(row.recorded, row.unit)}, simulated ${valueText(row.simulated, row.unit)}`;
      const detail = row.detail === undefined ? '' : ` (${row.detail})`;
      lines.push(
        `  ${row.id}: ${values}${detail}`,
        `    cause: ${causes.get(row.id) ?? 'not known; this miss is new'}`,
      );
    }
  }
  if (report.healed.length > 0) {
    lines.push('', 'Listed in known_misses.json but within the tolerance; remove them from the list:');
    for (const row of report.healed) lines.push(`  ${row.id}`);
  }
  if (report.stale.length > 0) {
    lines.push('', 'Listed in known_misses.json but not compared; remove them from the list:');
    for (const miss of report.stale) lines.push(`  ${miss.row}`);
  }
  const peers = rows.filter((row) => row.peer !== undefined);
  if (peers.length > 0) {
    const theirs = peers.filter((row) => row.peer?.ok === true).length;
    const ours = peers.filter((row) => row.ok).length;
    lines.push(
      '',
      `Where two recordings of a version exist (${peers.length} rows): they agree with each other in ${theirs}, the simulation agrees in ${ours}.`,
    );
  }
  lines.push(
    '',
    `${rows.length} rows: ${report.passed} within tolerance, ${report.failed} outside (${report.fresh.length} of them new).`,
  );
  return lines.join('\n');
}
