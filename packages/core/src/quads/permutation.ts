import type { TermId } from '../contracts/term-source.ts';

/** The positions of a triple, as indexes into its three columns. */
export const SUBJECT = 0;
export const PREDICATE = 1;
export const OBJECT = 2;
/** The graph position, after those of the triple. */
export const GRAPH = 3;

/** A sort order of triples: `order[0]` is the position that sorts first. */
export interface Permutation {
  readonly name: string;
  readonly order: readonly [number, number, number];
}

/**
 * The orders in which every run stores its quads. With these three, the bound positions of every
 * pattern are a prefix of some order, so its matches are one range. Each order is one stable sort
 * from the previous one (see `radix-sort.ts`): spo sorted by o gives osp, sorted by p gives pos.
 */
export const PERMUTATIONS: readonly Permutation[] = [
  { name: 'spo', order: [SUBJECT, PREDICATE, OBJECT] },
  { name: 'osp', order: [OBJECT, SUBJECT, PREDICATE] },
  { name: 'pos', order: [PREDICATE, OBJECT, SUBJECT] },
];

export const SPO = 0;
export const OSP = 1;
export const POS = 2;

/**
 * The permutation that has a pattern's bound positions as its prefix, indexed by the bits 1 =
 * subject, 2 = predicate, 4 = object bound.
 */
export const PERMUTATION_OF_PATTERN: readonly number[] = [SPO, SPO, POS, SPO, OSP, OSP, POS, SPO];

/** Number of positions that a pattern binds, indexed by the same bits. */
export const PREFIX_OF_PATTERN: readonly number[] = [0, 1, 1, 2, 1, 2, 2, 3];

/** Returns the bound positions of a pattern as bits: 1 = subject, 2 = predicate, 4 = object. */
export function boundBits(subject: TermId, predicate: TermId, object: TermId): number {
  return (subject ? 1 : 0) | (predicate ? 2 : 0) | (object ? 4 : 0);
}

/** Returns the terms of a pattern in the order of a permutation. */
export function keysOf(
  permutation: number,
  subject: TermId,
  predicate: TermId,
  object: TermId,
): [number, number, number] {
  const positions = [subject, predicate, object];
  const [first, second, third] = PERMUTATIONS[permutation].order;
  return [positions[first], positions[second], positions[third]];
}
