import type { TermId } from '../storage/term-source.ts';

/** The positions of a triple, as indexes into its three columns. */
export const SUBJECT = 0;
export const PREDICATE = 1;
export const OBJECT = 2;
/** The position behind those of the triple. */
export const GRAPH = 3;

/** A sort order of triples: `order[0]` is the position that sorts first. */
export interface Permutation {
  readonly name: string;
  readonly order: readonly [number, number, number];
}

/**
 * The orders in which every run keeps its quads. With these three each pattern is a prefix of one,
 * so that its matches are one range. Each is one stable sort away from the one before it (see
 * `radix-sort.ts`): spo, by o gives osp, by p gives pos.
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
 * The permutation whose prefix is bound by a pattern, by the bits 1 = subject, 2 = predicate, 4 =
 * object bound.
 */
export const PERMUTATION_OF_PATTERN: readonly number[] = [SPO, SPO, POS, SPO, OSP, OSP, POS, SPO];

/** How many positions a pattern binds, by the same bits. */
export const PREFIX_OF_PATTERN: readonly number[] = [0, 1, 1, 2, 1, 2, 2, 3];

/** The bits 1 = subject, 2 = predicate, 4 = object for the bound positions of a pattern. */
export function boundBits(subject: TermId, predicate: TermId, object: TermId): number {
  return (subject ? 1 : 0) | (predicate ? 2 : 0) | (object ? 4 : 0);
}

/** The terms of a pattern in the order of a permutation. */
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
