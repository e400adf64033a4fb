import { bm25TextIndex, WorldsEngine } from '@rdf-worlds/core';
import type { TextIndex } from '@rdf-worlds/core/plugin';
import { becomeIdle } from '../idle.ts';
import { type Corpus, corpusTriples } from './corpus.ts';

/** The engine's memory for searching one world with the corpus. */
export interface DocumentMemory {
  /** Distinct triples. */
  readonly documents: number;
  readonly indexBytes: number;
  /**
   * Growth of typed arrays at the first search, apart from the index: the document columns and
   * their lookup structures.
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

/** Yields the whole corpus as N-Triples. */
export async function* piecesOf(corpus: Corpus): AsyncGenerator<string> {
  for (let start = 0; start < corpus.texts.length; start += PIECE) {
    yield [...corpusTriples(corpus, start, Math.min(start + PIECE, corpus.texts.length))].join('');
  }
}

/** Returns the size of all live array buffers, of which the core's stores and indexes consist. */
export async function arrayBytes(): Promise<number> {
  await becomeIdle();
  // V8 frees the memory of arrays only after the collection that found them.
  await becomeIdle();
  return process.memoryUsage().arrayBuffers;
}
