/** A document with its score in one ranking. */
export interface RankedDocument {
  readonly doc: number;
  /** Above 0, higher is better. */
  readonly score: number;
}

/** One ranking: ids, best first, without duplicates. */
export interface RankedList {
  readonly ids: ArrayLike<number>;
  /** Weight of this list, >= 0. */
  readonly weight: number;
  /** Scores by position, above 0 and descending; required by the convex combination. */
  readonly scores?: ArrayLike<number> | undefined;
}

export interface FusedRank {
  readonly id: number;
  readonly score: number;
  /** 1-based rank in each list, in list order; null if the list does not contain the id. */
  readonly ranks: readonly (number | null)[];
}

/** How rankings are combined: by rank (reciprocal rank fusion) or by score (convex combination). */
export type FusionMethod = 'rrf' | 'convex';

export interface FuseOptions {
  readonly method?: FusionMethod | undefined;
  /** Damping constant of reciprocal rank fusion; 60 in the paper. */
  readonly k?: number | undefined;
  /** Order of ids that tie in score and in all ranks; by id if omitted. */
  readonly compare?: ((a: number, b: number) => number) | undefined;
}

export const DEFAULT_FUSION_K = 60;

/**
 * Fuses rankings, best first. Ties go to the better rank in the first list, then in the second and
 * so on, then to `compare`.
 *
 * Reciprocal rank fusion (Cormack, Clarke, Buettcher, SIGIR 2009): an id scores the sum of weight /
 * (k + rank) over the lists that contain it. It uses ranks only, so scores of different kinds are
 * never compared.
 *
 * Convex combination (Bruch, Gai, Ingber, ACM TOIS 2023): sums weight × score / greatest score of
 * the list, with weights normalised to a sum of 1. It preserves the distances between the hits of a
 * list, so it can be better if the weights suit the data.
 */
export function fuseRanks(lists: readonly RankedList[], options: FuseOptions = {}): FusedRank[] {
  const { method = 'rrf', k = DEFAULT_FUSION_K, compare = (a, b) => a - b } = options;
  const whole = lists.reduce((sum, { weight }) => sum + weight, 0);
  const fused = new Map<number, { id: number; score: number; ranks: (number | null)[] }>();
  for (const [list, { ids, weight, scores }] of lists.entries()) {
    for (let at = 0; at < ids.length; at++) {
      let entry = fused.get(ids[at]);
      if (!entry) {
        entry = { id: ids[at], score: 0, ranks: lists.map(() => null) };
        fused.set(ids[at], entry);
      }
      entry.score +=
        method === 'rrf' ? weight / (k + at + 1) : whole === 0 ? 0 : ((weight / whole) * scores![at]) / scores![0];
      entry.ranks[list] = at + 1;
    }
  }
  return [...fused.values()].sort((a, b) => b.score - a.score || compareRanks(a, b) || compare(a.id, b.id));
}

function compareRanks(a: FusedRank, b: FusedRank): number {
  for (let list = 0; list < a.ranks.length; list++) {
    const rankA = a.ranks[list] ?? Infinity;
    const rankB = b.ranks[list] ?? Infinity;
    if (rankA !== rankB) return rankA < rankB ? -1 : 1;
  }
  return 0;
}
