import { dataFactory, WorldsEngine } from '@rdf-worlds/core';
import { lsaEmbedder } from '@rdf-worlds/core/embedders';
import { figure } from '../figure.ts';
import type { Table } from '../table.ts';
import { type JudgedCollection, ndcgAt10 } from './cranfield.ts';

export interface Relevance {
  readonly name: string;
  /** Mean nDCG@10 over the queries. */
  readonly ndcg: number;
}

const SUBJECTS = 'http://data.example/document/';

/**
 * Measures an engine with text search only and one with the offline embedder, each with and without
 * feedback.
 */
export async function measureRelevance(
  { documents, queries }: JudgedCollection,
  progress: (message: string) => void,
): Promise<Relevance[]> {
  // The threshold is lower than by default, because a test collection is small.
  const embedder = lsaEmbedder({ minTexts: Math.max(2, Math.min(1000, documents.length)) });
  const sides = [
    { name: 'text', options: {} },
    { name: 'text and offline embedder', options: { embedder } },
  ];
  const found: Relevance[] = [];
  for (const { name, options } of sides) {
    progress(`relevance: ${name}`);
    const engine = await WorldsEngine.open(options);
    await engine.createWorld({ slug: 'judged' });
    const { namedNode, literal, quad } = dataFactory;
    const insert = documents.map(({ id, text }) =>
      quad(namedNode(SUBJECTS + id), namedNode('http://data.example/text'), literal(text)),
    );
    await engine.write({ source: 'judged', insert });
    await engine.flush();
    for (const feedback of [false, true]) {
      let sum = 0;
      for (const { text: query, gains } of queries) {
        const hits = await engine.search({ query, limit: 10, feedback });
        sum += ndcgAt10(
          gains,
          hits.map(({ subject }) => Number(subject.slice(SUBJECTS.length))),
        );
      }
      found.push({ name: feedback ? `${name}, with feedback` : name, ndcg: sum / queries.length });
    }
    await engine.close();
  }
  return found;
}

export function relevanceTable(found: readonly Relevance[]): Table {
  return {
    title: 'Relevance: Cranfield',
    columns: ['', 'nDCG@10'],
    rows: found.map(({ name, ndcg }) => [name, figure(ndcg, 3)]),
  };
}
