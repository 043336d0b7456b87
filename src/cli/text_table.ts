// Tables in plain text: columns as wide as their widest cell, numbers to the right.

/** `align`: one letter a column, `l` or `r`. Two spaces between columns; no trailing spaces. */
export function tableText(head: readonly string[], rows: readonly (readonly string[])[], align: string): string {
  const widths = head.map((title, i) => Math.max(title.length, ...rows.map((row) => (row[i] ?? '').length)));
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, i) => (align[i] === 'r' ? cell.padStart(widths[i]!) : cell.padEnd(widths[i]!)))
      .join('  ')
      .trimEnd();
  return [head, ...rows].map((cells) => `${line(cells)}\n`).join('');
}
