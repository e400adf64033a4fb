import { type QuadBatch, WANT_GRAPH, WANT_OBJECT, WANT_PREDICATE, WANT_SUBJECT } from '../../contracts/quad-batch.ts';
import { ANY_NAMED_GRAPH, DEFAULT_GRAPH, NO_TERM, type TermId } from '../../contracts/term-source.ts';
import type { TriplePattern } from '../algebra/algebra.ts';
import { tripleText } from '../explain/pattern-text.ts';
import { columnsBySlot } from './batch.ts';
import type { PlanNames } from './operator.ts';
import type { SlotSet } from './slot-set.ts';

/** Marks a position that holds a constant instead of a slot. */
export const CONSTANT = -1;

/** A quad pattern of a plan: each of its four positions is a constant id or a slot. */
export interface QuadPattern {
  /**
   * Subject, predicate, object, graph: the constant, or the wildcard to seek with while the
   * position is unbound (NO_TERM; ANY_NAMED_GRAPH for graphs).
   */
  readonly ids: readonly [TermId, TermId, TermId, TermId];
  /** The slot of each position, or CONSTANT. */
  readonly slots: readonly [number, number, number, number];
  /** The distinct slots among {@link slots}, without CONSTANT. */
  readonly variables: readonly number[];
  /** The pattern as written in the query, for explain. */
  readonly triple: TriplePattern;
  /** True if a constant is not in the dataset, so nothing can match. */
  readonly impossible: boolean;
  /** Statistics that the planner has gathered so far. */
  readonly measured: PatternCounts;
}

/** Cardinality of a single pattern. */
export interface PatternCounts {
  /** Undefined until looked up. */
  rows: number | undefined;
  /** Approximate number of distinct terms per position; undefined until measured. */
  distinct: (number | undefined)[] | undefined;
}

/**
 * Whether the matches of a pattern differ in its variables: a source returns each quad once, but a
 * triple of several graphs matches several times if the graph is neither given nor a variable.
 */
export function hasDistinctMatches({ ids, slots }: QuadPattern): boolean {
  return slots[3] !== CONSTANT || (ids[3] !== NO_TERM && ids[3] !== ANY_NAMED_GRAPH);
}

/**
 * Formats a pattern for explain: as written in the query, plus its graph unless that is the default
 * graph.
 */
export function patternText({ triple, ids, slots, impossible }: QuadPattern, names: PlanNames): string {
  const [graph, slot] = [ids[3], slots[3]];
  const where =
    slot !== CONSTANT
      ? ` in graph ${names.variable(slot)}`
      : graph > 0 && graph !== DEFAULT_GRAPH && graph !== ANY_NAMED_GRAPH
        ? ` in graph ${names.term(graph)}`
        : '';
  return `${tripleText(triple)}${where}${impossible ? ' (a term that the dataset does not have)' : ''}`;
}

const WANT = [WANT_SUBJECT, WANT_PREDICATE, WANT_OBJECT, WANT_GRAPH];

/**
 * Returns, as `WANT_` bits, the positions whose slots are needed or must be compared with another
 * position.
 */
export function wantedPositions(pattern: QuadPattern, needed: SlotSet): number {
  const { slots } = pattern;
  let wanted = 0;
  for (let position = 0; position < slots.length; position++) {
    const slot = slots[position];
    if (slot === CONSTANT) continue;
    const isRepeated = slots.indexOf(slot) !== slots.lastIndexOf(slot);
    if (isRepeated || needed.has(slot)) wanted |= WANT[position];
  }
  return wanted;
}

/**
 * Maps the columns of a quad batch to the slots of a pattern. Positions that were not requested are
 * undefined.
 */
export function columnsOfPattern(pattern: QuadPattern, quads: QuadBatch): (Uint32Array | undefined)[] {
  const { slots } = pattern;
  return columnsBySlot(pattern.variables, (slot) => {
    const column = columnAt(quads, slots.lastIndexOf(slot));
    return column.length === 0 ? undefined : column;
  });
}

/** Returns the column of a position: 0 subject, 1 predicate, 2 object, 3 graph. */
function columnAt(quads: QuadBatch, position: number): Uint32Array {
  if (position === 0) return quads.subject;
  if (position === 1) return quads.predicate;
  return position === 2 ? quads.object : quads.graph;
}

const NO_PAIRS: readonly (readonly [number, number])[] = [];

/** Returns pairs of positions that hold the same variable. */
export function repeatedPositions({
  slots,
  variables,
}: QuadPattern): readonly (readonly [first: number, other: number])[] {
  let places = 0;
  for (const slot of slots) if (slot !== CONSTANT) places++;
  if (places === variables.length) return NO_PAIRS;
  const pairs: [number, number][] = [];
  slots.forEach((slot, position) => {
    const first = slots.indexOf(slot);
    if (slot !== CONSTANT && first < position) pairs.push([first, position]);
  });
  return pairs;
}

/**
 * Compacts the rows `from .. to - 1`: drops those whose paired positions differ, and returns the
 * new end.
 */
export function dropUnequal(
  columns: readonly Uint32Array[],
  pairs: readonly (readonly [number, number])[],
  from: number,
  to: number,
): number {
  let kept = from;
  for (let row = from; row < to; row++) {
    let equal = true;
    for (const [one, other] of pairs) if (columns[one][row] !== columns[other][row]) equal = false;
    if (!equal) continue;
    if (kept !== row) for (const column of columns) column[kept] = column[row];
    kept++;
  }
  return kept;
}
