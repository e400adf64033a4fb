import { styleText } from 'node:util';
import { displayWidth, fitted } from './display-width.ts';

/**
 * Characters that would move a terminal's cursor or hide text: controls, line separators and marks
 * of text direction.
 */
const UNSAFE = /[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;
const GAP = ' | ';
/** Minimum width of a truncated column; narrower ones would be unreadable. */
const LEAST_WIDTH = 8;

/** Display options of a table. */
export interface TableStyle {
  /** Terminal columns that the table must fit; undefined for no truncation. */
  readonly width?: number | undefined;
  /** Whether terms are coloured by kind. */
  readonly colors?: boolean;
}

/**
 * The layout of a table: each column as wide as its widest cell of the measured rows. Every cell
 * takes one line, whatever the data contains.
 */
export class TableLayout {
  private readonly headings: readonly string[];
  private readonly widths: readonly number[];
  private readonly style: TableStyle;

  constructor(headings: readonly string[], measured: readonly (readonly string[])[], style: TableStyle = {}) {
    this.headings = headings.map(printable);
    this.style = style;
    const natural = this.headings.map((heading, column) =>
      measured.reduce((most, row) => Math.max(most, displayWidth(printable(row[column]))), displayWidth(heading)),
    );
    const { width } = style;
    this.widths = width === undefined ? natural : cutWidths(natural, width - GAP.length * (headings.length - 1));
  }

  /** The lines above the rows. */
  head(): string {
    const rule = this.widths.map((columns) => '-'.repeat(columns)).join('-+-');
    const heading = this.line(this.headings, (cell) => (this.style.colors ? painted('bold', cell) : cell));
    return `${heading}\n${rule}\n`;
  }

  /**
   * The line of one row. A cell wider than its column, in a row that was not measured, is cut only
   * if the table must fit a terminal; else it moves the rest of its line.
   */
  row(cells: readonly string[]): string {
    return `${this.line(cells.map(printable), this.style.colors ? byKind : (cell) => cell)}\n`;
  }

  private line(row: readonly string[], paint: (cell: string, full: string) => string): string {
    const { widths, style } = this;
    const drawn = row.map((cell, column) => {
      const text = style.width === undefined ? cell : fitted(cell, widths[column]);
      const isLast = column === row.length - 1;
      return paint(text, cell) + (isLast ? '' : ' '.repeat(Math.max(widths[column] - displayWidth(text), 0)));
    });
    // Trailing empty cells leave blanks.
    return drawn.join(GAP).trimEnd();
  }
}

/** Formats rows under headings. */
export function textTable(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  style: TableStyle = {},
): string {
  const layout = new TableLayout(headings, rows, style);
  return `${layout.head()}${rows.map((row) => layout.row(row)).join('')}`;
}

/**
 * Returns column widths that fit into `room` in total. The widest columns shrink first, all to the
 * same width.
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
 * Colours a term by kind, which its first character in Turtle notation reveals. `full` is the
 * untruncated text.
 */
function byKind(cell: string, full: string): string {
  if (full.startsWith('"')) return painted('green', cell);
  if (full.startsWith('_:')) return painted('magenta', cell);
  if (full.startsWith('<') || /^[^\s":<]*:\S*$/.test(full)) return painted('cyan', cell);
  return cell;
}

/** Skips `styleText`'s own stream check; the caller has already decided on colours. */
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
