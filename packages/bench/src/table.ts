/** A table of text; the headings include the units. */
export interface Table {
  readonly title?: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** Formats the table: the first column left-aligned, the others right-aligned. */
export function formatTable({ title, columns, rows }: Table): string {
  const lines = [columns, ...rows];
  const widths = columns.map((_, column) => Math.max(...lines.map((cells) => cells[column].length)));
  const format = (cells: readonly string[]) =>
    cells
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[column]) : cell.padStart(widths[column])))
      .join('  ')
      .trimEnd();
  const rule = widths.map((width) => '-'.repeat(width)).join('  ');
  return [...(title ? [title, ''] : []), format(columns), rule, ...rows.map(format)].join('\n');
}

/** Formats the table in Markdown. */
export function markdownTable({ title, columns, rows }: Table): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  const rule = `|${columns.map(() => '---|').join('')}`;
  return [...(title ? [title, ''] : []), line(columns), rule, ...rows.map(line)].join('\n');
}
