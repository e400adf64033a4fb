import { type TripleSearchResult, WorldsEngine, type WorldsEngineOptions } from '@rdf-worlds/core';
import { type Embedder, lsaEmbedder } from '@rdf-worlds/core/embedders';
import { SeededRandom } from '@rdf-worlds/testkit';
import { describe, expect, it, vi } from 'vitest';
import { hnswIndex } from '../src/index.ts';
import { StandInGraph } from './stand-in-graph.ts';

/**
 * A search in canonical order must answer the same whatever worlds hold that it does not search,
 * although their vectors are in the same graph.
 */

const isInstalled = await hnswIndex()(2).then(
  () => true,
  () => false,
);
if (!isInstalled) vi.doMock('hnswlib-node', () => ({ HierarchicalNSW: StandInGraph }));

/** A graph so poor that what it finds follows from every point in it. */
const vectorIndex = hnswIndex({ m: 2, efConstruction: 1, efSearch: 1, exactUpTo: 0 });

/** The letters of a text as a vector. */
const letters: Embedder = {
  id: 'letters',
  dimensions: 26,
  batchSize: 256,
  embed: async (texts) =>
    texts.map((text) => {
      const vector = new Float32Array(26);
      for (const letter of text) {
        const at = letter.charCodeAt(0) - 97;
        if (at >= 0 && at < 26) vector[at]++;
      }
      return vector;
    }),
};

const word = (random: SeededRandom) =>
  Array.from({ length: 8 }, () => String.fromCharCode(97 + random.below(26))).join('');

function texts(world: string, count: number, seed: number): string[] {
  const random = new SeededRandom(seed);
  return Array.from({ length: count }, (_, i) => `<urn:${world}:${i}> <urn:p> "${word(random)} ${word(random)}" .`);
}

const OWN = texts('own', 250, 3);
const HIDDEN: readonly (readonly string[])[] = [
  [],
  texts('hidden', 600, 5),
  // The same texts, and texts that lie between them.
  OWN.flatMap((line, i) => {
    const text = /"(.*)"/.exec(line)![1];
    return [`<urn:h:${i}> <urn:q> "${text}" .`, `<urn:h:${i}> <urn:q> "${text} ${text.slice(0, 5)}" .`];
  }).toReversed(),
];
const QUERIES = OWN.slice(0, 6).map((line) => `${/"(\w+)/.exec(line)![1]} ${/(\w+)"/.exec(line)![1].slice(0, 5)}`);

async function opened(hidden: readonly string[], options: WorldsEngineOptions): Promise<WorldsEngine> {
  const engine = await WorldsEngine.open({ ...options, vectorIndex });
  for (const slug of ['hidden', 'own']) await engine.createWorld({ slug });
  await engine.import({ source: 'hidden', contentType: 'text/turtle', data: hidden.join('\n') });
  // The vectors of the hidden world are in the graph before those of the other.
  await engine.search({ query: 'anything' });
  await engine.flush();
  await engine.import({ source: 'own', contentType: 'text/turtle', data: OWN.join('\n') });
  await engine.flush();
  return engine;
}

const shown = (hits: readonly TripleSearchResult[]) =>
  hits.map(({ subject, score, ftsRank, vecRank, explanation }) => [subject, score, ftsRank, vecRank, explanation]);

/** The answers of engines that differ in what is hidden. */
async function answersOf(options: WorldsEngineOptions, canonicalOrder: boolean): Promise<string[]> {
  const answers: string[] = [];
  for (const hidden of HIDDEN) {
    await using engine = await opened(hidden, options);
    const all: unknown[] = [];
    for (const query of QUERIES) {
      for (const limit of [1, 5, 40]) {
        const hits = await engine.search({ query, limit, sources: ['own'], explain: true, canonicalOrder });
        all.push(hits.length, shown(hits));
      }
      const service = `PREFIX ws: <urn:rdf-worlds:search#> SELECT ?s ?score {
        SERVICE <urn:rdf-worlds:search> { [] ws:query "${query}" ; ws:subject ?s ; ws:score ?score ; ws:limit 3 } }`;
      all.push(await engine.sparql({ query: service, sources: ['own'], canonicalOrder }));
    }
    answers.push(JSON.stringify(all));
  }
  return answers;
}

describe(`a search of some worlds in hnswIndex, ${isInstalled ? 'on hnswlib-node' : 'on a graph that stands in'}`, () => {
  it.each<readonly [string, WorldsEngineOptions]>([
    ['an embedder alone', { embedder: letters, textIndex: null }],
    ['an embedder and a text index', { embedder: letters }],
    ['a convex combination', { embedder: letters, fusion: 'convex' }],
    ['feedback', { embedder: letters, feedback: true }],
    ['an embedder that learns', { embedder: lsaEmbedder() }],
  ])('ranks, scores and counts in canonical order tell nothing of hidden worlds: %s', async (_, options) => {
    const [first, ...others] = await answersOf(options, true);
    for (const other of others) expect(other).toBe(first);
  });

  it('without canonical order the graph of all worlds shows through', async () => {
    const answers = await answersOf({ embedder: letters, textIndex: null }, false);
    expect(new Set(answers).size).toBeGreaterThan(1);
  });

  it('still finds the nearest of its own', async () => {
    await using engine = await opened(HIDDEN[2], { embedder: letters, textIndex: null });
    for (let i = 0; i < 20; i++) {
      const query = /"(.*)"/.exec(OWN[i])![1];
      const [hit] = await engine.search({ query, limit: 1, sources: ['own'], canonicalOrder: true });
      expect([hit.subject, hit.vecRank]).toEqual([`urn:own:${i}`, 1]);
    }
  });
});
