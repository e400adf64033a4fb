import { displayWidth } from './display-width.ts';

/** What would move the cursor of a terminal, or hide text: controls, separators of lines, marks of direction. */
const UNSAFE = /[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Rows below their headings, in columns as wide as their widest cell. Each cell is one line, whatever the data holds. */
export function textTable(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = [headings, ...rows].map((row) => row.map(printable));
  const widths = headings.map((_, column) => cells.reduce((most, row) => Math.max(most, displayWidth(row[column])), 0));
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => cell + ' '.repeat(widths[column] - displayWidth(cell)))
      .join(' | ')
      .trimEnd();
  const rule = widths.map((width) => '-'.repeat(width)).join('-+-');
  const [head, ...body] = cells;
  return `${[line(head), rule, ...body.map(line)].join('\n')}\n`;
}

function printable(text: string): string {
  return text.replace(
    UNSAFE,
    (char) => ESCAPES.get(char) ?? `\\u${char.charCodeAt(0).toString(16).padStart(4, '0').toUpperCase()}`,
  );
}

const ESCAPES = new Map([
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
]);
