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
  /** Scores by position, above 0 and descending; required by combinations of scores. */
  readonly scores?: ArrayLike<number> | undefined;
  /** 1-based ranks by position, if equal ids share one; otherwise the positions. */
  readonly ranks?: ArrayLike<number> | undefined;
  /** Whether the list was cut, so that ids which it does not contain may have a score. */
  readonly isCut?: boolean | undefined;
}

export interface FusedRank {
  readonly id: number;
  readonly score: number;
  /** 1-based rank in each list, in list order; null if the list does not contain the id. */
  readonly ranks: readonly (number | null)[];
}

/**
 * How rankings are combined: by score, with less weight for vectors if the words leave little open
 * (adaptive); by rank (reciprocal rank fusion); by score (convex combination).
 */
export type FusionMethod = 'adaptive' | 'rrf' | 'convex';

export interface FuseOptions {
  /** By default `rrf`. */
  readonly method?: 'rrf' | 'convex' | undefined;
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
 * the list, with the weights of lists that have ids normalised to a sum of 1. It preserves the
 * distances between the hits of a list, so it can be better if the weights suit the data. An id
 * that is not in a list which was cut gets the least score of that list: its own is at most that,
 * and 0 would say that the list had refused it.
 */
export function fuseRanks(lists: readonly RankedList[], options: FuseOptions = {}): FusedRank[] {
  const { method = 'rrf', k = DEFAULT_FUSION_K, compare = (a, b) => a - b } = options;
  const whole = lists.reduce((sum, { ids, weight }) => sum + (ids.length > 0 ? weight : 0), 0);
  const share = (weight: number, scores: ArrayLike<number>, at: number) =>
    whole === 0 ? 0 : ((weight / whole) * scores[at]) / scores[0];
  const fused = new Map<number, { id: number; score: number; ranks: (number | null)[] }>();
  for (const [list, { ids, weight, scores, ranks }] of lists.entries()) {
    for (let at = 0; at < ids.length; at++) {
      let entry = fused.get(ids[at]);
      if (!entry) {
        entry = { id: ids[at], score: 0, ranks: lists.map(() => null) };
        fused.set(ids[at], entry);
      }
      const rank = ranks?.[at] ?? at + 1;
      entry.score += method === 'rrf' ? weight / (k + rank) : share(weight, scores!, at);
      entry.ranks[list] = rank;
    }
  }
  const entries = [...fused.values()];
  if (method === 'convex') {
    for (const [list, { ids, weight, scores, isCut }] of lists.entries()) {
      if (!isCut || ids.length === 0) continue;
      const least = share(weight, scores!, ids.length - 1);
      // An id that only lists of weight 0 contain is not a hit.
      for (const entry of entries) if (entry.ranks[list] === null && entry.score > 0) entry.score += least;
    }
  }
  return entries.sort((a, b) => b.score - a.score || compareRanks(a, b) || compare(a.id, b.id));
}

function compareRanks(a: FusedRank, b: FusedRank): number {
  for (let list = 0; list < a.ranks.length; list++) {
    const rankA = a.ranks[list] ?? Infinity;
    const rankB = b.ranks[list] ?? Infinity;
    if (rankA !== rankB) return rankA < rankB ? -1 : 1;
  }
  return 0;
}
