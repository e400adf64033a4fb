import { WorldsEngine, WorldsError } from '@rdf-worlds/core';
import { minisearchIndex } from '@rdf-worlds/index-minisearch';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createWorldsHandler } from '../src/index.ts';

let engine: WorldsEngine;
beforeEach(async () => {
  engine = await WorldsEngine.open({ textIndex: minisearchIndex() });
  for (const slug of ['a', 'b', 'c']) {
    await engine.createWorld({ slug, namespace: 'acme' });
    await engine.import({ source: `acme/${slug}`, data: `<urn:${slug}> <urn:p> "word of ${slug}" .\n` });
  }
});
afterEach(() => engine.close());

type Listing = (worlds: AsyncIterable<{ slug: string }>) => AsyncIterable<{ slug: string }>;

/**
 * Asks the collection, with something done to the engine's lists; answers the status, the subjects
 * found, and how often was listed.
 */
async function ask(listing: Listing, suffix: string, body: object) {
  let lists = 0;
  const watched = new Proxy(engine, {
    get(target, name) {
      const value = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      if (name !== 'worlds') return value.bind(target);
      return (request: { namespace: string }) => {
        lists++;
        return listing(target.worlds(request));
      };
    },
  });
  const handler = createWorldsHandler(watched, {
    authenticate: () => ({
      id: 'x',
      defaultNamespace: 'acme',
      grants: [{ namespace: 'acme', read: true, write: true }],
    }),
  });
  const headers = { authorization: 'Bearer x', 'content-type': 'application/json' };
  const url = `http://x/worlds/${suffix}`;
  const response = await handler(new Request(url, { method: 'POST', headers, body: JSON.stringify(body) }));
  const text = await response.text();
  return { status: response.status, found: [...new Set(text.match(/urn:[abc]\b/g))].sort(), lists, text };
}

const QUERY = { query: 'SELECT ?s { ?s ?p ?o }' };

/** Deletes a world once, after it was listed. */
function vanishing(slug: string): Listing {
  let isThere = true;
  return async function* (worlds) {
    for await (const world of worlds) {
      yield world;
      if (world.slug !== slug || !isThere) continue;
      isThere = false;
      await engine.deleteWorld({ source: `acme/${slug}` });
    }
  };
}

it.each([
  ['sparql', QUERY],
  ['search', { query: 'word' }],
])('a world that is deleted between the list and the %s is none of the collection', async (suffix, body) => {
  expect(await ask(vanishing('b'), suffix, body)).toMatchObject({
    status: 200,
    found: ['urn:a', 'urn:c'],
    lists: 2,
  });
});

it('a collection that never holds still is not chased for ever', async () => {
  const ghost: Listing = async function* (worlds) {
    yield* worlds;
    yield { slug: 'ghost' };
  };
  const { status, lists, text } = await ask(ghost, 'sparql', QUERY);
  expect([status, lists]).toEqual([400, 5]);
  expect(text).toContain('ghost');
});

it('other failures are reported immediately', async () => {
  const broken: Listing = () => {
    throw new WorldsError('LIMIT_EXCEEDED', 'too many');
  };
  expect(await ask(broken, 'sparql', QUERY)).toMatchObject({ status: 400, lists: 1 });
});

describe('the list of a caller with grants on single worlds', () => {
  const slugs = Array.from({ length: 105 }, (_, n) => `p${String(n).padStart(3, '0')}`);
  const list = async (query: string) => {
    const handler = createWorldsHandler(engine, {
      authenticate: () => ({ id: 'x', grants: slugs.map((world) => ({ namespace: 'paged', world, read: true })) }),
    });
    const headers = { authorization: 'Bearer x' };
    const response = await handler(new Request(`http://x/namespaces/paged/worlds${query}`, { headers }));
    return ((await response.json()) as { slug: string }[]).map(({ slug }) => slug);
  };
  beforeEach(async () => {
    // Between any two that may be read there is one that may not.
    for (const slug of slugs)
      for (const suffix of ['', '-hidden']) await engine.createWorld({ slug: slug + suffix, namespace: 'paged' });
  });

  it.each([
    ['', 0, 20],
    ['?page=2', 20, 40],
    ['?page=0', 0, 20],
    ['?pageSize=100', 0, 100],
    ['?pageSize=101', 0, 100],
    ['?pageSize=1000000&page=2', 100, 105],
    ['?pageSize=0&page=3', 2, 3],
    ['?page=9007199254740993', 105, 105],
  ])('pages over what may be read: %s', async (query, from, to) => {
    expect(await list(query)).toEqual(slugs.slice(from, to));
  });
});
