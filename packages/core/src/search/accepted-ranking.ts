import type { Slicer } from '../contracts/slicer.ts';
import type { TermSource } from '../contracts/term-source.ts';
import type { MemoryBudget } from '../model/memory-budget.ts';
import type { DocumentTable } from './document-table.ts';
import type { RankedDocument } from './rank-fusion.ts';
import type { DocumentIds, NamespaceSearchQuery } from './search-query.ts';

/** Factor by which the depth grows when too few hits were accepted. */
const DEEPER = 8;
/** Memory of a ranked document with its verdict. */
const HIT_BYTES = 96;

export interface AcceptedRanking {
  readonly table: DocumentTable;
  readonly accepts: NamespaceSearchQuery['accepts'];
  /** Decodes the documents; undefined if there are none. */
  readonly terms: TermSource | undefined;
  readonly depth: number;
  /** Budget that deeper lists are claimed from while the search runs. */
  readonly memory: MemoryBudget | undefined;
  readonly rank: (depth: number) => Promise<RankedDocument[]>;
}

/**
 * Returns the first `depth` accepted documents of a ranking. Ranks deeper until enough are accepted
 * or the ranking ends.
 */
export async function acceptedRanking(work: AcceptedRanking, slicer: Slicer): Promise<RankedDocument[]> {
  const { depth, accepts, terms, memory, rank } = work;
  if (depth === 0) return [];
  if (!accepts || !terms) return rank(depth);
  let claimed = 0;
  const claim = (bytes: number) => {
    claimed += bytes;
    memory?.claimMemory(bytes);
  };
  try {
    return await firstAccepted({ ...work, accepts: (document) => accepts(document, terms) }, claim, slicer);
  } finally {
    claim(-claimed);
  }
}

async function firstAccepted(
  {
    table,
    accepts,
    depth,
    rank,
  }: Omit<AcceptedRanking, 'accepts'> & {
    readonly accepts: (document: DocumentIds) => boolean;
  },
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
