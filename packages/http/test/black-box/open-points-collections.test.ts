import { beforeAll, describe, expect, it } from 'vitest';
import { expectError, expectSearchResults } from './answer-shapes.ts';
import { FAMILIES } from './operations.ts';
import { ALL, objects, ServiceFixture } from './service-fixture.ts';
import type { WireJson } from './wire-json.ts';

// Behaviour that the operations and schemas alone do not determine: one describe per decision, with
// the decision as its title.

const service = new ServiceFixture();
const { as, alice, admin, freshWorld, freshNamespace } = service;

describe('collection (list, sparql, search): exactly the worlds that the caller may read; 403 only without any grant in the namespace; an unknown namespace is empty', () => {
  it('the collection of a caller with one granted world is that world', async () => {
    await service.server.engine.createWorld({ slug: 'shared', namespace: 'alpha' });
    await service.server.engine.import({ source: 'alpha/shared', data: '<urn:s> <urn:p> "sharedword" .\n' });
    const hidden = await freshWorld('<urn:s> <urn:p> "sharedword hidden" .\n');
    const carol = as('carol');
    const worlds = '/namespaces/alpha/worlds';
    expect((await carol('GET', worlds)).json().map((world: WireJson) => world.slug)).toEqual(['shared']);
    expect(objects(await carol('POST', `${worlds}/sparql`, { query: ALL }))).toEqual(['sharedword']);
    const hits = expectSearchResults(await carol('POST', `${worlds}/search`, { query: 'sharedword' }));
    expect(hits.map(({ world }) => world.slug)).toEqual(['shared']);
    for (const suffix of ['export', 'sparql', 'search', 'import'])
      expectError(await carol('POST', `${worlds}/${hidden}/${suffix}`, { query: 'ASK {}', data: '' }), 403);
  });

  it('403 without any grant in the namespace', async () => {
    for (const worlds of ['/namespaces/beta/worlds', '/namespaces/never-heard-of/worlds'])
      for (const [method, suffix, body] of [
        ['GET', '', undefined],
        ['POST', '/sparql', { query: ALL }],
        ['POST', '/search', { query: 'x' }],
      ] as const)
        expectError(await alice(method, worlds + suffix, body), 403);
  });

  it('an unknown namespace is empty for a caller who may use it', async () => {
    const worlds = '/namespaces/never-heard-of/worlds';
    expect((await admin('GET', worlds)).json()).toEqual([]);
    expect(objects(await admin('POST', `${worlds}/sparql`, { query: ALL }))).toEqual([]);
    expect(expectSearchResults(await admin('POST', `${worlds}/search`, { query: 'x' }))).toEqual([]);
    const asOlga = await as('olga')('GET', '/worlds');
    expect(asOlga.status).toBe(200);
  });
});

describe('unknown world on import, export, sparql, search: 400 with a message that names it', () => {
  it.each(FAMILIES)('$name', async (family) => {
    const path = `${family.worlds('alpha')}/missing-world`;
    const bodies: [string, unknown][] = [
      ['/import', { data: '' }],
      ['/export', {}],
      ['/sparql', { query: 'ASK {}' }],
      ['/sparql', { query: 'INSERT DATA { <urn:s> <urn:p> 1 }' }],
      ['/sparql', {}],
      ['/search', { query: 'x' }],
    ];
    for (const [suffix, body] of bodies) {
      const message = expectError(await alice('POST', path + suffix, body), 400);
      expect(message, suffix).toContain('missing-world');
    }
    for (const [suffix, body] of [
      ['/sparql', { query: 'ASK {}' }],
      ['/search', { query: 'x' }],
    ] as const) {
      const sources = ['alpha/missing-source'];
      const answer = await alice('POST', family.worlds('alpha') + suffix, { ...body, sources });
      expect(expectError(answer, 400)).toContain('missing-source');
    }
    expect(await service.server.engine.getWorld({ source: 'alpha/missing-world' })).toBeNull();
  });
});

describe('list: by slug; integers out of range are clamped (`page` < 1 to 1, `pageSize` to 1..100), anything that is not an integer is 400', () => {
  const slugs = Array.from({ length: 105 }, (_, index) => `p${String(index).padStart(3, '0')}`);
  let worlds: string;
  beforeAll(async () => {
    const namespace = await freshNamespace();
    // Not in their order.
    for (const slug of [...slugs].reverse()) await service.server.engine.createWorld({ slug, namespace });
    worlds = `/namespaces/${namespace}/worlds`;
  });
  const list = async (query: string) =>
    (await admin('GET', worlds + query)).json().map((world: WireJson) => world.slug);

  it.each([
    ['', 0, 20],
    ['?page=1', 0, 20],
    ['?page=2', 20, 40],
    ['?page=0', 0, 20],
    ['?page=-3', 0, 20],
    ['?page=6', 100, 105],
    ['?page=7', 105, 105],
    ['?page=1000000', 105, 105],
    ['?page=9007199254740993', 105, 105],
    ['?pageSize=7&page=3', 14, 21],
    ['?pageSize=100', 0, 100],
    ['?pageSize=101', 0, 100],
    ['?pageSize=1000000&page=2', 100, 105],
    ['?pageSize=0', 0, 1],
    ['?pageSize=-1&page=2', 1, 2],
    ['?unknown=1', 0, 20],
  ])('%s', async (query, from, to) => {
    expect(await list(query)).toEqual(slugs.slice(from, to));
  });

  it.each([
    'page=1.5',
    'page=x',
    'page=',
    'page=1x',
    'page=NaN',
    'pageSize=Infinity',
    'pageSize=ten',
    'pageSize=2.5',
    'pageSize=',
  ])('400 for %s', async (query) => {
    expect(expectError(await admin('GET', `${worlds}?${query}`), 400)).toContain(query.split('=')[0]);
  });

  it('the default namespace has the same pages', async () => {
    for (let world = 0; world < 5; world++) await freshWorld();
    const all = (await alice('GET', '/worlds?pageSize=100')).json().map((world: WireJson) => world.slug);
    expect(all.length).toBeGreaterThan(3);
    expect(all).toEqual([...all].sort());
    expect((await alice('GET', '/worlds?pageSize=2&page=2')).json().map((world: WireJson) => world.slug)).toEqual(
      all.slice(2, 4),
    );
    expectError(await alice('GET', '/worlds?page=x'), 400);
  });
});

describe('search `limit`: default 20, at most 1000 (clamped); < 1 or no integer is 400', () => {
  let slug: string;
  beforeAll(async () => {
    slug = await freshWorld(
      Array.from({ length: 1010 }, (_, index) => `<urn:s${index}> <urn:p> "manyword ${index}" .\n`).join(''),
    );
  });

  it.each([
    [undefined, 20],
    [1, 1],
    [21, 21],
    [1000, 1000],
    [1001, 1000],
    [1_000_000_000, 1000],
  ])('%s gives %s', async (limit, expected) => {
    for (const path of [`/worlds/${slug}/search`, '/namespaces/alpha/worlds/search'])
      expect(expectSearchResults(await alice('POST', path, { query: 'manyword', limit }))).toHaveLength(expected);
  });

  it.each([0, -1, 1.5, '20', null, true])('400 for %s', async (limit) => {
    expect(expectError(await alice('POST', `/worlds/${slug}/search`, { query: 'manyword', limit }), 400)).toContain(
      'limit',
    );
  });

  it('subjects, predicates and types filter the hits', async () => {
    const own = await freshWorld(
      [
        '<urn:a> <urn:p> "filterword one" .',
        '<urn:a> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <urn:T> .',
        '<urn:b> <urn:p> "filterword two" .',
        '<urn:b> <urn:q> "filterword three" .\n',
      ].join('\n'),
    );
    const found = async (filter: object) =>
      expectSearchResults(await alice('POST', `/worlds/${own}/search`, { query: 'filterword', ...filter }))
        .map(({ object }) => object.split(' ')[1])
        .sort();
    expect(await found({})).toEqual(['one', 'three', 'two']);
    expect(await found({ subjects: ['urn:a'] })).toEqual(['one']);
    expect(await found({ predicates: ['urn:q'] })).toEqual(['three']);
    expect(await found({ types: ['urn:T'] })).toEqual(['one']);
    expect(await found({ subjects: ['urn:b'], predicates: ['urn:p'] })).toEqual(['two']);
  });
});
