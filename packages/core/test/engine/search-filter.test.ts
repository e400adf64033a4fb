import { SeededRandom } from '@rdf-worlds/testkit';
import { describe, expect, it } from 'vitest';
import { bm25TextIndex, type SearchRequest, WorldsEngine, type WorldsEngineOptions } from '../../src/index.ts';
import type { TextIndex, TextIndexFactory } from '../../src/plugin.ts';

// LONG_TESTS=1 checks three random engines for each setting.
const SEEDS = process.env['LONG_TESTS'] ? [1, 2, 3] : [1];
const WORDS = 'lantern lanterns kettle river rivers quadrant sextant compass anchor harbour the of'.split(' ');
const SLUGS = ['a', 'b', 'c'];
const PREDICATES = ['urn:p:says', 'urn:p:riverName', 'http://www.w3.org/2000/01/rdf-schema#label'];
const TYPES = ['urn:T1', 'urn:T2', 'urn:T3'];
const QUERIES = ['lantern', 'river quadrant', 'kettle of the harbour', 'compas', 'sextant anchor lantern'];
const SUBJECTS = Array.from({ length: 60 }, (_, at) => `urn:s:redLantern${at}`);
const TYPE = '<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>';

/** Some worlds with texts and types; some of the texts were removed again. */
async function fill(engine: WorldsEngine, random: SeededRandom): Promise<ReadonlyMap<string, Set<string>>> {
  const typesOf = new Map<string, Set<string>>();
  for (const slug of SLUGS) {
    await engine.createWorld({ slug });
    const lines: string[] = [];
    for (let at = 0; at < 250; at++) {
      const text = Array.from({ length: 1 + random.below(6) }, () => random.pick(WORDS)).join(' ');
      const graph = random.pick(['', '', '<urn:g>']);
      lines.push(`<${random.pick(SUBJECTS)}> <${random.pick(PREDICATES)}> "${text}" ${graph} .`);
    }
    // The first type is rare, and the last has most subjects.
    for (const subject of SUBJECTS) {
      for (const [at, type] of TYPES.entries()) {
        if (!random.chance([0.05, 0.3, 0.9][at])) continue;
        lines.push(`<${subject}> ${TYPE} <${type}> ${random.pick(['', '<urn:g>'])} .`);
        const key = `${slug} ${subject}`;
        typesOf.set(key, (typesOf.get(key) ?? new Set()).add(type));
      }
    }
    await engine.import({ source: slug, data: lines.join('\n') });
    if (random.chance(0.5)) await engine.search({ query: 'lantern', sources: [slug] });
    await engine.update({
      query: `DELETE { ?s ?p ?o } WHERE { ?s ?p ?o FILTER(CONTAINS(STR(?o), "${random.pick(WORDS)}") && isLiteral(?o)) }`,
      sources: [slug],
    });
  }
  return typesOf;
}

function randomFilter(random: SeededRandom): Pick<SearchRequest, 'subjects' | 'predicates' | 'types'> {
  const some = (names: readonly string[]) => names.filter(() => random.chance(random.pick([0.05, 0.3, 0.8])));
  return {
    ...(random.chance(0.5) && { predicates: some([...PREDICATES, 'urn:p:none']) }),
    ...(random.chance(0.4) && { subjects: some([...SUBJECTS, 'urn:s:none']) }),
    ...(random.chance(0.4) && { types: some([...TYPES, 'urn:T:none']) }),
  };
}

type Hits = Awaited<ReturnType<WorldsEngine['search']>>;

const shown = (hits: Hits) =>
  hits.map(({ subject, predicate, object, world, explanation }) =>
    [world.slug, subject, predicate, object, explanation?.textScore].join(' '),
  );

const scores = (hits: Hits) => hits.map(({ explanation }) => explanation?.textScore);

/**
 * Searches with random filters. Throws if the hits are not those of the ranking without a filter,
 * less what the filter excludes.
 */
async function checkFilters(
  options: WorldsEngineOptions,
  request: Partial<SearchRequest>,
  seed: number,
): Promise<void> {
  const random = new SeededRandom(seed);
  await using engine = await WorldsEngine.open(options);
  const typesOf = await fill(engine, random);
  let found = 0;
  for (let trial = 0; trial < 40; trial++) {
    const query = random.pick(QUERIES);
    const sources = random.pick([undefined, ['a'], ['b', 'c']]);
    const filter = randomFilter(random);
    const base = { ...request, query, explain: true, ...(sources && { sources }) };
    const everything = await engine.search({ ...base, limit: 1000 });
    const expected = everything.filter(
      ({ subject, predicate, world }) =>
        (filter.predicates?.includes(predicate) ?? true) &&
        (filter.subjects?.includes(subject) ?? true) &&
        (filter.types?.some((type) => typesOf.get(`${world.slug} ${subject}`)?.has(type)) ?? true),
    );
    for (const limit of [1, 5, 1000]) {
      const hits = await engine.search({ ...base, ...filter, limit });
      const message = `${query}, ${sources}, ${JSON.stringify(filter)}, limit ${limit}`;
      if (request.canonicalOrder || limit >= expected.length) {
        expect(shown(hits), message).toEqual(shown(expected).slice(0, limit));
      } else {
        // Which hits of the last score remain is not defined.
        expect(scores(hits), message).toEqual(scores(expected).slice(0, limit));
        const places = shown(hits).map((hit) => shown(expected).indexOf(hit));
        expect(places, message).toEqual(places.filter((place) => place >= 0).sort((a, b) => a - b));
      }
      expect(hits.map(({ ftsRank }) => ftsRank)).toEqual(hits.map((_, at) => at + 1));
    }
    found += expected.length;
  }
  expect(found).toBeGreaterThan(100);
}

/** The index, but for what `change` replaces. */
const changed =
  (change: (index: TextIndex) => Partial<Pick<TextIndex, 'search' | 'supportsAccepts'>>): TextIndexFactory =>
  async () => {
    const index = await bm25TextIndex()();
    return Object.assign(Object.create(index), change(index)) as TextIndex;
  };

const SETTINGS: readonly (readonly [string, WorldsEngineOptions, Partial<SearchRequest>])[] = [
  ['texts', {}, {}],
  ['texts and names', { fields: true }, {}],
  ['canonical order', {}, { canonicalOrder: true }],
  ['canonical order, names', { fields: true }, { canonicalOrder: true }],
];

describe('a filtered search gives the ranking without a filter, less what does not match', () => {
  it.each(SETTINGS)('%s', async (_, options, request) => {
    for (const seed of SEEDS) await checkFilters(options, request, seed);
  });

  it.each(SETTINGS)('an index that cannot test candidates gives the same: %s', async (_, options, request) => {
    await checkFilters({ ...options, textIndex: changed(() => ({ supportsAccepts: false })) }, request, 4);
  });

  it.each<[string, TextIndexFactory]>([
    [
      'that tests candidates after it cuts',
      changed((index) => ({
        search: async (query, { accepts, ...options }) =>
          (await index.search(query, options)).filter(({ doc }) => accepts?.(doc) ?? true),
      })),
    ],
    [
      'that forgets a candidate',
      changed((index) => ({
        search: (query, { accepts, ...options }) =>
          index.search(query, { ...options, ...(accepts && { accepts: (doc) => doc % 97 > 0 && accepts(doc) }) }),
      })),
    ],
    [
      'that ignores the test',
      changed((index) => ({ search: (query, { accepts: _, ...options }) => index.search(query, options) })),
    ],
  ])('which an index fails %s', async (_, textIndex) => {
    await expect(checkFilters({ textIndex }, {}, 1)).rejects.toThrow();
  });

  it.each([{ feedback: true }, { feedback: true, fields: true }])('with %j, by test or by list', async (settings) => {
    const open = (textIndex: TextIndexFactory) => WorldsEngine.open({ fields: true, textIndex });
    await using testing = await open(bm25TextIndex());
    await using listing = await open(changed(() => ({ supportsAccepts: false })));
    for (const engine of [testing, listing]) await fill(engine, new SeededRandom(6));
    const random = new SeededRandom(7);
    for (let trial = 0; trial < 40; trial++) {
      const request = { ...settings, ...randomFilter(random), query: random.pick(QUERIES), limit: 5, explain: true };
      const [one, other] = await Promise.all([testing.search(request), listing.search(request)]);
      expect(shown(one)).toEqual(shown(other));
      expect(one.map(({ score, ftsRank }) => [score, ftsRank])).toEqual(
        other.map(({ score, ftsRank }) => [score, ftsRank]),
      );
    }
  });
});
