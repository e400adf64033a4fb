import type { QuadBatch, QuadCursor, TermId } from '@rdf-worlds/core/plugin';
import type * as RDF from '@rdfjs/types';

/** Number of rows or comparisons between two pauses. */
const STEPS_PER_PAUSE = 1024;
const COLUMNS = ['subject', 'predicate', 'object', 'graph'] as const;

/** Returns a text that identifies a term. Its sort order depends on nothing else. */
export function termKey(term: RDF.Term): string {
  if (term.termType === 'Quad') return `(${termKey(term.subject)} ${termKey(term.predicate)} ${termKey(term.object)})`;
  if (term.termType !== 'Literal') return `${term.termType[0]}${JSON.stringify(term.value)}`;
  return `L${JSON.stringify([term.value, term.datatype.value, term.language, term.direction ?? ''])}`;
}

export const compareTexts = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

/**
 * Yields the quads of a cursor in the order of their terms, batch by batch, and undefined for
 * pauses. The order of ids would reveal when a term first entered the namespace, possibly through a
 * world that the caller may not see. Holds the ids of all quads and the texts of their terms.
 */
export function* canonicalBatches(
  cursor: QuadCursor,
  batch: QuadBatch,
  term: (id: TermId) => RDF.Term,
): Generator<QuadBatch | undefined> {
  const rows: (readonly TermId[])[] = [];
  const keys = new Map<TermId, string>();
  while (cursor.next(batch) > 0) {
    for (let row = 0; row < batch.length; row++) {
      const ids = COLUMNS.map((column) => batch[column][row]);
      for (const id of ids) if (!keys.has(id)) keys.set(id, termKey(term(id)));
      rows.push(ids);
    }
    yield undefined;
  }
  const compare = (one: readonly TermId[], other: readonly TermId[]): number => {
    for (let column = 0; column < COLUMNS.length; column++) {
      const order = one[column] === other[column] ? 0 : compareTexts(keys.get(one[column])!, keys.get(other[column])!);
      if (order !== 0) return order;
    }
    return 0;
  };
  const sorted = yield* mergeSorted(rows, compare);
  for (let start = 0; start < sorted.length; start += batch.capacity) {
    batch.length = Math.min(batch.capacity, sorted.length - start);
    for (let row = 0; row < batch.length; row++) {
      COLUMNS.forEach((column, at) => {
        batch[column][row] = sorted[start + row][at];
      });
    }
    yield batch;
  }
}

/** Sorts, yielding undefined for pauses: a bottom-up merge sort. */
export function* mergeSorted<Item>(
  items: readonly Item[],
  compare: (one: Item, other: Item) => number,
): Generator<undefined, readonly Item[]> {
  let from = items.slice();
  let steps = 0;
  for (let width = 1; width < from.length; width *= 2) {
    const to: Item[] = [];
    for (let start = 0; start < from.length; start += 2 * width) {
      const middle = Math.min(start + width, from.length);
      const end = Math.min(start + 2 * width, from.length);
      for (let one = start, other = middle; one < middle || other < end; ) {
        if (other >= end || (one < middle && compare(from[one], from[other]) <= 0)) to.push(from[one++]);
        else to.push(from[other++]);
        if (++steps % STEPS_PER_PAUSE === 0) yield undefined;
      }
    }
    from = to;
  }
  return from;
}
