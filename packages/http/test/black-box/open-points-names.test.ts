import { describe, expect, it } from 'vitest';
import { expectError, expectNoContent, expectSearchResults, expectWorld } from './answer-shapes.ts';
import { ask } from './exchange.ts';
import { FAMILIES } from './operations.ts';
import { startServer } from './running-server.ts';
import { ALL, base64, objects, ServiceFixture } from './service-fixture.ts';
import type { WireJson } from './wire-json.ts';

// Behaviour that the operations and schemas alone do not determine: one describe per decision, with
// the decision as its title.

const service = new ServiceFixture();
const { as, alice, admin, freshName, freshWorld, freshNamespace } = service;

describe('slug, namespace: [A-Za-z0-9][A-Za-z0-9._~-]{0,127}; `_` is reserved; `sparql` and `search` are legal', () => {
  const LEGAL = ['a', '0', 'Z9', 'a.b', 'a_b', 'a~b', 'a-b', 'a..', 'x'.repeat(128), 'sparql', 'search', 'constructor'];
  const ILLEGAL = [
    '',
    '_',
    '-a',
    '.a',
    '.',
    '..',
    '_a',
    '~a',
    '__proto__',
    'a b',
    'a/b',
    'a%20b',
    'é',
    'a\n',
    'a\0',
    'x'.repeat(129),
  ];
  /**
   * As they stand in a path; `.` and `..` are resolved away by clients and are with the tricks of
   * paths.
   */
  const ILLEGAL_IN_PATH = [
    '_',
    '-a',
    '.a',
    '_a',
    '~a',
    '__proto__',
    'a%20b',
    '%C3%A9',
    'a%0A',
    'a%00',
    'x'.repeat(129),
  ];

  it.each(LEGAL)('slug %s is legal in a body and in a path', async (slug) => {
    const namespace = await freshNamespace();
    const worlds = `/namespaces/${namespace}/worlds`;
    expect((await admin('POST', worlds, { slug })).status).toBe(201);
    const got = await admin('GET', `${worlds}/${slug}`);
    expect([got.status, got.json().slug]).toEqual([200, slug]);
    expectNoContent(await admin('PUT', `${worlds}/${slug}`, { label: 'L' }));
    expectNoContent(await admin('POST', `${worlds}/${slug}/import`, { data: base64('<urn:s> <urn:p> "o" .\n') }));
    expect((await admin('POST', `${worlds}/${slug}/export`)).text).toBe('<urn:s> <urn:p> "o" .\n');
    expect(objects(await admin('POST', `${worlds}/${slug}/sparql`, { query: ALL }))).toEqual(['o']);
    expect(expectSearchResults(await admin('POST', `${worlds}/${slug}/search`, { query: 'o' }))).toHaveLength(1);
    expectNoContent(await admin('DELETE', `${worlds}/${slug}`));
    expect((await admin('GET', `${worlds}/${slug}`)).status).toBe(404);
  });

  it.each(ILLEGAL)('create rejects the slug %j with 400', async (slug) => {
    for (const family of FAMILIES) expectError(await alice('POST', family.worlds('alpha'), { slug }), 400);
  });

  it.each(ILLEGAL.filter((name) => name !== '_'))('create rejects the namespace %j with 400', async (namespace) => {
    expectError(await admin('POST', '/worlds', { slug: 'x', namespace }), 400);
  });

  it.each(ILLEGAL_IN_PATH)('malformed slug %s in a path: 404 on GET, PUT, DELETE and 400 elsewhere', async (slug) => {
    for (const family of FAMILIES) {
      const path = `${family.worlds('alpha')}/${slug}`;
      expectError(await alice('GET', path), 404);
      expectError(await alice('PUT', path, { label: 'L' }), 404);
      expectError(await alice('DELETE', path), 404);
      expectError(await alice('POST', `${path}/export`), 400);
      expectError(await alice('POST', `${path}/import`, { data: '' }), 400);
      expectError(await alice('POST', `${path}/sparql`, { query: 'ASK {}' }), 400);
      expectError(await alice('POST', `${path}/search`, { query: 'x' }), 400);
    }
  });
});

describe('`_` outside the path expands as in the path; only CreateWorldParams rejects it, in both families, with 400', () => {
  it('`_` in the path is the default namespace of the tenant', async () => {
    const slug = await freshWorld('<urn:s> <urn:p> "underscore" .\n');
    expect((await alice('GET', `/namespaces/_/worlds/${slug}`)).json()).toMatchObject({ slug, namespace: 'alpha' });
    expect((await as('bob')('GET', `/namespaces/_/worlds/${slug}`)).status).toBe(404);
    const listed = (await alice('GET', '/namespaces/_/worlds?pageSize=100')).json();
    expect(listed.every((world: WireJson) => world.namespace === 'alpha')).toBe(true);
    expect((await alice('POST', '/namespaces/_/worlds', { slug: `${slug}-too` })).json().namespace).toBe('alpha');
  });

  it('`_` in the path is the platform namespace when no tenant applies', async () => {
    const slug = await freshWorld('', 'platform');
    for (const caller of ['olga', 'admin'] as const)
      expect((await as(caller)('GET', `/namespaces/_/worlds/${slug}`)).json()).toMatchObject({
        slug,
        namespace: 'platform',
      });
  });

  it.each(['string', 'object', 'name'])('in a source, as %s', async (form) => {
    const slug = await freshWorld('<urn:s> <urn:p> "underscore" .\n');
    const source = { string: `_/${slug}`, object: { slug, namespace: '_' }, name: { name: `_/${slug}` } }[form];
    for (const family of FAMILIES) {
      const worlds = family.worlds('alpha');
      expect((await alice('POST', `${worlds}/other/export`, { source })).text).toContain('underscore');
      expect(objects(await alice('POST', `${worlds}/sparql`, { query: ALL, sources: [source] }))).toEqual([
        'underscore',
      ]);
      const hits = await alice('POST', `${worlds}/search`, { query: 'underscore', sources: [source] });
      expect(expectSearchResults(hits).map(({ world }) => world.slug)).toEqual([slug]);
    }
  });

  it('as body `namespace` of sparql and search', async () => {
    const slug = await freshWorld('<urn:s> <urn:p> "bodyscope" .\n');
    for (const worlds of ['/worlds', '/namespaces/alpha/worlds']) {
      const body = { namespace: '_', sources: [slug] };
      expect(objects(await alice('POST', `${worlds}/sparql`, { query: ALL, ...body }))).toEqual(['bodyscope']);
      const hits = expectSearchResults(await alice('POST', `${worlds}/search`, { query: 'bodyscope', namespace: '_' }));
      expect(hits.map(({ world }) => world.slug)).toEqual([slug]);
    }
  });

  it.each(['/worlds', '/namespaces/alpha/worlds', '/namespaces/_/worlds'])(
    'create at %s rejects it',
    async (worlds) => {
      const slug = freshName('never');
      expect(expectError(await alice('POST', worlds, { slug, namespace: '_' }), 400)).toContain('namespace');
      expect((await alice('GET', `/worlds/${slug}`)).status).toBe(404);
    },
  );
});

describe('default namespace of a token without tenant: the platform namespace, `platform` unless configured', () => {
  it('platform', async () => {
    const slug = freshName('home');
    expect((await as('olga')('POST', '/worlds', { slug })).json().namespace).toBe('platform');
    expect((await admin('GET', `/worlds/${slug}`)).json().namespace).toBe('platform');
    expect((await as('olga')('GET', '/worlds')).json().every((world: WireJson) => world.namespace === 'platform')).toBe(
      true,
    );
  });

  it('as configured', async () => {
    const other = await startServer({ handler: { platformNamespace: 'headquarters' } });
    try {
      const created = await ask(other, { method: 'POST', path: '/worlds', as: 'admin', json: { slug: 'hq' } });
      expect(created.json().namespace).toBe('headquarters');
      const path = '/namespaces/_/worlds/hq';
      expect((await ask(other, { method: 'GET', path, as: 'admin' })).json().namespace).toBe('headquarters');
    } finally {
      await other.close();
    }
  });
});

describe('POST /worlds with a body `namespace`: honoured if the caller may use it, else 403', () => {
  it('honoured', async () => {
    const slug = freshName('in');
    const created = await as('gita')('POST', '/worlds', { slug, namespace: 'gamma' });
    expect([created.status, created.json().namespace]).toEqual([201, 'gamma']);
    expect(await service.server.engine.getWorld({ source: `gamma/${slug}` })).not.toBeNull();
    expect(await service.server.engine.getWorld({ source: `alpha/${slug}` })).toBeNull();
  });

  it('403, and nothing is created', async () => {
    const slug = freshName('in');
    for (const [caller, namespace] of [
      ['alice', 'beta'],
      ['alice', 'never-heard-of'],
      ['rita', 'alpha'],
      ['carol', 'alpha'],
    ] as const) {
      expectError(await as(caller)('POST', '/worlds', { slug, namespace }), 403);
      expect(await service.server.engine.getWorld({ source: `${namespace}/${slug}` })).toBeNull();
    }
  });

  it('the path namespace wins over a body namespace on namespaced create', async () => {
    for (const namespace of ['alpha', 'beta', 'gamma', 'never-heard-of']) {
      const slug = freshName('wins');
      const created = await alice('POST', '/namespaces/alpha/worlds', { slug, namespace });
      expect([created.status, created.json().namespace]).toEqual([201, 'alpha']);
      if (namespace !== 'alpha')
        expect(await service.server.engine.getWorld({ source: `${namespace}/${slug}` })).toBeNull();
    }
  });

  it('409 for an existing slug', async () => {
    const slug = freshName('taken');
    for (const [status, worlds] of [
      [201, '/worlds'],
      [409, '/worlds'],
      [409, '/namespaces/alpha/worlds'],
      [409, '/namespaces/_/worlds'],
    ] as const) {
      const answer = await alice('POST', worlds, { slug, label: worlds });
      if (status === 201) expectWorld(answer.json());
      else expect(expectError(answer, 409)).toContain(slug);
    }
    expect((await alice('GET', `/worlds/${slug}`)).json().label).toBe('/worlds');
    expect((await as('bob')('POST', '/worlds', { slug })).status).toBe(201);
  });
});

describe("GET on `/worlds/sparql`, `/worlds/search`: the world of that slug; with `?query=` on sparql, the protocol's query over the collection", () => {
  it.each(['sparql', 'search'])('%s', async (slug) => {
    const namespace = await freshNamespace('other');
    const worlds = `/namespaces/${namespace}/worlds`;
    expectError(await admin('GET', `${worlds}/${slug}`), 404);
    expect((await admin('POST', worlds, { slug })).status).toBe(201);
    expect((await admin('GET', `${worlds}/${slug}`)).json()).toMatchObject({ slug });
    await service.server.engine.import({
      source: `${namespace}/${slug}`,
      data: '<urn:s> <urn:p> "in the odd one" .\n',
    });
    const both = ['in other', 'in the odd one'];
    expect(objects(await admin('POST', `${worlds}/sparql`, { query: ALL }))).toEqual(both);
    expect(objects(await admin('POST', `${worlds}/${slug}/sparql`, { query: ALL }))).toEqual(['in the odd one']);
    const query = encodeURIComponent(ALL);
    expect(objects(await admin('GET', `${worlds}/sparql?query=${query}`))).toEqual(both);
    expect(objects(await admin('GET', `${worlds}/${slug}/sparql?query=${query}`))).toEqual(['in the odd one']);
    expect(expectSearchResults(await admin('POST', `${worlds}/search`, { query: 'in' }))).toHaveLength(2);
    expect(expectSearchResults(await admin('POST', `${worlds}/${slug}/search`, { query: 'odd' }))).toHaveLength(1);
    expectNoContent(await admin('PUT', `${worlds}/${slug}`, { label: 'odd' }));
    expectNoContent(await admin('DELETE', `${worlds}/${slug}`));
  });
});
