import { WorldsEngine, type WorldsEngineOptions } from '@rdf-worlds/core';
import { lsaEmbedder } from '@rdf-worlds/core/embedders';
import { figure } from '../figure.ts';
import type { Table } from '../table.ts';
import type { JudgedCollection } from './collections/judged-collection.ts';
import { ndcgAt10, recallAt10 } from './relevance.ts';

/** Relevance of one setting on one collection. */
export interface Relevance {
  readonly setting: string;
  /** Means over the queries. */
  readonly ndcg: number;
  readonly recall: number;
}

export interface CollectionRelevance {
  readonly collection: string;
  readonly quads: number;
  readonly queries: number;
  readonly settings: readonly Relevance[];
}

/** Hits asked for: several may be of one subject. */
const LIMIT = 30;
/** Fewer than by default, because test collections are small. */
const MIN_TEXTS = 500;

/** Settings from words alone to all together. */
const SETTINGS: readonly {
  readonly name: string;
  readonly hasVectors?: boolean;
  readonly options?: WorldsEngineOptions;
  readonly feedback?: boolean;
}[] = [
  { name: 'words' },
  { name: 'fields', options: { fields: true } },
  { name: 'feedback', feedback: true },
  { name: 'vectors', hasVectors: true },
  { name: 'vectors, rrf', hasVectors: true, options: { fusion: 'rrf' } },
  { name: 'all', hasVectors: true, options: { fields: true }, feedback: true },
];

/** Measures each setting of the search on a collection. */
export async function measureRelevance(
  { name, quads, queries }: JudgedCollection,
  progress: (message: string) => void,
): Promise<CollectionRelevance> {
  const settings: Relevance[] = [];
  for (const { name: setting, hasVectors = false, options = {}, feedback = false } of SETTINGS) {
    progress(`relevance: ${name}, ${setting}`);
    const embedder = hasVectors ? lsaEmbedder({ minTexts: MIN_TEXTS }) : undefined;
    const engine = await WorldsEngine.open({ ...options, embedder });
    await engine.createWorld({ slug: 'judged' });
    await engine.write({ source: 'judged', insert: quads });
    await engine.search({ query: queries[0].text, limit: 1 });
    await engine.flush();
    let [ndcg, recall] = [0, 0];
    for (const { text: query, gains } of queries) {
      const hits = await engine.search({ query, limit: LIMIT, feedback });
      const subjects = [...new Set(hits.map(({ subject }) => subject))];
      ndcg += ndcgAt10(gains, subjects);
      recall += recallAt10(gains, subjects);
    }
    settings.push({ setting, ndcg: ndcg / queries.length, recall: recall / queries.length });
    await engine.close();
  }
  return { collection: name, quads: quads.length, queries: queries.length, settings };
}

export function relevanceTable(found: readonly CollectionRelevance[]): Table {
  return {
    title: 'Relevance: nDCG@10 (recall@10), by subject',
    columns: ['', 'quads', 'queries', ...SETTINGS.map(({ name }) => name)],
    rows: found.map(({ collection, quads, queries, settings }) => [
      collection,
      figure(quads),
      figure(queries),
      ...settings.map(({ ndcg, recall }) => `${figure(ndcg, 3)} (${figure(recall, 3)})`),
    ]),
  };
}
