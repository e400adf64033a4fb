import { WorldsEngine } from '@rdf-worlds/core';
import { describe, expect, it } from 'vitest';
import { createWorldsHandler, staticTokens } from '../../src/index.ts';

/**
 * What a caller of one world could infer about the other worlds of the namespace: from orders, and
 * from entity tags.
 */

const GUESSES = ['amber', 'basil', 'cedar', 'dahlia', 'elder', 'fern'];
const FRESH = ['zz1', 'aa2', 'mm3', 'bb4', 'yy5', 'kk6'];

interface Service {
  readonly engine: WorldsEngine;
  ask(
    token: 'guest' | 'owner',
    method: string,
    path: string,
    body?: object,
  ): Promise<{ text: string; etag: string | null }>;
}

async function service(hidden: readonly string[]): Promise<Service> {
  let now = Date.UTC(2024, 0, 1);
  const engine = await WorldsEngine.open({ clock: () => ++now });
  for (const slug of ['hidden', 'own']) await engine.createWorld({ slug, namespace: 'acme' });
  const data = hidden.map((word) => `<urn:h> <urn:p> "${word}" .\n<urn:${word}> <urn:p> "x" <urn:g:${word}> .\n`);
  await engine.import({ source: 'acme/hidden', data: data.join('') });
  const handler = createWorldsHandler(engine, {
    authenticate: staticTokens([
      {
        token: 'token-of-the-guest',
        namespace: 'acme',
        grants: [{ namespace: 'acme', world: 'own', read: true, write: true }],
      },
      { token: 'token-of-the-owner', namespace: 'acme' },
    ]),
  });
  return {
    engine,
    async ask(token, method, path, body) {
      const headers = { authorization: `Bearer token-of-the-${token}`, 'content-type': 'application/json' };
      const url = `http://localhost/worlds${path}`;
      const response = await handler(new Request(url, { method, headers, body: body && JSON.stringify(body) }));
      const text = await response.text();
      expect(response.status, text).toBeLessThan(300);
      return { text, etag: response.headers.get('etag') };
    },
  };
}

/** Writes each guess behind a word that nobody has used; then everything that shows an order. */
async function attack({ ask }: Service, token: 'guest' | 'owner'): Promise<string[]> {
  const values = GUESSES.flatMap((guess, at) => [FRESH[at], guess]);
  const triples = values.map(
    (word) => `<urn:one> <urn:p> "${word}" . GRAPH <urn:g:${word}> { <urn:${word}> <urn:p> "x" } `,
  );
  await ask(token, 'POST', '/own/sparql', { query: `INSERT DATA { ${triples.join('')} }` });
  const queries = [
    'SELECT ?o { ?s ?p ?o }',
    'SELECT ?o { ?s ?p ?o } LIMIT 1',
    'SELECT * { GRAPH ?g { ?s ?p ?o } }',
    'SELECT (SAMPLE(?o) AS ?x) (GROUP_CONCAT(?o) AS ?all) { ?s ?p ?o }',
    'CONSTRUCT { ?s ?p ?o } { ?s ?p ?o }',
    'DESCRIBE <urn:one>',
  ];
  const answers: string[] = [];
  for (const query of queries) {
    answers.push((await ask(token, 'POST', '/own/sparql', { query })).text);
    answers.push((await ask(token, 'GET', `/own/sparql?query=${encodeURIComponent(query)}`)).text);
    // Over all worlds that the caller may read: for the guest that is its own.
    if (token === 'guest') answers.push((await ask(token, 'POST', '/sparql', { query })).text);
  }
  for (const contentType of ['application/n-quads', 'text/turtle', 'application/trig', 'application/ld+json']) {
    answers.push((await ask(token, 'POST', '/own/export', { contentType })).text);
  }
  answers.push((await ask(token, 'GET', '/own/graphs?default')).text);
  answers.push(withoutTimes((await ask(token, 'POST', '/own/search', { query: 'x', limit: 3 })).text));
  return answers;
}

const withoutTimes = (text: string) => text.replace(/"(createdAt|updatedAt)":\d+/g, '');

describe('six guesses about another world of the namespace', () => {
  it('get the same responses whether or not they are right, for a caller who cannot read it', async () => {
    const all: string[][] = [];
    for (const hidden of [[], ['fern', 'basil', 'dahlia'], GUESSES, GUESSES.toReversed()]) {
      const one = await service(hidden);
      all.push(await attack(one, 'guest'));
      await one.engine.close();
    }
    for (const answers of all) expect(answers).toEqual(all[0]);
  });

  it('get different responses for a caller who may read the whole namespace', async () => {
    const all = new Set<string>();
    for (const hidden of [[], GUESSES]) {
      const one = await service(hidden);
      all.add((await attack(one, 'owner'))[0]);
      await one.engine.close();
    }
    expect(all.size).toBe(2);
  });
});

describe('the entity tag of a world', () => {
  it('changes only with commits of that world, and does not reveal their number', async () => {
    const { engine, ask } = await service([]);
    const tags = async () => [
      (await ask('guest', 'GET', '/own')).etag,
      (await ask('guest', 'POST', '/own/export', {})).etag,
      (await ask('guest', 'GET', '/own/graphs?default')).etag,
    ];
    const before = await tags();
    for (let i = 0; i < 40; i++)
      await engine.update({ sources: ['acme/hidden'], query: `INSERT DATA { <urn:a> <urn:b> ${i} }` });
    expect(await tags()).toEqual(before);
    await ask('guest', 'POST', '/own/sparql', { query: 'INSERT DATA { <urn:a> <urn:b> 1 }' });
    const after = await tags();
    for (const [at, tag] of after.entries()) {
      expect(tag).not.toBe(before[at]);
      expect(tag).toMatch(/^(?:W\/)?"[\w-]{22}[^"]*"$/);
    }
    const { revision } = (await engine.getWorld({ source: 'acme/own' }))!;
    expect(revision).toBeGreaterThan(40);
    await engine.close();
  });
});
