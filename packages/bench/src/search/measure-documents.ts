import { bm25TextIndex, type TextIndex, WorldsEngine } from '@rdf-worlds/core';
import { becomeIdle } from '../idle.ts';
import { type Corpus, corpusTriples } from './corpus.ts';

/** What the engine keeps for searching one world with the corpus in it. */
export interface DocumentMemory {
  /** Distinct triples. */
  readonly documents: number;
  readonly indexBytes: number;
  /**
   * What arrays grew by at the first search, but for the index: the columns of the documents and
   * what finds them.
   */
  readonly documentBytes: number;
}

const PIECE = 4096;

export async function measureDocuments(corpus: Corpus): Promise<DocumentMemory> {
  let index: TextIndex | undefined;
  const textIndex = async () => (index = await bm25TextIndex()());
  const engine = await WorldsEngine.open({ textIndex });
  await engine.createWorld({ slug: 'texts' });
  await engine.import({ source: 'texts', data: piecesOf(corpus), contentType: 'application/n-triples' });
  await engine.settle();
  const before = await arrayBytes();
  await engine.search({ query: 'nothing', limit: 1 });
  const after = await arrayBytes();
  const { quads } = await engine.stats();
  const indexBytes = index?.memoryBytes ?? 0;
  await engine.close();
  return { documents: quads, indexBytes, documentBytes: after - before - indexBytes };
}

/** N-Triples of the whole corpus. */
export async function* piecesOf(corpus: Corpus): AsyncGenerator<string> {
  for (let start = 0; start < corpus.texts.length; start += PIECE) {
    yield [...corpusTriples(corpus, start, Math.min(start + PIECE, corpus.texts.length))].join('');
  }
}

/** Of all typed arrays that are alive: the stores and indexes of the core are made of them. */
export async function arrayBytes(): Promise<number> {
  await becomeIdle();
  // V8 frees the memory of arrays after the collection that found them.
  await becomeIdle();
  return process.memoryUsage().arrayBuffers;
}
