import type { TermId } from '../../storage/term-source.ts';

/** No slot: the position is a constant. */
export const CONSTANT = -1;

/** A quad pattern of a plan: each of its four positions is a constant id or a slot. */
export interface QuadPattern {
  /** Subject, predicate, object, graph: the constant, or what a scan seeks when the position is not bound yet (NO_TERM; ANY_NAMED_GRAPH for graphs). */
  readonly ids: readonly [TermId, TermId, TermId, TermId];
  /** The slot of each position, or CONSTANT. */
  readonly slots: readonly [number, number, number, number];
  /** As the query has it, for explanations. */
  readonly text: string;
  /** A constant that the dataset does not know: nothing can match. */
  readonly impossible: boolean;
}

/** The different slots of a pattern. */
export function slotsOf(pattern: QuadPattern): number[] {
  return [...new Set(pattern.slots.filter((slot) => slot !== CONSTANT))];
}

/** Pairs of positions that hold the same variable. */
export function repeatedPositions(pattern: QuadPattern): readonly (readonly [number, number])[] {
  const pairs: [number, number][] = [];
  pattern.slots.forEach((slot, position) => {
    const first = pattern.slots.indexOf(slot);
    if (slot !== CONSTANT && first < position) pairs.push([first, position]);
  });
  return pairs;
}

/** Drops the rows in which positions with the same variable differ, from row `from` on; returns the new end. */
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
