import type { DocSet } from '../contracts/doc-set.ts';
import type { Slicer } from '../contracts/slicer.ts';
import type {
  TermScore,
  TextExplainOptions,
  TextFeedback,
  TextIndex,
  TextScope,
  WordHits,
  WordWeight,
} from '../contracts/text-index.ts';
import { WorldsError } from '../model/worlds-error.ts';
import type { AllowedDocuments } from './allowed-documents.ts';
import { docSetHas } from './doc-set.ts';
import type { DocumentTable } from './document-table.ts';
import type { FieldIndex } from './fields/field-index.ts';
import type { FieldRanking } from './fields/field-ranking.ts';
import type { FieldWeights } from './fields/field-weights.ts';
import type { RankedDocument } from './rank-fusion.ts';
import type { NamespaceSearchQuery } from './search-query.ts';
import { rankWithFields } from './text-ranking.ts';

/** The text side of one search. */
export interface TextRanker {
  readonly rank: (depth: number) => Promise<RankedDocument[]>;
  /** Resolves to undefined if the index does not support explanations. */
  readonly explainer: () => Promise<((doc: number) => readonly TermScore[]) | undefined>;
  /** Resolves to undefined if the index does not support it. */
  readonly wordWeights: () => Promise<readonly WordWeight[] | undefined>;
  readonly fields: FieldRanking | undefined;
}

export interface TextRankerWork {
  readonly table: DocumentTable;
  readonly index: TextIndex | undefined;
  /** Required if the query uses fields. */
  readonly fields: FieldIndex | undefined;
  readonly query: NamespaceSearchQuery;
  /** Weights of names; undefined if the query does not use fields. */
  readonly weights: FieldWeights | undefined;
  readonly allowed: AllowedDocuments;
  readonly scope: TextScope | undefined;
  readonly feedback?: TextFeedback | undefined;
}

/** Opens the text side of one search, including names if the query uses fields. */
export async function openTextRanker(work: TextRankerWork, slicer: Slicer): Promise<TextRanker> {
  const { table, index, query, weights, allowed, scope, feedback } = work;
  const { query: text, worlds, prefix, signal } = query;
  const options: TextExplainOptions = { prefix, scope, feedback, signal };
  const explainer = async () => (index?.explainer ? index.explainer(text, options) : undefined);
  const wordWeights = async () => index?.wordWeights?.(text, options);
  if (!index) return { rank: async () => [], explainer, wordWeights, fields: undefined };
  const byText = (depth: number, only: DocSet | undefined) =>
    rankByText({ table, index, query: text, depth, allowed, only, options }, slicer);
  if (!weights || allowed.isNothing) {
    return { rank: (depth) => byText(depth, undefined), explainer, wordWeights, fields: undefined };
  }
  const names = { query: text, weights, worlds: scope && worlds ? worlds : undefined, visible: scope?.documents };
  const fields = await work.fields!.rank({ ...names, prefix, allowed, signal }, slicer);
  const compare = (a: number, b: number) => table.compare(a, b);
  const textWords = async () => {
    if (index.wordHits && !fields.isSelective) {
      const words = await index.wordHits(text, { ...options, ...(await filterOf(index, allowed, slicer)) });
      return { words, areOfAll: true };
    }
    const filter = await fields.documents();
    const words = index.wordHits
      ? await index.wordHits(text, { ...options, filter })
      : explainedWords(await byText(Math.max(1, filter.size), filter), await explainer());
    return { words, areOfAll: false };
  };
  const rank = (depth: number) =>
    rankWithFields({ depth, byText: (deep) => byText(deep, undefined), textWords, fields, compare }, slicer);
  return { rank, explainer, wordWeights, fields };
}

/**
 * Returns the words of hits from an explanation of each. Without one, nobody knows which words of
 * the names the texts have too, so that all scores add up.
 */
function explainedWords(
  hits: readonly RankedDocument[],
  scoresOf: ((doc: number) => readonly TermScore[]) | undefined,
): WordHits[] {
  const words = new Map<string, { docs: number[]; scores: number[] }>();
  for (const hit of hits) {
    for (const { word, score } of scoresOf?.(hit.doc) ?? [{ word: '', score: hit.score }]) {
      const found = words.get(word) ?? { docs: [], scores: [] };
      found.docs.push(hit.doc);
      found.scores.push(score);
      words.set(word, found);
    }
  }
  return Array.from(words, ([word, found]) => ({ word, ...found }));
}

interface ByText {
  readonly table: DocumentTable;
  readonly index: TextIndex;
  readonly query: string;
  readonly depth: number;
  readonly allowed: AllowedDocuments;
  /** Only these of the allowed documents. */
  readonly only: DocSet | undefined;
  readonly options: TextExplainOptions;
}

/** Returns the allowed documents as this index can apply them. */
async function filterOf(index: TextIndex, allowed: AllowedDocuments, slicer: Slicer) {
  return index.supportsAccepts
    ? { filter: allowed.documents, accepts: allowed.accepts }
    : { filter: await allowed.list(slicer), accepts: undefined };
}

/** Returns the best documents by text alone, best first. */
async function rankByText(
  { table, index, query, depth, allowed, only, options }: ByText,
  slicer: Slicer,
): Promise<RankedDocument[]> {
  const { filter, accepts } = only ? { filter: only, accepts: undefined } : await filterOf(index, allowed, slicer);
  const { prefix, scope, feedback, signal } = options;
  const found = await index.search(query, { prefix, scope, feedback, signal, limit: depth, filter, accepts });
  const hits: RankedDocument[] = [];
  for (const hit of found) {
    // The number may be unused: the index once failed while adding it.
    if (!table.has(hit.doc)) continue;
    hits.push(hit);
    // Enforced here, because access control must not depend on the correctness of a plug-in.
    if ((filter && !docSetHas(filter, hit.doc)) || (accepts && !accepts(hit.doc)))
      throw new WorldsError(
        'UNSUPPORTED',
        'The text index returned a document outside its filter; use an index that passes the text index contract of @rdf-worlds/testkit.',
      );
  }
  // The index breaks ties by document number, which depends on history.
  return hits.sort((a, b) => b.score - a.score || table.compare(a.doc, b.doc));
}
