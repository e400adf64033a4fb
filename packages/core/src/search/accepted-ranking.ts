import type { MemoryBudget } from '../model/memory-budget.ts';
import type { Slicer } from '../storage/slicer.ts';
import type { DocumentTable } from './document-table.ts';
import type { RankedDocument } from './rank-fusion.ts';
import type { NamespaceSearchQuery } from './search-query.ts';

/** Where too little of a list was accepted it is asked for so many times as deep. */
const DEEPER = 8;
/** What a ranked document takes, with the verdict on it. */
const HIT_BYTES = 96;

export interface AcceptedRanking {
  readonly table: DocumentTable;
  readonly accepts: NamespaceSearchQuery['accepts'];
  readonly depth: number;
  /** Lists that are asked for deeper are claimed of it while the search runs. */
  readonly memory: MemoryBudget | undefined;
  readonly rank: (depth: number) => Promise<RankedDocument[]>;
}

/**
 * The first `depth` of a ranking that are accepted: it is asked for deeper until there are so many,
 * or no more.
 */
export async function acceptedRanking(work: AcceptedRanking, slicer: Slicer): Promise<RankedDocument[]> {
  const { depth, accepts, memory, rank } = work;
  if (depth === 0) return [];
  if (!accepts) return rank(depth);
  let claimed = 0;
  const claim = (bytes: number) => {
    claimed += bytes;
    memory?.claimMemory(bytes);
  };
  try {
    return await firstAccepted({ ...work, accepts }, claim, slicer);
  } finally {
    claim(-claimed);
  }
}

async function firstAccepted(
  { table, accepts, depth, rank }: AcceptedRanking & { readonly accepts: NonNullable<AcceptedRanking['accepts']> },
  claim: (bytes: number) => void,
  slicer: Slicer,
): Promise<RankedDocument[]> {
  const { subject, predicate, object } = table;
  const verdicts = new Map<number, boolean>();
  let claimedHits = depth;
  for (let deep = depth; ; deep = Math.min(table.size, deep * DEEPER)) {
    if (deep > claimedHits) claim((deep - claimedHits) * HIT_BYTES);
    claimedHits = Math.max(deep, claimedHits);
    const ranked = await rank(deep);
    const kept: RankedDocument[] = [];
    for (const hit of ranked) {
      const { doc } = hit;
      let verdict = verdicts.get(doc);
      if (verdict === undefined) {
        const ids = {
          world: table.worldOf(doc),
          subject: subject[doc],
          predicate: predicate[doc],
          object: object[doc],
        };
        verdict = accepts(ids);
        verdicts.set(doc, verdict);
        if (slicer.due) await slicer.pause();
      }
      if (verdict) kept.push(hit);
      if (kept.length === depth) return kept;
    }
    if (ranked.length < deep || deep >= table.size) return kept;
  }
}
