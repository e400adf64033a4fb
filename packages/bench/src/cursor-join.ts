import { dataFactory } from '@rdf-worlds/core';
import type { QuadCursor, QuadSource, TermId } from '@rdf-worlds/core/plugin';
import { DEFAULT_GRAPH, NO_TERM, QuadBatch } from '@rdf-worlds/core/plugin';

/** `?name` is a variable, `"text"` a plain literal, anything else an IRI. */
export type JoinPattern = readonly [subject: string, predicate: string, object: string];

/** Triple patterns over the default graph, in evaluation order. */
export interface CursorJoin {
  readonly name: string;
  readonly patterns: readonly JoinPattern[];
}

/** One pattern, ready to run. */
interface Step {
  readonly cursor: QuadCursor;
  readonly batch: QuadBatch;
  /** For each position, the slot with its bound value. Constants have their own slots. */
  readonly slots: readonly [number, number, number];
  /** For each position, true if this step is the first with its variable and so binds it. */
  readonly binds: readonly [boolean, boolean, boolean];
}

/**
 * Counts the solutions of an index nested-loop join: a scan of the first pattern, and for each row
 * a lookup in the next. It consists only of `seek` and `next`, so its time is the store's, not a
 * query engine's.
 */
export function countSolutions(source: QuadSource, { name, patterns }: CursorJoin): number {
  const slotOf = new Map<string, number>();
  const ids: TermId[] = [];
  const steps: Step[] = [];
  for (const pattern of patterns) {
    const bound = new Set(slotOf.keys());
    const variables = pattern.filter(isVariable);
    if (new Set(variables).size < variables.length) {
      throw new Error(`The join ${name} has a variable twice in one pattern, which cursors alone do not answer.`);
    }
    for (const position of pattern) {
      if (slotOf.has(position)) continue;
      const id = isVariable(position) ? NO_TERM : source.terms.find(termOf(position));
      // The term occurs in no quad; NO_TERM would be a wildcard.
      if (id === NO_TERM && !isVariable(position)) return 0;
      slotOf.set(position, ids.length);
      ids.push(id);
    }
    steps.push({
      cursor: source.cursor(),
      batch: new QuadBatch(),
      slots: threeOf(pattern, (position) => slotOf.get(position)!),
      binds: threeOf(pattern, (position) => isVariable(position) && !bound.has(position)),
    });
  }
  return solutionsFrom(steps, 0, Uint32Array.from(ids));
}

function solutionsFrom(steps: readonly Step[], depth: number, values: Uint32Array): number {
  const { cursor, batch, slots, binds } = steps[depth];
  const [s, p, o] = slots;
  const [bindsSubject, bindsPredicate, bindsObject] = binds;
  // Variables that this step binds are NO_TERM at this point, a wildcard.
  cursor.seek(values[s], values[p], values[o], DEFAULT_GRAPH);
  let solutions = 0;
  while (cursor.next(batch) > 0) {
    if (depth === steps.length - 1) {
      solutions += batch.length;
      continue;
    }
    for (let row = 0; row < batch.length; row++) {
      if (bindsSubject) values[s] = batch.subject[row];
      if (bindsPredicate) values[p] = batch.predicate[row];
      if (bindsObject) values[o] = batch.object[row];
      solutions += solutionsFrom(steps, depth + 1, values);
    }
  }
  if (bindsSubject) values[s] = NO_TERM;
  if (bindsPredicate) values[p] = NO_TERM;
  if (bindsObject) values[o] = NO_TERM;
  return solutions;
}

function isVariable(position: string): boolean {
  return position.startsWith('?');
}

function termOf(position: string) {
  return position.startsWith('"') ? dataFactory.literal(position.slice(1, -1)) : dataFactory.namedNode(position);
}

function threeOf<Value>(pattern: JoinPattern, of: (position: string) => Value): [Value, Value, Value] {
  return [of(pattern[0]), of(pattern[1]), of(pattern[2])];
}
