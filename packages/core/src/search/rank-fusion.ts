/** A document with what one ranking gives it. */
export interface RankedDocument {
  readonly doc: number;
  /** Higher is better, above 0. */
  readonly score: number;
}

/** One ranking: ids, best first, without repetitions. */
export interface RankedList {
  readonly ids: ArrayLike<number>;
  /** What a rank in this list counts for, >= 0. */
  readonly weight: number;
  /** By place, above 0 and descending; the convex combination needs them. */
  readonly scores?: ArrayLike<number> | undefined;
}

export interface FusedRank {
  readonly id: number;
  readonly score: number;
  /**
   * The 1-based rank in each list, in the order of the lists; null where the list does not hold the
   * id.
   */
  readonly ranks: readonly (number | null)[];
}

/**
 * How rankings are joined: by ranks (reciprocal rank fusion), or by scores (a convex combination).
 */
export type FusionMethod = 'rrf' | 'convex';

export interface FuseOptions {
  readonly method?: FusionMethod | undefined;
  /** Damps the top ranks of reciprocal rank fusion; 60 in the paper. */
  readonly k?: number | undefined;
  /** Orders ids that tie in score and in all ranks; by id when absent. */
  readonly compare?: ((a: number, b: number) => number) | undefined;
}

export const DEFAULT_FUSION_K = 60;

/**
 * Reciprocal rank fusion (Cormack, Clarke, Buettcher, SIGIR 2009): an id scores the sum of weight /
 * (k + rank) over the lists that hold it. It needs ranks alone, so that scores of different kinds
 * never have to be compared.
 *
 * The convex combination (Bruch, Gai, Ingber, ACM TOIS 2023) adds up weight × score / greatest
 * score of the list, with the weights brought to a sum of 1. It keeps how far apart the hits of a
 * list are, so it can be better where the weights fit the data.
 *
 * Best first. Of equal scores the better rank in the first list wins, then in the second and so on,
 * then `compare`.
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
