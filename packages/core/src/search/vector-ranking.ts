import type { Slicer } from '../contracts/slicer.ts';
import type { TermId } from '../contracts/term-source.ts';
import type { AllowedDocuments } from './allowed-documents.ts';
import { NO_DOC } from './document-chains.ts';
import { literalsOf } from './document-filter.ts';
import type { DocumentTable } from './document-table.ts';
import type { EmbeddedQuery, LiteralVectors } from './literal-vectors.ts';
import type { RankedDocument } from './rank-fusion.ts';

export interface VectorRanking {
  /** Requires `byLiteral`. */
  readonly table: DocumentTable;
  readonly vectors: LiteralVectors;
  readonly embedded: EmbeddedQuery;
  /** Maximum number of documents. */
  readonly depth: number;
  /**
   * Maximum number of documents of one literal, so that a text which thousands of documents share
   * does not fill the ranking.
   */
  readonly perLiteral: number;
  readonly allowed: AllowedDocuments;
  /** See `VectorSearchOptions.exact`. */
  readonly exact: boolean | undefined;
  readonly signal: AbortSignal | undefined;
}

/** Returns documents by the similarity of their literals, best first. */
export async function rankByVector(
  { table, vectors, embedded, depth, perLiteral, allowed, exact, signal }: VectorRanking,
  slicer: Slicer,
): Promise<RankedDocument[]> {
  const filter = await allowed.list(slicer);
  const literals = filter && (await literalsOf(table, filter, slicer));
  const hits = await vectors.search(embedded, {
    limit: depth,
    ...(literals && { filter: literals }),
    ...(exact && { exact }),
    ...(signal && { signal }),
  });
  const ranked: RankedDocument[] = [];
  for (const { key, similarity } of hits) {
    if (similarity <= 0 || ranked.length >= depth) break;
    const room = Math.min(perLiteral, depth - ranked.length);
    const docs = await documentsOf(table, key, room, allowed, slicer);
    for (const doc of docs) ranked.push({ doc, score: similarity });
  }
  return ranked;
}

/** Returns the first `limit` documents of a literal, in the order of `compare`. */
async function documentsOf(
  table: DocumentTable,
  literal: TermId,
  limit: number,
  allowed: AllowedDocuments,
  slicer: Slicer,
): Promise<number[]> {
  // Defined, because a table with vectors is created with `byLiteral`.
  const objects = table.objects!;
  const best: number[] = [];
  let visited = 0;
  for (let doc = objects.first(literal); doc !== NO_DOC; doc = objects.next(doc)) {
    if (++visited % 1024 === 0 && slicer.due) await slicer.pause();
    if (!allowed.has(doc)) continue;
    if (best.length === limit && table.compare(doc, best[limit - 1]) > 0) continue;
    let at = 0;
    for (let high = best.length; at < high; ) {
      const middle = (at + high) >>> 1;
      if (table.compare(best[middle], doc) < 0) at = middle + 1;
      else high = middle;
    }
    best.splice(at, 0, doc);
    if (best.length > limit) best.pop();
  }
  return best;
}
