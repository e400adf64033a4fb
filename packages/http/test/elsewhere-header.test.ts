import { WorldsEngine } from '@rdf-worlds/core';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createWorldsHandler, staticTokens } from '../src/index.ts';

let engine: WorldsEngine;
beforeEach(async () => {
  engine = await WorldsEngine.open();
  for (const source of ['acme/w', 'beta/w', 'beta/x', 'delta/y']) {
    const [namespace, slug] = source.split('/');
    await engine.createWorld({ namespace, slug });
  }
});
afterEach(() => engine.close());

const read = (namespace: string, world?: string) => ({ namespace, world, read: true });

/** Lists worlds as each caller of the tokens. Returns the number of worlds and the header. */
async function list(token: string, path = '/worlds'): Promise<[number, string | null]> {
  const handler = createWorldsHandler(engine, {
    authenticate: staticTokens([
      { token: 'token-of-the-admin', namespace: 'home', admin: true },
      { token: 'token-of-a-tenant', namespace: 'home' },
      { token: 'token-of-a-reader', namespace: 'home', grants: [read('home'), read('acme'), read('beta', 'x')] },
      {
        token: 'token-of-a-guest',
        namespace: 'home',
        // One world of which does not exist, and one that may only be written.
        grants: [read('home'), read('acme', 'none'), read('empty'), { namespace: 'delta', world: 'y', write: true }],
      },
      { token: 'token-of-a-guest-at-home', namespace: 'acme', grants: [read('acme', 'none'), read('beta', 'w')] },
    ]),
  });
  const headers = { authorization: `Bearer token-of-${token}` };
  const response = await handler(new Request(`http://localhost${path}`, { headers }));
  expect(response.status).toBe(200);
  return [((await response.json()) as unknown[]).length, response.headers.get('rdf-worlds-elsewhere')];
}

it.each<[caller: string, names: string | null]>([
  ['the-admin', 'acme, beta, delta'],
  ['a-reader', 'acme, beta'],
  ['a-tenant', null],
  ['a-guest', null],
  // The worlds of its namespace are hidden, so to this caller it is empty.
  ['a-guest-at-home', 'beta'],
])('an empty list says to %s where there are worlds to read', async (caller, names) => {
  expect(await list(caller)).toEqual([0, names]);
});

it('other lists do not say so', async () => {
  expect(await list('the-admin', '/namespaces/home/worlds')).toEqual([0, null]);
  expect(await list('the-admin', '/worlds?page=2')).toEqual([0, null]);
  await engine.createWorld({ namespace: 'home', slug: 'own' });
  expect(await list('the-admin')).toEqual([1, null]);
  expect(await list('a-reader')).toEqual([1, null]);
});

it('the header names at most ten namespaces', async () => {
  for (let i = 0; i < 20; i++) await engine.createWorld({ namespace: `n${i}`, slug: 'w' });
  const [, names] = await list('the-admin');
  expect(names?.split(', ')).toHaveLength(10);
});
