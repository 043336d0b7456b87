// Numbers of several runs, and the table they end in.

/** Middle value; of an even count the mean of the two in the middle. */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

/** Nearest rank: the smallest value that `share` of the values do not exceed. */
export function percentile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)];
}

/**
 * Prints rows of { section, measure, value, unit, spread?, beside?: { name, value }, goal? } in columns.
 * The ratio is value / beside.
 */
export function printTable(rows) {
  const head = ['section', 'measure', 'median', 'min–max', 'unit', 'beside it', 'its median', 'ratio', 'goal'];
  const cells = rows.map((row) => [
    row.section,
    row.measure,
    number(row.value),
    row.spread === undefined ? '' : `${number(row.spread[0])}–${number(row.spread[1])}`,
    row.unit,
    row.beside?.name ?? '',
    row.beside === undefined ? '' : number(row.beside.value),
    row.beside === undefined ? '' : number(row.value / row.beside.value),
    row.goal ?? '',
  ]);
  const widths = head.map((title, i) => Math.max(title.length, ...cells.map((line) => line[i].length)));
  const print = (line) =>
    console.log(
      line
        .map((cell, i) => cell.padEnd(widths[i]))
        .join('  ')
        .trimEnd(),
    );
  print(head);
  print(widths.map((width) => '-'.repeat(width)));
  for (const line of cells) print(line);
}

/** A row from the values of all runs. */
export function row(measure, unit, values, more = {}) {
  return { measure, unit, value: median(values), spread: [Math.min(...values), Math.max(...values)], ...more };
}

function number(value) {
  if (value === 0) return '0';
  const size = Math.abs(value);
  if (size >= 1e6) return `${(value / 1e6).toFixed(2)} M`;
  if (size >= 100) return value.toFixed(0);
  if (size >= 10) return value.toFixed(1);
  if (size >= 0.01) return value.toFixed(2);
  return value.toExponential(1);
}
