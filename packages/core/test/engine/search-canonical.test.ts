import { SeededRandom } from '@rdf-worlds/testkit';
import { describe, expect, it } from 'vitest';
import { type Embedder, lsaEmbedder } from '../../src/embedders.ts';
import { type TripleSearchResult, WorldsEngine, type WorldsEngineOptions } from '../../src/index.ts';

/**
 * A search that does not see all worlds must answer the same whatever the others hold, vectors and
 * ties included.
 */

const WORDS = 'lantern kettle river quadrant sextant compass anchor harbour island voyage'.split(' ');

/** The letters of a text as a vector: fixed, so that only what is searched differs. */
const letters: Embedder = {
  id: 'letters',
  dimensions: 26,
  batchSize: 16,
  embed: async (texts) =>
    texts.map((text) => {
      const vector = new Float32Array(26);
      for (const letter of text.toLowerCase()) {
        const at = letter.charCodeAt(0) - 97;
        if (at >= 0 && at < 26) vector[at]++;
      }
      return vector;
    }),
};

function texts(world: string, count: number, seed: number): string[] {
  const random = new SeededRandom(seed);
  return Array.from({ length: count }, (_, i) => {
    const words = Array.from({ length: 1 + random.below(2) }, () => WORDS[random.below(WORDS.length)]).join(' ');
    return `<urn:${world}:${i}> <urn:p:${random.below(3)}> "${words}" .`;
  });
}

const OWN = texts('own', 120, 3);
const HIDDEN: readonly (readonly string[])[] = [
  [],
  OWN.toReversed().map((line) => line.replace('<urn:p:', '<urn:q:')),
  [...texts('hidden', 300, 5), '<urn:h> <urn:p:0> "der die das"@de .', '<urn:own:7> <urn:p:2> <urn:own:3> .'],
];

async function opened(hidden: readonly string[], options: WorldsEngineOptions): Promise<WorldsEngine> {
  const engine = await WorldsEngine.open(options);
  for (const slug of ['hidden', 'own']) await engine.createWorld({ slug });
  await engine.import({ source: 'hidden', contentType: 'text/turtle', data: hidden.join('\n') });
  // Indexes may be there before the world of the caller is.
  await engine.search({ query: 'lantern' });
  await engine.import({ source: 'own', contentType: 'text/turtle', data: OWN.join('\n') });
  return engine;
}

const shown = (hits: readonly TripleSearchResult[]) =>
  hits.map(
    ({ subject, predicate, object, score, ftsRank, vecRank, explanation }) =>
      [subject, predicate, object, score, ftsRank, vecRank, explanation] as const,
  );

const SETTINGS: readonly (readonly [string, WorldsEngineOptions])[] = [
  ['text', {}],
  ['names around texts', { fields: true }],
  ['feedback', { feedback: true }],
  ['an embedder', { embedder: letters }],
  ['an embedder alone', { embedder: letters, textIndex: null }],
  ['an embedder and a convex combination', { embedder: letters, fusion: 'convex' }],
  ['an embedder that learns', { embedder: lsaEmbedder() }],
];

describe.each(SETTINGS)('a search in canonical order, with %s', (_, options) => {
  it('reveals nothing about hidden worlds', async () => {
    const engines: WorldsEngine[] = [];
    for (const hidden of HIDDEN) engines.push(await opened(hidden, options));
    for (const query of ['lantern', 'lantern river', 'anchor compass kettle', 'lantrn', 'der', 'urn']) {
      for (const limit of [1, 3, 10, 1000]) {
        const request = { query, limit, sources: ['own'], explain: true, canonicalOrder: true };
        const answers = [];
        for (const engine of engines) answers.push(shown(await engine.search(request)));
        for (const answer of answers) expect(answer, `${query} ${limit}`).toEqual(answers[0]);
      }
      const service = `PREFIX ws: <urn:rdf-worlds:search#> SELECT ?s ?o {
        SERVICE <urn:rdf-worlds:search> { [] ws:query "${query}" ; ws:subject ?s ; ws:object ?o ; ws:limit 3 } }`;
      const found = [];
      for (const engine of engines) {
        found.push(JSON.stringify(await engine.sparql({ query: service, sources: ['own'], canonicalOrder: true })));
      }
      expect(new Set(found).size, `SERVICE ${query}`).toBe(1);
    }
    expect(await engines[0].search({ query: 'lantern', sources: ['own'], canonicalOrder: true })).not.toEqual([]);
    for (const engine of engines) await engine.close();
  });
});

describe('without canonical order', () => {
  it('ties follow what hidden worlds held before', async () => {
    const orders = new Set<string>();
    for (const hidden of HIDDEN) {
      await using engine = await opened(hidden, {});
      orders.add(JSON.stringify(shown(await engine.search({ query: 'lantern', sources: ['own'], limit: 20 }))));
    }
    expect(orders.size).toBeGreaterThan(1);
  });
});

describe('a new text', () => {
  it('is found by its vector in the next search, whether or not another world already had it', async () => {
    const ranks: (number | null)[][] = [];
    for (const hidden of [[], ['<urn:h> <urn:p:0> "lantern kettle river" .']]) {
      await using engine = await opened(hidden, { embedder: letters });
      await engine.flush();
      await engine.import({ source: 'own', data: '<urn:guess> <urn:p:0> "lantern kettle river" .' });
      const hits = await engine.search({ query: 'lantern kettle river', sources: ['own'], canonicalOrder: true });
      ranks.push(hits.map(({ vecRank }) => vecRank));
    }
    expect(ranks[0]).toEqual(ranks[1]);
    expect(ranks[0][0]).toBe(1);
  });

  it('is found by its text while the embedder fails, whether another world had it before or not', async () => {
    const ranks: unknown[] = [];
    for (const hidden of [[], ['<urn:h> <urn:p:0> "lantern kettle river" .']]) {
      let fails = false;
      const embedder: Embedder = {
        ...letters,
        embed: async (texts, options) => {
          if (fails && options?.kind === 'document') throw new Error('not now');
          return letters.embed(texts, options);
        },
      };
      await using engine = await opened(hidden, { embedder, onBackgroundError: () => undefined });
      await engine.flush();
      fails = true;
      await engine.import({
        source: 'own',
        data: '<urn:guess> <urn:p:0> "lantern kettle river" .\n<urn:new> <urn:p:0> "kettle fresh" .\n',
      });
      const hits = await engine.search({ query: 'lantern kettle river', sources: ['own'], canonicalOrder: true });
      ranks.push(hits.map(({ subject, vecRank, ftsRank }) => [subject, vecRank, ftsRank]));
    }
    expect(ranks[0]).toEqual(ranks[1]);
    expect(ranks[0]).not.toEqual([]);
  });

  it('needs a text index with an embedder that learns', async () => {
    await using engine = await opened([], { embedder: lsaEmbedder(), textIndex: null });
    const search = engine.search({ query: 'lantern', sources: ['own'], canonicalOrder: true });
    await expect(search).rejects.toMatchObject({ code: 'UNSUPPORTED' });
  });
});
