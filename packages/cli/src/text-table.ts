import { styleText } from 'node:util';
import { displayWidth, fitted } from './display-width.ts';

/**
 * What would move the cursor of a terminal, or hide text: controls, separators of lines, marks of
 * direction.
 */
const UNSAFE = /[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;
const GAP = ' | ';
/** Columns are not cut below this: less tells nothing. */
const LEAST_WIDTH = 8;

/** How a table is to look. */
export interface TableStyle {
  /** Columns of the terminal, which the table is cut to. Undefined: nothing is cut. */
  readonly width?: number | undefined;
  /** Whether kinds of terms have colours. */
  readonly colors?: boolean;
}

/**
 * Rows below their headings, in columns as wide as their widest cell. Each cell is one line,
 * whatever the data holds.
 */
export function textTable(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  { width, colors = false }: TableStyle = {},
): string {
  const cells = [headings, ...rows].map((row) => row.map(printable));
  const natural = headings.map((_, column) =>
    cells.reduce((most, row) => Math.max(most, displayWidth(row[column])), 0),
  );
  const widths = width === undefined ? natural : cutWidths(natural, width - GAP.length * (headings.length - 1));
  const line = (row: readonly string[], paint: (cell: string, full: string) => string) => {
    const drawn = row.map((cell, column) => {
      const text = fitted(cell, widths[column]);
      const isLast = column === row.length - 1;
      return paint(text, cell) + (isLast ? '' : ' '.repeat(widths[column] - displayWidth(text)));
    });
    // Empty cells at the end leave blanks.
    return drawn.join(GAP).trimEnd();
  };
  const rule = widths.map((columns) => '-'.repeat(columns)).join('-+-');
  const [head, ...body] = cells;
  const heading = line(head, (cell) => (colors ? painted('bold', cell) : cell));
  return `${[heading, rule, ...body.map((row) => line(row, colors ? byKind : (cell) => cell))].join('\n')}\n`;
}

/**
 * The widths of columns that together have `room`: the widest give way first, and all of those to
 * the same width.
 */
export function cutWidths(widths: readonly number[], room: number): number[] {
  let left = room;
  let cap = Number.POSITIVE_INFINITY;
  const narrowFirst = [...widths].sort((one, other) => one - other);
  for (const [i, width] of narrowFirst.entries()) {
    const share = Math.floor(left / (widths.length - i));
    if (width > share) {
      cap = Math.max(share, LEAST_WIDTH);
      break;
    }
    left -= width;
  }
  return widths.map((width) => Math.min(width, cap));
}

/**
 * Terms have their kind in their first character, as Turtle writes them: `full` has it, also where
 * the cell is cut.
 */
function byKind(cell: string, full: string): string {
  if (full.startsWith('"')) return painted('green', cell);
  if (full.startsWith('_:')) return painted('magenta', cell);
  if (full.startsWith('<') || /^[^\s":<]*:\S*$/.test(full)) return painted('cyan', cell);
  return cell;
}

/** Whether there are colours has been asked of the stream that is written. */
function painted(format: Parameters<typeof styleText>[0], cell: string): string {
  return cell === '' ? cell : styleText(format, cell, { validateStream: false });
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
