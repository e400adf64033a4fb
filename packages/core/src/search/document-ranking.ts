import { Slicer } from '../contracts/slicer.ts';
import type { TermId } from '../contracts/term-source.ts';
import type { TextFeedback, TextScope } from '../contracts/text-index.ts';
import { acceptedRanking } from './accepted-ranking.ts';
import { AllowedDocuments } from './allowed-documents.ts';
import { byTerms, wholeTies } from './canonical-ties.ts';
import type { DocumentTable } from './document-table.ts';
import { explainHit, type HitExplanation } from './hit-explanation.ts';
import type { EmbeddedQuery } from './literal-vectors.ts';
import type { SearchLogger } from './namespace-search-options.ts';
import { type FusedRank, fuseRanks, type RankedDocument } from './rank-fusion.ts';
import type { ResolvedFeedback, ResolvedFusion } from './ranking-options.ts';
import type { DocumentHit, NamespaceSearchQuery, RankingSettings, SearchExplanation } from './search-query.ts';
import type { SearchedDocuments } from './searched-documents.ts';
import { openTextRanker, type TextRanker } from './text-ranker.ts';
import { rankByVector } from './vector-ranking.ts';
import { keptWeight, wordDoubt } from './word-doubt.ts';

/** Minimum depth of a list, so that a small limit does not cut off the overlap of the two lists. */
const MIN_DEPTH = 100;
/** Hits with less than this part of the best score tell more about their own topics. */
const FEEDBACK_SCORE = 0.5;

export interface RankingWork {
  readonly query: NamespaceSearchQuery;
  readonly settings: RankingSettings;
  /** Null without an embedder. */
  readonly embedded: EmbeddedQuery | null;
}

/** Returns the hits of a query, best first. Requires the lock of the documents. */
export async function rankDocuments(
  documents: SearchedDocuments,
  { query, settings, embedded }: RankingWork,
  logger: SearchLogger | undefined,
): Promise<DocumentHit[]> {
  const { table, vectors, terms } = documents;
  const { limit, signal, accepts, memory } = query;
  const { fusion } = settings;
  const startMs = performance.now();
  const slicer = new Slicer(signal);
  // Searches that wait for the same index resume together, and most are too short to pause later.
  if (slicer.due) await slicer.pause();
  const allowed = await AllowedDocuments.open(table, query, slicer);
  const scope = scopeOf(query.worlds, allowed);
  const depth = depthOf(documents, limit, settings);
  const isAnything = !allowed.isNothing;
  const depthWanted = (isWanted: boolean) => (isWanted && isAnything ? depth : 0);
  await documents.open();
  const { textIndex: index, fields } = documents;
  const openRanker = (feedback?: TextFeedback) =>
    openTextRanker({ table, index, fields, query, weights: settings.fields, allowed, scope, feedback }, slicer);
  const compare = query.canonicalOrder && terms ? byTerms(table, terms) : (a: number, b: number) => table.compare(a, b);
  const inOrder = (rank: (deep: number) => Promise<RankedDocument[]>) =>
    query.canonicalOrder ? (deep: number) => wholeTies(rank, deep, table.size, compare) : rank;
  const rankText = ({ rank }: TextRanker) =>
    acceptedRanking({ table, accepts, terms, memory, depth: depthWanted(true), rank: inOrder(rank) }, slicer);
  const exact = query.canonicalOrder;
  // Conditions on single documents, and ties that must be whole, need all documents of a literal.
  const perLiteral = accepts || query.canonicalOrder ? Number.POSITIVE_INFINITY : limit;
  const rankNear = (deep: number) =>
    rankByVector(
      { table, vectors: vectors!, embedded: embedded!, depth: deep, perLiteral, allowed, exact, signal },
      slicer,
    );
  const ranker = await openRanker();
  let text = await rankText(ranker);
  const isNear = embedded?.vector != null;
  const nearest = await acceptedRanking(
    { table, accepts, terms, memory, depth: depthWanted(isNear), rank: inOrder(rankNear) },
    slicer,
  );
  const doubt = index && (isNear || settings.feedback) ? await wordDoubt(ranker, text) : 1;
  let near: readonly RankedDocument[] = nearest;
  const join = () => {
    near = withEqualTexts(nearest, text, table);
    const fused = fuse(compare, [text, near], depth, fusion, { doubt, coverage: embedded?.coverage ?? 1 });
    // A ranking of weight 0 contributes no hits of its own, unless it is the only one.
    return isNear && index ? fused.filter(({ score }) => score > 0) : fused;
  };
  let last = ranker;
  let fused = join();
  if (settings.feedback && fused.length > 0 && index) {
    last = await openRanker(feedbackOf(documents, fused, settings.feedback, doubt));
    text = await rankText(last);
    fused = join();
  }
  const explanation: SearchExplanation = {
    documents: table.size,
    filter: allowed.documents ? { kind: allowed.documents.kind, size: allowed.documents.size } : null,
    tested: allowed.accepts !== undefined,
    depth,
    textHits: documents.hasTexts ? text.length : null,
    vectorHits: vectors ? nearest.length : null,
    wordDoubt: doubt,
    coverage: embedded?.coverage ?? null,
    vectors: vectors && { ...vectors.status, failure: embedded!.failure ?? vectors.status.failure },
    rankingMs: performance.now() - startMs,
  };
  logger?.debug(explanation, 'ranked search');
  query.explain?.(explanation);
  const hits = fused.slice(0, limit);
  const explained = query.explainHits
    ? await explainHits(documents, { hits, ranker: last, text, near }, slicer)
    : undefined;
  return hits.map(({ id, score, ranks }, at) => {
    const hit: DocumentHit = {
      world: table.worldOf(id),
      subject: table.subject[id],
      predicate: table.predicate[id],
      object: table.object[id],
      vecRank: ranks[1],
      ftsRank: ranks[0],
      score,
    };
    return explained ? { ...hit, explanation: explained[at] } : hit;
  });
}

function fuse(
  compare: (a: number, b: number) => number,
  [text, near]: readonly (readonly RankedDocument[])[],
  depth: number,
  { method, k, textWeight, vectorWeight }: ResolvedFusion,
  { doubt, coverage }: { readonly doubt: number; readonly coverage: number },
): FusedRank[] {
  const isAdaptive = method === 'adaptive';
  const list = (ranked: readonly RankedDocument[], weight: number, ranks?: readonly number[]) => ({
    ids: ranked.map(({ doc }) => doc),
    scores: ranked.map(({ score }) => score),
    isCut: ranked.length >= depth,
    weight,
    ranks,
  });
  const nearWeight = isAdaptive ? vectorWeight * keptWeight(doubt) * coverage : vectorWeight;
  return fuseRanks([list(text, textWeight), list(near, nearWeight, sharedRanks(near))], {
    method: isAdaptive ? 'convex' : method,
    k,
    compare,
  });
}

/** Returns 1-based ranks in which equal scores, as those of equal texts, share one. */
function sharedRanks(ranked: readonly RankedDocument[]): number[] {
  let rank = 0;
  return ranked.map(({ score }, at) => {
    if (at === 0 || score !== ranked[at - 1].score) rank++;
    return rank;
  });
}

/** Adds the documents of the text ranking whose literals are in the vector ranking. */
function withEqualTexts(
  near: readonly RankedDocument[],
  text: readonly RankedDocument[],
  table: DocumentTable,
): readonly RankedDocument[] {
  if (near.length === 0) return near;
  const ranked = new Set(near.map(({ doc }) => doc));
  const scoreOf = new Map(near.map(({ doc, score }) => [table.object[doc], score]));
  const more: RankedDocument[] = [];
  for (const { doc } of text) {
    const score = scoreOf.get(table.object[doc]);
    if (score !== undefined && !ranked.has(doc)) more.push({ doc, score });
  }
  return more.length === 0 ? near : near.concat(more).sort((a, b) => b.score - a.score);
}

/**
 * Returns the texts of the best documents so far, weighted by score, as feedback. Its words count
 * less if a text has all words of the query: others would only lead away from it.
 */
function feedbackOf(
  all: SearchedDocuments,
  fused: readonly FusedRank[],
  { documents, terms, weight }: ResolvedFeedback,
  doubt: number,
): TextFeedback {
  const best: TextFeedback['documents'][number][] = [];
  const known = new Set<TermId>();
  const least = fused[0].score * FEEDBACK_SCORE;
  for (const { id, score } of fused.slice(0, documents)) {
    if (score < least) break;
    const object = all.table.object[id];
    const literal = all.textOf(object);
    if (known.has(object) || !literal || score === 0) continue;
    known.add(object);
    best.push({ ...literal, weight: score });
  }
  return { documents: best, terms, weight: weight * keptWeight(doubt) };
}

interface RankedHits {
  readonly hits: readonly FusedRank[];
  /** The text side of the final ranking. */
  readonly ranker: TextRanker;
  readonly text: readonly RankedDocument[];
  readonly near: readonly RankedDocument[];
}

async function explainHits(
  documents: SearchedDocuments,
  { hits, ranker, text, near }: RankedHits,
  slicer: Slicer,
): Promise<HitExplanation[]> {
  const textScoreOf = new Map(text.map(({ doc, score }) => [doc, score]));
  const similarityOf = new Map(near.map(({ doc, score }) => [doc, score]));
  const textScores = await ranker.explainer();
  const nameScores = await ranker.fields?.explainer();
  const explained: HitExplanation[] = [];
  for (const { id } of hits) {
    explained.push(
      explainHit(documents.textIndex, {
        literal: documents.textOf(documents.table.object[id])!,
        textScores: textScores?.(id) ?? [],
        nameScores: nameScores?.(id) ?? [],
        textScore: textScoreOf.get(id) ?? null,
        similarity: similarityOf.get(id) ?? null,
      }),
    );
    if (slicer.due) await slicer.pause();
  }
  return explained;
}

/**
 * Returns the depth to which each list is ranked. A single list needs only the limit. With two
 * lists of equal weight, `limit` documents score at least 1 / (k + limit) each, and a document that
 * is in neither list to depth d scores less than 2 / (k + d): from d = 2 limit + k on it cannot be
 * in the result. Unequal weights need less. Feedback needs at least its number of documents,
 * whatever the limit. Capped by the number of documents.
 */
function depthOf(
  { hasTexts, vectors, table }: SearchedDocuments,
  limit: number,
  { fusion, feedback }: RankingSettings,
): number {
  const wanted = hasTexts && vectors ? Math.max(MIN_DEPTH, 2 * limit + Math.ceil(fusion.k)) : limit;
  return Math.max(1, Math.min(Math.max(wanted, feedback?.documents ?? 0), table.size));
}

/**
 * Returns the scope for text statistics, so that scores reveal nothing about worlds that the caller
 * cannot see; undefined if no worlds are hidden.
 */
function scopeOf(worlds: Uint32Array | null | undefined, allowed: AllowedDocuments): TextScope | undefined {
  if (!worlds || !allowed.documents || allowed.isNothing) return undefined;
  return { groups: [...new Set(worlds)], documents: allowed.documents };
}
