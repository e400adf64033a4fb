import { WorldsEngine } from '@rdf-worlds/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createWorldsHandler, type WorldsHandler } from '../src/index.ts';

const TYPE = '<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>';
let engine: WorldsEngine;
let handler: WorldsHandler;

beforeAll(async () => {
  engine = await WorldsEngine.open();
  for (const slug of ['open', 'hidden']) {
    await engine.createWorld({ slug, namespace: 'acme' });
    await engine.import({
      source: `acme/${slug}`,
      data: `<urn:${slug}> ${TYPE} <urn:${slug}-class> . <urn:${slug}> <urn:says> "a plum" .`.replaceAll(
        ' . <',
        ' .\n<',
      ),
    });
  }
  handler = createWorldsHandler(engine, {
    authenticate: (token) => ({
      id: token,
      defaultNamespace: 'acme',
      grants:
        token === 'all'
          ? [{ namespace: 'acme', read: true }]
          : [{ namespace: 'acme', world: 'open', read: token === 'one', write: true }],
    }),
  });
});
afterAll(() => engine.close());

async function ask(
  path: string,
  { body, as = 'all', headers = {} }: { body?: object; as?: string; headers?: object } = {},
) {
  const response = await handler(
    new Request(`http://x${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${as}`, ...(body && { 'content-type': 'application/json' }), ...headers },
      body: body && JSON.stringify(body),
    }),
  );
  const text = await response.text();
  return { status: response.status, headers: response.headers, json: text === '' ? undefined : JSON.parse(text) };
}

describe('GET /worlds/{slug}/schema', () => {
  it('returns the schema, with an entity tag', async () => {
    const { status, json, headers } = await ask('/worlds/open/schema');
    expect(status).toBe(200);
    expect(json).toMatchObject({
      ...{ namespace: 'acme', slug: 'open', quads: 2, classes: [{ class: 'urn:open-class', count: 1 }] },
      links: [{ from: 'urn:open-class', predicate: 'urn:says', to: null, count: 1 }],
    });
    const again = await ask('/worlds/open/schema', { headers: { 'if-none-match': headers.get('etag') } });
    expect(again.status).toBe(304);
    const cut = await ask('/worlds/open/schema?limit=0', { headers: { 'if-none-match': headers.get('etag') } });
    expect(cut.json).toMatchObject({ classes: [], predicates: [], links: [], totals: { predicates: 2 } });
  });

  it('is for callers who may read the world', async () => {
    expect((await ask('/worlds/open/schema', { as: 'one' })).json.classes).toHaveLength(1);
    expect((await ask('/worlds/hidden/schema', { as: 'one' })).status).toBe(403);
    expect((await ask('/worlds/open/schema', { as: 'writer' })).status).toBe(403);
    expect((await ask('/worlds/nothing/schema')).status).toBe(404);
    for (const query of ['limit=x', 'limit=-1', 'limit=1&limit=2', 'consistency=soon'])
      expect((await ask(`/worlds/open/schema?${query}`)).status).toBe(400);
  });
});

describe('a search with facets', () => {
  const body = { query: 'plum', facets: true };

  it('counts the hits of the worlds that the caller may read', async () => {
    const { json } = await ask('/worlds/search', { body });
    expect(json.hits).toHaveLength(2);
    expect(json.facets).toEqual({
      hits: 2,
      types: [
        { value: 'urn:hidden-class', count: 1 },
        { value: 'urn:open-class', count: 1 },
      ],
      predicates: [{ value: 'urn:says', count: 2 }],
      worlds: [
        { value: 'acme/hidden', count: 1 },
        { value: 'acme/open', count: 1 },
      ],
    });
    const one = await ask('/worlds/search', { body, as: 'one' });
    expect(one.json.facets).toMatchObject({ hits: 1, worlds: [{ value: 'acme/open', count: 1 }] });
    expect(JSON.stringify(one.json)).not.toContain('hidden');
  });

  it('counts only what is asked for, and is an array without', async () => {
    const { json } = await ask('/worlds/open/search', { body: { ...body, facets: ['worlds'] } });
    expect(json.facets).toEqual({ hits: 1, worlds: [{ value: 'acme/open', count: 1 }] });
    expect((await ask('/worlds/open/search', { body: { ...body, facets: [] } })).json).toEqual({ hits: json.hits });
    expect((await ask('/worlds/open/search', { body: { ...body, facets: false } })).json).toEqual(json.hits);
    expect((await ask('/worlds/open/search', { body: { ...body, facets: ['graphs'] } })).status).toBe(400);
  });
});

describe('a text with validate', () => {
  const validate = (query: string, more = {}, as = 'all') =>
    ask('/worlds/open/sparql', { body: { query, validate: true, ...more }, as });

  it('is checked and not run', async () => {
    const update = 'PREFIX ex: <urn:> INSERT DATA { ex:a ex:b 1 }';
    expect((await validate(update)).json).toEqual({ form: 'update', prefixes: { ex: 'urn:' } });
    expect((await validate('PREFIX ex: <urn:>\nSELECT * { ?s ?p }')).json).toEqual({
      prefixes: { ex: 'urn:' },
      error: { code: 'INVALID_SPARQL', message: expect.any(String), line: 2, column: 18, length: 1 },
    });
    expect((await validate('')).json).toMatchObject({ error: { line: 1, column: 1, length: 0 } });
    expect(await engine.ask({ sources: ['acme/open'], query: 'ASK { <urn:a> ?p ?o }' })).toBe(false);
  });

  it('needs some permission for the world, and reveals nothing of it', async () => {
    expect((await validate('ASK {}', {}, 'writer')).status).toBe(200);
    expect((await validate('ASK {}', { sources: ['acme/hidden'] }, 'one')).status).toBe(403);
    expect((await ask('/worlds/nothing/sparql', { body: { query: 'ASK {}', validate: true } })).status).toBe(200);
    expect((await ask('/worlds/sparql', { body: { query: 'ASK {', validate: true } })).json.error.line).toBe(1);
  });
});
