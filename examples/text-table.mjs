/**
 * Rows of cells as lines with aligned columns under a header; numbers stand on the right. Long
 * cells are cut.
 */
export function textTable(header, rows, { maxWidth = 76 } = {}) {
  const cut = (text) => (text.length > maxWidth ? `${text.slice(0, maxWidth - 1)}…` : text);
  const cells = rows.map((row) => row.map((cell) => cut(String(cell ?? ''))));
  const widths = header.map((title, i) => Math.max(title.length, ...cells.map((row) => row[i].length)));
  const numeric = header.map(
    (_, i) => cells.length > 0 && cells.every((row) => /^-?[\d.,]*(e[+-]?\d+)?$/i.test(row[i])),
  );
  const line = (row) =>
    row
      .map((cell, i) => (numeric[i] ? cell.padStart(widths[i]) : cell.padEnd(widths[i])))
      .join('  ')
      .trimEnd();
  return [line(header), line(widths.map((width) => '-'.repeat(width))), ...cells.map(line)]
    .map((text) => `  ${text}`)
    .join('\n');
}
