import { describe, expect, it } from 'vitest';
import { expectError, expectNoContent, expectSearchResults } from './answer-shapes.ts';
import { FAMILIES } from './operations.ts';
import { ALL, base64, objects, ServiceFixture } from './service-fixture.ts';

// Behaviour that the operations and schemas alone do not determine: one describe per decision, with
// the decision as its title.

const service = new ServiceFixture();
const { as, alice, admin, freshName, freshWorld, freshNamespace, data } = service;

/** The forms in which a request can name a world. */
const FORMS: [string, (slug: string) => unknown][] = [
  ['namespace/slug', (slug) => `alpha/${slug}`],
  ['_/slug', (slug) => `_/${slug}`],
  ['a slug', (slug) => slug],
  ['slug and namespace', (slug) => ({ slug, namespace: 'alpha' })],
  ['slug and the namespace _', (slug) => ({ slug, namespace: '_' })],
  ['slug alone', (slug) => ({ slug })],
  ['slug with flags', (slug) => ({ slug, write: true, schema: false })],
  ['name', (slug) => ({ name: `alpha/${slug}` })],
  ['name with flags', (slug) => ({ name: `alpha/${slug}`, write: true, schema: false })],
];

describe("string source without `/`: a slug in the request's namespace", () => {
  it('namespace of the path, of the body, of the caller', async () => {
    const slug = freshName('same');
    for (const namespace of ['alpha', 'gamma']) {
      await service.server.engine.createWorld({ slug, namespace });
      await service.server.engine.import({
        source: `${namespace}/${slug}`,
        data: `<urn:s> <urn:p> "of ${namespace}" .\n`,
      });
    }
    const gita = as('gita');
    const query = { query: ALL, sources: [slug] };
    expect(objects(await gita('POST', '/worlds/sparql', query))).toEqual(['of alpha']);
    expect(objects(await gita('POST', '/namespaces/gamma/worlds/sparql', query))).toEqual(['of gamma']);
    expect(objects(await gita('POST', '/worlds/sparql', { ...query, namespace: 'gamma' }))).toEqual(['of gamma']);
    expect((await gita('POST', '/namespaces/gamma/worlds/x/export', { source: slug })).text).toContain('of gamma');
    expect((await gita('POST', '/worlds/x/export', { source: slug })).text).toContain('of alpha');
    expect((await gita('POST', '/worlds/x/export', { source: { slug } })).text).toContain('of alpha');
    expect((await gita('POST', '/namespaces/gamma/worlds/x/export', { source: { slug } })).text).toContain('of gamma');
  });
});

describe("`source` on PUT, DELETE, export, import: replaces the path's world; both are authorised, only the target must exist", () => {
  it.each(FORMS)('in the form: %s', async (_, form) => {
    for (const family of FAMILIES) {
      const target = await freshWorld('<urn:s> <urn:p> "target" .\n');
      const bystander = await freshWorld('<urn:s> <urn:p> "bystander" .\n');
      const untouched = await service.server.engine.getWorld({ source: `alpha/${bystander}` });
      for (const inPath of [bystander, 'not-there']) {
        const path = `${family.worlds('alpha')}/${inPath}`;
        const source = form(target);
        expect((await alice('POST', `${path}/export`, { source })).text).toContain('"target"');
        const more = base64(`<urn:s> <urn:p> "more ${inPath}" .\n`);
        expectNoContent(await alice('POST', `${path}/import`, { source, data: more }));
        expect(await data(`alpha/${target}`)).toContain(`more ${inPath}`);
        expectNoContent(await alice('PUT', path, { source, label: inPath }));
        expect((await service.server.engine.getWorld({ source: `alpha/${target}` }))?.label).toBe(inPath);
      }
      expectNoContent(await alice('DELETE', `${family.worlds('alpha')}/${bystander}`, { source: form(target) }));
      expect(await service.server.engine.getWorld({ source: `alpha/${target}` })).toBeNull();
      expect(await service.server.engine.getWorld({ source: `alpha/${bystander}` })).toEqual(untouched);
    }
  });

  it('the target must exist', async () => {
    const there = await freshWorld();
    const path = `/worlds/${there}`;
    const source = 'alpha/not-there';
    expect(expectError(await alice('PUT', path, { source }), 404)).toContain('not-there');
    expect(expectError(await alice('DELETE', path, { source }), 404)).toContain('not-there');
    expect(expectError(await alice('POST', `${path}/export`, { source }), 400)).toContain('not-there');
    expect(expectError(await alice('POST', `${path}/import`, { source, data: '' }), 400)).toContain('not-there');
    expect((await alice('GET', path)).status).toBe(200);
  });

  it.each(['a/b/c', '/a', 'alpha/', '/', '', 'alpha/-x', 'al pha/x'])(
    '400 for the malformed source %j',
    async (source) => {
      const slug = await freshWorld('<urn:s> <urn:p> "o" .\n');
      expectError(await alice('PUT', `/worlds/${slug}`, { source }), 400);
      expectError(await alice('DELETE', `/worlds/${slug}`, { source }), 400);
      expectError(await alice('POST', `/worlds/${slug}/export`, { source }), 400);
      expectError(await alice('POST', `/worlds/${slug}/import`, { source, data: '' }), 400);
      expectError(await alice('POST', '/worlds/sparql', { query: ALL, sources: [source] }), 400);
      expectError(await alice('POST', '/worlds/search', { query: 'x', sources: [{ name: source }] }), 400);
    },
  );

  it('a name without a namespace is a slug, like a string', async () => {
    const slug = await freshWorld('<urn:s> <urn:p> "o" .\n');
    const answer = await alice('POST', '/worlds/x/export', { source: { name: slug } });
    expect([answer.status, answer.text]).toEqual([200, '<urn:s> <urn:p> "o" .\n']);
  });
});

describe('`sources` on sparql and search', () => {
  it.each(FORMS)('in the form: %s', async (_, form) => {
    for (const family of FAMILIES)
      for (const suffix of ['', '/bystander']) {
        const slug = await freshWorld('<urn:s> <urn:p> "formword" <urn:graph> .\n<urn:s> <urn:p> "formword" .\n');
        const bystander = await freshWorld('<urn:s> <urn:p> "formword of another" .\n');
        const path = family.worlds('alpha') + suffix.replace('bystander', bystander);
        const sources = [form(slug)];
        expect(objects(await alice('POST', `${path}/sparql`, { query: ALL, sources }))).toEqual(['formword']);
        const hits = expectSearchResults(await alice('POST', `${path}/search`, { query: 'formword', sources }));
        expect(hits.map(({ world }) => world.slug)).toEqual([slug]);
        expect((await alice('POST', `${path}/sparql`, { sources })).text).toContain('urn:graph');
        const query = 'INSERT DATA { <urn:s> <urn:written> 1 }';
        expectNoContent(await alice('POST', `${path}/sparql`, { query, sources }));
        expect(await data(`alpha/${slug}`)).toContain('urn:written');
        expect(await data(`alpha/${bystander}`)).not.toContain('urn:written');
      }
  });

  it('an empty list means no worlds: neither the world of the path nor the collection', async () => {
    const slug = await freshWorld('<urn:s> <urn:p> "nowhere to be seen" <urn:graph> .\n');
    for (const family of FAMILIES)
      for (const path of [family.worlds('alpha'), `${family.worlds('alpha')}/${slug}`]) {
        const all = { query: 'SELECT ?o { { ?s ?p ?o } UNION { GRAPH ?g { ?s ?p ?o } } }', sources: [] };
        expect(objects(await alice('POST', `${path}/sparql`, all))).toEqual([]);
        expect(expectSearchResults(await alice('POST', `${path}/search`, { query: 'seen', sources: [] }))).toEqual([]);
        const description = await alice('POST', `${path}/sparql`, { sources: [] });
        expect([description.status, description.text.includes('urn:graph')]).toEqual([200, false]);
        expectError(await alice('POST', `${path}/sparql`, { query: 'CLEAR ALL', sources: [] }), 400);
      }
    expect(await data(`alpha/${slug}`)).toContain('nowhere');
  });
});

describe("`sources` on a one-world route: replaces the path's world", () => {
  it.each(FAMILIES)('$name', async (family) => {
    const [a, b, c] = [
      await freshWorld('<urn:s> <urn:p> "replaced a" .\n'),
      await freshWorld('<urn:s> <urn:p> "replaced b" .\n'),
      await freshWorld('<urn:s> <urn:p> "replaced c" .\n'),
    ];
    const path = `${family.worlds('alpha')}/${a}`;
    const sources = [`alpha/${b}`, { slug: c }];
    expect(objects(await alice('POST', `${path}/sparql`, { query: ALL, sources }))).toEqual([
      'replaced b',
      'replaced c',
    ]);
    const hits = expectSearchResults(await alice('POST', `${path}/search`, { query: 'replaced', sources }));
    expect(hits.map(({ world }) => world.slug).sort()).toEqual([b, c].sort());
    const gone = `${family.worlds('alpha')}/not-there/sparql`;
    expect(objects(await alice('POST', gone, { query: ALL, sources: [b] }))).toEqual(['replaced b']);
    expectNoContent(
      await alice('POST', `${path}/sparql`, { query: 'INSERT DATA { <urn:s> <urn:p> "written" }', sources: [b] }),
    );
    expect(await data(`alpha/${b}`)).toContain('written');
    expect(await data(`alpha/${a}`)).not.toContain('written');
  });
});

describe('body `namespace` on sparql, search: scopes the collection and unqualified sources; a namespace that the caller may not use is 403', () => {
  it('scopes the collection', async () => {
    const slug = await freshWorld('<urn:s> <urn:p> "scopedword" .\n', 'gamma');
    const gita = as('gita');
    for (const family of FAMILIES) {
      const path = family.worlds('alpha');
      const query = 'SELECT ?o { ?s ?p ?o FILTER(?o = "scopedword") }';
      expect(objects(await gita('POST', `${path}/sparql`, { query }))).toEqual([]);
      expect(objects(await gita('POST', `${path}/sparql`, { query, namespace: 'gamma' }))).toEqual(['scopedword']);
      const hits = await gita('POST', `${path}/search`, { query: 'scopedword', namespace: 'gamma' });
      expect(expectSearchResults(hits).map(({ world }) => world.slug)).toEqual([slug]);
      expectError(await gita('POST', `${path}/sparql`, { query, namespace: 'beta' }), 403);
      expectError(await gita('POST', `${path}/search`, { query: 'x', namespace: 'beta' }), 403);
      // Also where nothing would be resolved by it.
      expectError(await gita('POST', `${path}/sparql`, { query, namespace: 'beta', sources: [`gamma/${slug}`] }), 403);
    }
  });
});

describe('`write`, `schema`: an update without exactly one target is 400; a schema source is never written and never a hit', () => {
  const INSERT = 'INSERT DATA { <urn:s> <urn:p> "written" }';
  const cases: [string, (a: string, b: string) => unknown[], 'a' | 'b' | 400][] = [
    ['one source', (a) => [a], 'a'],
    ['one that says write', (a) => [{ slug: a, write: true }], 'a'],
    ['one that says not to write', (a) => [{ slug: a, write: false }], 400],
    ['one schema', (a) => [{ slug: a, schema: true }], 400],
    ['one schema that says write', (a) => [{ slug: a, schema: true, write: true }], 400],
    ['two', (a, b) => [a, b], 400],
    ['two, one says write', (a, b) => [a, { slug: b, write: true }], 'b'],
    [
      'two that say write',
      (a, b) => [
        { slug: a, write: true },
        { name: `alpha/${b}`, write: true },
      ],
      400,
    ],
    ['two, one says not to write', (a, b) => [a, { slug: b, write: false }], 400],
    ['one and a schema', (a, b) => [{ slug: b, schema: true }, a], 'a'],
    ['a schema that says write, and one that does not', (a, b) => [{ slug: b, schema: true, write: true }, a], 'a'],
  ];

  it.each(cases)('update over %s', async (_, sources, expected) => {
    for (const path of ['/worlds/sparql', '/namespaces/alpha/worlds/x/sparql']) {
      const [a, b] = [await freshWorld(), await freshWorld()];
      const answer = await alice('POST', path, { query: INSERT, sources: sources(a, b) });
      if (expected === 400) expectError(answer, 400);
      else expectNoContent(answer);
      expect((await data(`alpha/${a}`)) !== '').toBe(expected === 'a');
      expect((await data(`alpha/${b}`)) !== '').toBe(expected === 'b');
    }
  });

  it('an update of a collection of several worlds, or of no worlds, has no target', async () => {
    for (const slugs of [[], ['a', 'b']]) {
      const namespace = await freshNamespace(...slugs);
      expectError(await admin('POST', `/namespaces/${namespace}/worlds/sparql`, { query: INSERT }), 400);
      for (const slug of slugs) expect(await data(`${namespace}/${slug}`)).not.toContain('written');
    }
  });

  it('a schema source widens a search and is never a hit', async () => {
    const slug = await freshWorld('<urn:s> <urn:calls> "telephone" .\n');
    const schema = await freshWorld(
      '<urn:calls> <http://www.w3.org/2000/01/rdf-schema#subPropertyOf> <urn:contacts> .\n<urn:x> <urn:contacts> "telephone" .\n',
    );
    const body = { query: 'telephone', predicates: ['urn:contacts'] };
    const narrow = await alice('POST', '/worlds/search', { ...body, sources: [slug] });
    expect(expectSearchResults(narrow)).toEqual([]);
    const sources = [slug, { slug: schema, schema: true }];
    const hits = expectSearchResults(await alice('POST', '/worlds/search', { ...body, sources }));
    expect(hits.map(({ subject, world }) => [subject, world.slug])).toEqual([['urn:s', slug]]);
  });
});
