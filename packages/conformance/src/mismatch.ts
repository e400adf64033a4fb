import { type CellRow, isBlankCell } from './term-cells.ts';

/** What a test expected is not what came. The message is one line, for the report. */
export class Mismatch extends Error {
  override readonly name = 'Mismatch';
}

/**
 * Says how two bags of rows differ: their sizes and the first row that only one has, blank nodes
 * aside.
 */
export function describeRowDifference(expected: readonly CellRow[], actual: readonly CellRow[]): string {
  const sizes = `expected ${expected.length} rows, got ${actual.length}`;
  const missing = firstOnlyIn(expected, actual);
  const surplus = firstOnlyIn(actual, expected);
  if (!missing && !surplus && expected.length === actual.length)
    return `${sizes}; the rows differ in their blank nodes or their order`;
  return [sizes, missing && `missing ${missing}`, surplus && `unexpected ${surplus}`].filter(Boolean).join('; ');
}

function firstOnlyIn(rows: readonly CellRow[], others: readonly CellRow[]): string | undefined {
  const counts = new Map<string, number>();
  for (const row of others) counts.set(withoutLabels(row), (counts.get(withoutLabels(row)) ?? 0) + 1);
  for (const row of rows) {
    const key = withoutLabels(row);
    const count = counts.get(key) ?? 0;
    if (count === 0) return shorten(key);
    counts.set(key, count - 1);
  }
  return undefined;
}

function withoutLabels(row: CellRow): string {
  return row.map((cell) => (isBlankCell(cell) ? '_:' : cell || 'UNDEF')).join(' ');
}

function shorten(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return line.length <= 300 ? line : `${line.slice(0, 297)}...`;
}
