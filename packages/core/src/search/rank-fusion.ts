/** One ranking: ids, best first, without repetitions. */
export interface RankedList {
  readonly ids: ArrayLike<number>;
  /** What a rank in this list counts for, >= 0. */
  readonly weight: number;
}

export interface FusedRank {
  readonly id: number;
  readonly score: number;
  /** The 1-based rank in each list, in the order of the lists; null where the list does not hold the id. */
  readonly ranks: readonly (number | null)[];
}

export interface FuseOptions {
  /** Damps the top ranks; 60 in the paper. */
  readonly k?: number;
  /** Orders ids that tie in score and in all ranks; by id when absent. */
  readonly compare?: (a: number, b: number) => number;
}

export const DEFAULT_FUSION_K = 60;

/**
 * Reciprocal rank fusion (Cormack, Clarke, Buettcher, SIGIR 2009): an id scores the sum of weight / (k + rank) over the lists
 * that hold it. It needs ranks alone, so that scores of different kinds never have to be compared.
 *
 * Best first. Of equal scores the better rank in the first list wins, then in the second and so on, then `compare`.
 */
export function fuseRanks(lists: readonly RankedList[], options: FuseOptions = {}): FusedRank[] {
  const { k = DEFAULT_FUSION_K, compare = (a, b) => a - b } = options;
  const fused = new Map<number, { id: number; score: number; ranks: (number | null)[] }>();
  for (const [list, { ids, weight }] of lists.entries()) {
    for (let at = 0; at < ids.length; at++) {
      let entry = fused.get(ids[at]);
      if (!entry) {
        entry = { id: ids[at], score: 0, ranks: lists.map(() => null) };
        fused.set(ids[at], entry);
      }
      entry.score += weight / (k + at + 1);
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
