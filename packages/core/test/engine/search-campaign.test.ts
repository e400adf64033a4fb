import { SeededRandom } from '@rdf-worlds/testkit';
import { describe, expect, it } from 'vitest';
import { WorldsEngine, type WorldsEngineOptions } from '../../src/index.ts';
import { BagOfWordsEmbedder } from '../search/bag-of-words-embedder.ts';
import { rebuiltEngine } from './rebuilt-engine.ts';

/** How many sequences; more by the environment. */
const RUNS = Number(process.env['RDF_WORLDS_SEARCH_RUNS'] ?? 3);
const SEED = Number(process.env['RDF_WORLDS_SEARCH_SEED'] ?? 1);
const STEPS = 60;
const SLUGS = ['a', 'b', 'c'];
const WORDS = 'lantern lanterns kettle rivers river quadrant sextant the of 1815 café'.split(' ');
const GRAPHS = ['urn:g1', 'urn:g2'];
const PREDICATES = ['urn:p:says', 'urn:p:officeHours', 'http://www.w3.org/2000/01/rdf-schema#label'];
const QUERIES = ['lantern', 'kettle river', 'office quadrant', 'red lantern cafe', 'sextnt', 'of the'];

type Outcome = 'done' | 'refused';

/** One random change of one world; some are refused, and must leave nothing behind. */
async function change(engine: WorldsEngine, random: SeededRandom): Promise<Outcome> {
  const source = random.pick(SLUGS);
  const text = () => Array.from({ length: 1 + random.below(4) }, () => random.pick(WORDS)).join(' ');
  const triple = () =>
    `<urn:s:${random.pick(['redLantern', 'blueKettle', 'x1', 'x2'])}> <${random.pick(PREDICATES)}> "${text()}"${random.pick(['', '', '@de', '@fr'])}`;
  const triples = (count: number) => Array.from({ length: count }, triple).join(' . ');
  const lines = (count: number) =>
    Array.from({ length: count }, () => `${triple()} ${random.pick(['', `<${random.pick(GRAPHS)}>`])} .`).join('\n');
  const attempt = async (work: Promise<unknown>): Promise<Outcome> =>
    work.then(
      () => 'done' as const,
      (error) => {
        expect(['INVALID_RDF', 'CONFLICT', 'INVALID_ARGUMENT', 'NOT_FOUND', 'ALREADY_EXISTS']).toContain(error.code);
        return 'refused' as const;
      },
    );
  const graph = random.pick(GRAPHS);
  const update = (query: string, sources = [source]) => attempt(engine.update({ query, sources }));
  const changes: (() => Promise<Outcome>)[] = [
    () => attempt(engine.import({ source, data: lines(random.below(12)) })),
    () => attempt(engine.import({ source, data: lines(random.below(12)) })),
    () => attempt(engine.import({ source, data: lines(5), mode: 'replace' })),
    () => attempt(engine.import({ source, data: `${triples(4)} .`, graph, mode: 'replace' })),
    () => attempt(engine.import({ source, data: `${lines(6)}\n<urn:broken> "is" .` })),
    () => attempt(engine.import({ source, data: lines(3), ifRevision: 0 })),
    () => update(`INSERT DATA { ${triples(4)} GRAPH <${graph}> { ${triples(2)} } }`),
    () => update(`DELETE { ?s ?p ?o } INSERT { ?s ?p "river again" } WHERE { ?s ?p ?o FILTER(CONTAINS(?o, "river")) }`),
    () => update(`DELETE WHERE { GRAPH <${graph}> { ?s <${random.pick(PREDICATES)}> ?o } }`),
    () => update(`COPY DEFAULT TO <${graph}>`),
    () => update(`INSERT DATA { ${triples(5)} } ; CREATE GRAPH <urn:new> ; CREATE GRAPH <urn:new>`),
    () => update(`CLEAR GRAPH <${graph}>`),
    () => update(random.pick(['DROP ALL', 'CLEAR ALL', 'CLEAR DEFAULT', 'DROP NAMED'])),
    () => attempt(engine.deleteGraph({ source, graph })),
    async () => {
      await engine.deleteWorld({ source });
      await engine.createWorld({ slug: source });
      return 'done';
    },
  ];
  return random.pick(changes)();
}

/**
 * What a search gives, without the order of what ranks alike: that is by ids, which depend on
 * history.
 */
async function answers(engine: WorldsEngine): Promise<unknown[]> {
  const all: unknown[] = [];
  for (const query of QUERIES) {
    for (const sources of [undefined, ['a'], ['b', 'c']]) {
      const hits = await engine.search({ query, limit: 1000, explain: true, ...(sources && { sources }) });
      all.push(
        hits
          .map(({ subject, predicate, object, world, explanation }) => {
            const { textScore, similarity, terms } = explanation!;
            const numbers = [textScore, similarity].map((number) => number?.toFixed(9) ?? '-');
            return [world.slug, subject, predicate, object, ...numbers, terms.map(({ term }) => term).join()].join(' ');
          })
          .sort(),
      );
    }
  }
  return all;
}

describe('the index equals a newly built one after any sequence of changes', () => {
  const settings: [string, () => WorldsEngineOptions][] = [
    ['text', () => ({})],
    ['text and names', () => ({ fields: true })],
    ['text and vectors', () => ({ embedder: new BagOfWordsEmbedder() })],
  ];

  it.each(settings)('%s', async (_, options) => {
    for (let run = 0; run < RUNS; run++) {
      const random = new SeededRandom(SEED * 1000 + run);
      await using engine = await WorldsEngine.open(options());
      for (const slug of SLUGS) await engine.createWorld({ slug });
      const outcomes = { done: 0, refused: 0 };
      for (let step = 0; step < STEPS; step++) {
        outcomes[await change(engine, random)]++;
        // Worlds are indexed when they are searched for the first time, in any order.
        const sources = random.pick([undefined, ['a'], ['b'], ['a', 'c']]);
        if (random.chance(0.2)) await engine.search({ query: random.pick(QUERIES), ...(sources && { sources }) });
      }
      expect(Math.min(outcomes.done, outcomes.refused)).toBeGreaterThan(0);
      await engine.flush();
      await using rebuilt = await rebuiltEngine(engine, () => WorldsEngine.open(options()));
      await rebuilt.flush();
      expect(await answers(engine), `seed ${SEED * 1000 + run}`).toEqual(await answers(rebuilt));
    }
  });
});
