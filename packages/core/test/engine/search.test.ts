import { minisearchIndex } from '@rdf-worlds/index-minisearch';
import { SeededRandom } from '@rdf-worlds/testkit';
import type * as RDF from '@rdfjs/types';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dataFactory, type SearchRequest, type TripleSearchResult, WorldsEngine } from '../../src/index.ts';
import type { TextIndexFactory } from '../../src/plugin.ts';
import { BagOfWordsEmbedder } from '../search/bag-of-words-embedder.ts';
import { Pending } from './pending.ts';
import { ProbeSparqlEngine } from './probe-sparql-engine.ts';

const { namedNode, literal, quad, defaultGraph } = dataFactory;
const RDF_TYPE = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#type';
const RDFS = 'http://www.w3.org/2000/01/rdf-schema#';
const iri = (name: string) => namedNode(`urn:${name}`);
const says = (subject: string, text: string, graph?: string, predicate = 'says') =>
  quad(iri(subject), iri(predicate), literal(text), graph === undefined ? defaultGraph() : iri(graph));

let probe: ProbeSparqlEngine;
let engine: WorldsEngine;
beforeEach(async () => {
  probe = new ProbeSparqlEngine();
  engine = await WorldsEngine.open({ textIndex: minisearchIndex(), sparql: probe });
  await engine.createWorld({ slug: 'w', label: 'W' });
});
afterEach(() => engine.close());

const shortOf = ({ subject, object, world }: TripleSearchResult) =>
  `${world.namespace}/${world.slug} ${subject} ${object}`;
const find = async (query: string, request: Omit<SearchRequest, 'query'> = {}) =>
  (await engine.search({ query, ...request })).map(shortOf);
const findSorted = async (query: string, request?: Omit<SearchRequest, 'query'>) => (await find(query, request)).sort();

describe('a hit', () => {
  it('has the values of its triple, its world, and ranks that count from 1', async () => {
    await engine.import({
      source: 'w',
      data: '<urn:a> <urn:says> "red apple"@en .\n_:b <urn:says> "apple apple apple" <urn:g> .\n<urn:a> <urn:eats> <urn:apple> .',
    });
    const hits = await engine.search({ query: 'apple' });
    expect(hits).toHaveLength(2);
    const world = await engine.getWorld({ source: 'w' });
    for (const [i, hit] of hits.entries()) {
      expect(Object.keys(hit).sort()).toEqual([
        'ftsRank',
        'object',
        'predicate',
        'score',
        'subject',
        'vecRank',
        'world',
      ]);
      expect(hit).toMatchObject({ predicate: 'urn:says', vecRank: null, ftsRank: i + 1, world });
      expect(hit.score).toBeGreaterThan(0);
    }
    expect(hits[0].score).toBeGreaterThan(hits[1].score);
    expect(hits.map(({ object }) => object).sort()).toEqual(['apple apple apple', 'red apple']);
    const blank = hits.find(({ object }) => object === 'apple apple apple')!;
    expect(await find('apple', { subjects: [blank.subject] })).toEqual([shortOf(blank)]);
    expect(await find('apple', { subjects: [`_:${blank.subject}`] })).toEqual([shortOf(blank)]);
  });

  it('shows the record of its world as it is now', async () => {
    await engine.write({ source: 'w', insert: [says('a', 'apple')] });
    await engine.search({ query: 'apple' });
    const world = await engine.updateWorld({ source: 'w', label: 'new' });
    expect((await engine.search({ query: 'apple' }))[0].world).toEqual(world);
  });

  it('is one for a triple in several graphs, and stays while one of them holds it', async () => {
    const graphs = [undefined, 'g1', 'g2'];
    await engine.write({ source: 'w', insert: graphs.map((graph) => says('a', 'apple', graph)) });
    expect(await find('apple')).toEqual(['default/w urn:a apple']);
    await engine.write({ source: 'w', delete: [says('a', 'apple')] });
    expect(await find('apple')).toEqual(['default/w urn:a apple']);
    await engine.write({ source: 'w', delete: [says('a', 'apple', 'g1')], insert: [says('a', 'apple')] });
    expect(await find('apple')).toEqual(['default/w urn:a apple']);
    await engine.write({ source: 'w', delete: graphs.map((graph) => says('a', 'apple', graph)) });
    expect(await find('apple')).toEqual([]);
    await engine.write({ source: 'w', insert: [says('a', 'apple', 'g2')] });
    expect(await find('apple')).toEqual(['default/w urn:a apple']);
  });
});

describe('limits and queries', () => {
  beforeEach(() =>
    engine.import({ source: 'w', data: Array.from({ length: 1200 }, (_, i) => says(`s${i}`, `apple number ${i}`)) }),
  );

  it.each([
    [undefined, 20],
    [1, 1],
    [7, 7],
    [1000, 1000],
    [5000, 1000],
    [Number.MAX_SAFE_INTEGER, 1000],
  ])('limit %s gives %d', async (limit, count) => {
    const hits = await engine.search({ query: 'apple', limit });
    expect(hits).toHaveLength(count);
    expect(new Set(hits.map(shortOf)).size).toBe(count);
  });

  it.each(['', '   ', '?!', '"', '\\', '*', 'zzz', '\u0000', '__proto__', 'constructor'])(
    'the query %j finds nothing and is not an error',
    async (query) => {
      expect(await find(query)).toEqual([]);
    },
  );

  it('is aborted by its signal', async () => {
    await expect(engine.search({ query: 'apple', signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: 'ABORTED',
    });
    expect(await find('apple', { limit: 2 })).toHaveLength(2);
  });

  it('stops immediately when aborted while another search builds the index', async () => {
    const gate = new Pending();
    await using own = await WorldsEngine.open({ textIndex: async () => gate.promise.then(minisearchIndex()) });
    await own.createWorld({ slug: 'w' });
    await own.write({ source: 'w', insert: [says('a', 'apple')] });
    const first = own.search({ query: 'apple' });
    const controller = new AbortController();
    const second = own.search({ query: 'apple', signal: controller.signal }).then(
      () => 'done',
      (error) => error.code,
    );
    controller.abort();
    const outcome = await Promise.race([
      second,
      new Promise((resolve) => setTimeout(() => resolve('still waiting'), 200)),
    ]);
    gate.resolve();
    expect(await first).toHaveLength(1);
    await second;
    expect(outcome).toBe('ABORTED');
  });

  it('finds nothing in no sources, and nothing under filters that nothing passes', async () => {
    expect(await find('apple', { sources: [] })).toEqual([]);
    expect(await find('apple', { namespace: 'unknown' })).toEqual([]);
    for (const filter of ['subjects', 'predicates', 'types']) {
      for (const values of [[], ['urn:unknown']]) expect(await find('apple', { [filter]: values })).toEqual([]);
    }
    // These may also be labels of blank nodes.
    for (const filter of ['subjects', 'types'])
      for (const value of ['no IRI', '']) expect(await find('apple', { [filter]: [value] })).toEqual([]);
  });
});

describe('filters', () => {
  beforeEach(async () => {
    await engine.write({
      source: 'w',
      insert: [
        says('a', 'apple pie'),
        says('a', 'apple tart', 'g', 'thinks'),
        says('b', 'apple'),
        quad(iri('a'), namedNode(RDF_TYPE), iri('Cook'), iri('types')),
        quad(iri('b'), namedNode(RDF_TYPE), iri('Guest')),
      ],
    });
    await engine.createWorld({ slug: 'v' });
    await engine.write({
      source: 'v',
      insert: [says('b', 'apple juice'), quad(iri('b'), namedNode(RDF_TYPE), iri('Cook'))],
    });
    await engine.createWorld({ slug: 'schema' });
    await engine.write({
      source: 'schema',
      insert: [
        quad(iri('Cook'), namedNode(`${RDFS}subClassOf`), iri('Person'), iri('g')),
        quad(iri('Person'), namedNode(`${RDFS}subClassOf`), iri('Being')),
        quad(iri('Being'), namedNode(`${RDFS}subClassOf`), iri('Person')),
        quad(iri('thinks'), namedNode(`${RDFS}subPropertyOf`), iri('utters')),
        quad(iri('says'), namedNode(`${RDFS}subPropertyOf`), iri('utters')),
        says('schema', 'apple schema'),
      ],
    });
  });
  const schema = { slug: 'schema', schema: true };

  it.each([
    ['a subject', { sources: ['w'], subjects: ['urn:a'] }, ['default/w urn:a apple pie', 'default/w urn:a apple tart']],
    ['a predicate', { sources: ['w'], predicates: ['urn:thinks'] }, ['default/w urn:a apple tart']],
    [
      'both',
      { sources: ['w'], subjects: ['urn:b', 'urn:a'], predicates: ['urn:says'] },
      ['default/w urn:a apple pie', 'default/w urn:b apple'],
    ],
    [
      'a type, in any graph of the world',
      { sources: ['w'], types: ['urn:Cook'] },
      ['default/w urn:a apple pie', 'default/w urn:a apple tart'],
    ],
    [
      'a type, in the world of the hit',
      { sources: ['w', 'v'], types: ['urn:Cook'] },
      ['default/v urn:b apple juice', 'default/w urn:a apple pie', 'default/w urn:a apple tart'],
    ],
    ['a type above, without the schema', { sources: ['w', 'v'], types: ['urn:Person'] }, []],
    [
      'a type above',
      { sources: ['w', schema], types: ['urn:Person'] },
      ['default/w urn:a apple pie', 'default/w urn:a apple tart'],
    ],
    ['a type in a cycle', { sources: ['v', schema], types: ['urn:Being'] }, ['default/v urn:b apple juice']],
    [
      'a property above',
      { sources: ['w', schema], predicates: ['urn:utters'] },
      ['default/w urn:a apple pie', 'default/w urn:a apple tart', 'default/w urn:b apple'],
    ],
    ['a schema alone: it is no hit', { sources: [schema] }, []],
    [
      'all of it',
      { sources: ['v', 'w', schema], subjects: ['urn:a'], predicates: ['urn:utters'], types: ['urn:Person'] },
      ['default/w urn:a apple pie', 'default/w urn:a apple tart'],
    ],
  ])('by %s', async (_, request, expected) => {
    expect(await findSorted('apple', request)).toEqual(expected);
  });

  it('by a type of more instances than there are documents', async () => {
    const cooks = Array.from({ length: 50 }, (_, i) => quad(iri(`cook${i}`), namedNode(RDF_TYPE), iri('Cook')));
    await engine.write({ source: 'w', insert: cooks });
    expect(await findSorted('apple', { sources: ['w', 'v'], types: ['urn:Cook', 'urn:Nobody'] })).toEqual([
      'default/v urn:b apple juice',
      'default/w urn:a apple pie',
      'default/w urn:a apple tart',
    ]);
  });

  it('by the schema of another namespace', async () => {
    await engine.createWorld({ namespace: 'other', slug: 'schema' });
    await engine.write({
      source: 'other/schema',
      insert: [quad(iri('Guest'), namedNode(`${RDFS}subClassOf`), iri('Being'))],
    });
    expect(
      await find('apple', { sources: ['w', { name: 'other/schema', schema: true }], types: ['urn:Being'] }),
    ).toEqual(['default/w urn:b apple']);
  });

  it('by a type that a world of many graphs does not hold, whatever its neighbours hold', async () => {
    await engine.createWorld({ slug: 'many' });
    await engine.write({
      source: 'many',
      insert: Array.from({ length: 12 }, (_, i) => says('b', 'apple salad', `g${i}`)),
    });
    // A query over many graphs makes the permutations over all contexts.
    await engine.ask({ query: 'ASK' });
    expect(await find('apple', { sources: ['many'], types: ['urn:Cook'] })).toEqual([]);
    expect(await find('apple', { sources: ['many'] })).toEqual(['default/many urn:b apple salad']);
  });
});

describe('worlds', () => {
  it('are searched together, or those that are named, across namespaces too', async () => {
    const all: string[] = [];
    for (const [namespace, slug] of [
      ['default', 'w'],
      ['default', 'v'],
      ['other', 'w'],
      ['other', 'v'],
    ]) {
      await engine.createWorld({ namespace, slug, ifExists: 'return' });
      await engine.write({
        source: { namespace, slug },
        insert: [says('a', 'apple'), says('b', `apple of ${namespace}`)],
      });
      all.push(`${namespace}/${slug} urn:a apple`, `${namespace}/${slug} urn:b apple of ${namespace}`);
    }
    const of = (...names: string[]) => all.filter((hit) => names.includes(hit.split(' ')[0])).sort();
    expect(await findSorted('apple')).toEqual(of('default/w', 'default/v'));
    expect(await findSorted('apple', { namespace: 'other' })).toEqual(of('other/w', 'other/v'));
    expect(await findSorted('apple', { sources: ['w'] })).toEqual(of('default/w'));
    expect(await findSorted('apple', { sources: ['w', 'w', 'default/w'] })).toEqual(of('default/w'));
    expect(await findSorted('apple', { sources: ['w', 'other/v'] })).toEqual(of('default/w', 'other/v'));
    expect(await findSorted('apple', { sources: ['w'], namespace: 'other' })).toEqual(of('other/w'));
    const joined = await engine.search({ query: 'apple', sources: ['w', 'v', 'other/w', 'other/v'], limit: 5 });
    expect(joined).toHaveLength(5);
    for (let i = 1; i < joined.length; i++) expect(joined[i - 1].score).toBeGreaterThanOrEqual(joined[i].score);
  });

  it('are not searched after deletion, nor after being recreated empty', async () => {
    await engine.createWorld({ slug: 'v' });
    for (const source of ['w', 'v']) await engine.write({ source, insert: [says('a', 'apple')] });
    expect(await find('apple')).toHaveLength(2);
    await engine.deleteWorld({ source: 'w' });
    expect(await find('apple')).toEqual(['default/v urn:a apple']);
    await engine.createWorld({ slug: 'w' });
    expect(await find('apple')).toEqual(['default/v urn:a apple']);
    expect(await find('apple', { sources: ['w'] })).toEqual([]);
    await engine.deleteNamespace({ namespace: 'default' });
    expect(await find('apple')).toEqual([]);
    await engine.createWorld({ slug: 'w' });
    expect(await find('apple')).toEqual([]);
    await engine.write({ source: 'w', insert: [says('b', 'apple')] });
    expect(await find('apple')).toEqual(['default/w urn:b apple']);
  });

  it('that a search did not name are never hits, though they come while it waits', async () => {
    const gate = new Pending();
    let calls = 0;
    const slow: TextIndexFactory = async () => {
      calls++;
      await gate.promise;
      return minisearchIndex()();
    };
    await using own = await WorldsEngine.open({ textIndex: slow });
    for (const slug of ['a', 'b']) {
      await own.createWorld({ slug });
      await own.write({ source: slug, insert: [says(slug, 'apple')] });
    }
    const first = own.search({ query: 'apple', sources: ['a'] });
    const second = own.search({ query: 'apple', sources: ['a', 'b'] });
    await new Promise((resolve) => setImmediate(resolve));
    expect(calls).toBe(1);
    await own.deleteWorld({ source: 'b' });
    await own.createWorld({ slug: 'secret' });
    await own.write({ source: 'secret', insert: [says('secret', 'apple')] });
    gate.resolve();
    expect((await first).map(shortOf)).toEqual(['default/a urn:a apple']);
    expect((await second).map(shortOf)).toEqual(['default/a urn:a apple']);
  });

  it('of many graphs lose a triple that a neighbour still holds', async () => {
    await engine.createWorld({ slug: 'neighbour' });
    await engine.write({ source: 'neighbour', insert: [says('a', 'apple')] });
    await engine.write({
      source: 'w',
      insert: [says('a', 'apple'), ...Array.from({ length: 12 }, (_, i) => says('b', 'pear', `g${i}`))],
    });
    expect(await find('apple', { sources: ['w'] })).toHaveLength(1);
    await engine.write({ source: 'w', delete: [says('a', 'apple')] });
    // Makes the permutations over all contexts before the index has seen the deletion.
    await engine.ask({ query: 'ASK' });
    expect(await find('apple', { sources: ['w'] })).toEqual([]);
    expect(await find('apple')).toEqual(['default/neighbour urn:a apple']);
  });
});

describe('the index', () => {
  it('equals a newly built index after any changes', async () => {
    const WORDS = ['apple', 'pear', 'plum', 'fig', 'quince'];
    for (let seed = 1; seed <= 4; seed++) {
      const random = new SeededRandom(seed);
      await using own = await WorldsEngine.open({ textIndex: minisearchIndex(), sparql: probe });
      const slugs = ['a', 'b', 'c'];
      for (const slug of slugs) await own.createWorld({ slug });
      const any = (length: number): RDF.Quad[] =>
        Array.from({ length }, () =>
          says(
            `s${random.below(5)}`,
            `${random.pick(WORDS)} ${random.pick(WORDS)}`,
            random.pick([undefined, 'g1', 'g2']),
            random.pick(['says', 'thinks']),
          ),
        );
      for (let step = 0; step < 60; step++) {
        const source = random.pick(slugs);
        const dice = random.next();
        if (dice < 0.1) {
          await own.deleteWorld({ source });
          await own.createWorld({ slug: source });
        } else if (dice < 0.4) await own.import({ source, data: any(random.below(20)) });
        else if (dice < 0.8) await own.write({ source, insert: any(random.below(8)), delete: any(random.below(30)) });
        else if (dice < 0.9) await own.ask({ query: 'ASK' });
        else await own.search({ query: random.pick(WORDS) });
      }
      await using fresh = await WorldsEngine.open({ textIndex: minisearchIndex() });
      for (const slug of slugs) {
        await fresh.createWorld({ slug });
        await fresh.import({ source: slug, data: own.quads({ source: slug }) });
      }
      for (const query of [...WORDS, 'apple pear']) {
        for (const sources of [undefined, ['a'], ['b', 'c']]) {
          const expected = (await fresh.search({ query, sources, limit: 1000 })).map(
            (hit) => `${shortOf(hit)} ${hit.predicate}`,
          );
          const found = (await own.search({ query, sources, limit: 1000 })).map(
            (hit) => `${shortOf(hit)} ${hit.predicate}`,
          );
          expect(found.sort()).toEqual(expected.sort());
        }
      }
    }
  });

  it('has every commit that came before the search, while others commit', async () => {
    await find('apple');
    await Promise.all(
      Array.from({ length: 50 }, async (_, i) => {
        await engine.write({ source: 'w', insert: [says(`s${i}`, `apple word${i}x`)] });
        expect(await find(`word${i}x`)).toEqual([`default/w urn:s${i} apple word${i}x`]);
        if (i % 2) await engine.write({ source: 'w', delete: [says(`s${i}`, `apple word${i}x`)] });
      }),
    );
    expect(await find('apple', { limit: 100 })).toHaveLength(25);
  });

  it('that was interrupted is completed by the next search', async () => {
    await engine.import({ source: 'w', data: Array.from({ length: 20_000 }, (_, i) => says(`s${i}`, `apple ${i}`)) });
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 15);
    await expect(engine.search({ query: 'apple', signal: controller.signal })).rejects.toMatchObject({
      code: 'ABORTED',
    });
    await engine.write({ source: 'w', delete: [says('s19999', 'apple 19999')], insert: [says('s', 'last apple')] });
    expect(await find('19999')).toEqual([]);
    expect(await find('last')).toEqual(['default/w urn:s last apple']);
    expect(await find('12345')).toEqual(['default/w urn:s12345 apple 12345']);
  });

  it('without plug-ins is UNSUPPORTED', async () => {
    await using own = await WorldsEngine.open({ textIndex: null });
    await own.createWorld({ slug: 'w' });
    await expect(own.search({ query: 'apple' })).rejects.toMatchObject({ code: 'UNSUPPORTED' });
  });
});

describe('with an embedder', () => {
  it('hits have both ranks, or the one that they are in', async () => {
    await using own = await WorldsEngine.open({ textIndex: minisearchIndex(), embedder: new BagOfWordsEmbedder() });
    await own.createWorld({ slug: 'w' });
    await own.write({
      source: 'w',
      insert: [says('a', 'red apple'), says('b', 'applesauce'), says('c', 'green pear')],
    });
    await own.flush();
    const hits = await own.search({ query: 'apple' });
    expect(hits[0]).toMatchObject({ subject: 'urn:a', ftsRank: 1, vecRank: 1 });
    // The text index completes the last word of a query; the vectors know whole words only.
    expect(hits[1]).toMatchObject({ subject: 'urn:b', ftsRank: 2, vecRank: null });
    expect(hits).toHaveLength(2);
    await own.write({ source: 'w', delete: [says('a', 'red apple')], insert: [says('d', 'an apple a day')] });
    await own.flush({ namespace: 'default' });
    expect((await own.search({ query: 'apple' })).map(({ subject, vecRank }) => [subject, vecRank])).toEqual([
      ['urn:d', 1],
      ['urn:b', null],
    ]);
  });

  it('alone, without text', async () => {
    await using own = await WorldsEngine.open({ textIndex: null, embedder: new BagOfWordsEmbedder() });
    for (const slug of ['w', 'v']) {
      await own.createWorld({ slug });
      await own.write({ source: slug, insert: [says(slug, 'red apple'), says(`${slug}2`, 'green pear')] });
    }
    const hits = await own.search({ query: 'apple', sources: ['w'] });
    expect(hits.map(({ subject, vecRank, ftsRank }) => [subject, vecRank, ftsRank])).toEqual([['urn:w', 1, null]]);
    await own.deleteWorld({ source: 'w' });
    expect((await own.search({ query: 'apple' })).map(({ subject }) => subject)).toEqual(['urn:v']);
  });
});
