import { WorldsEngine } from '@rdf-worlds/core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createWorldsHandler, staticTokens } from '../src/index.ts';

let engine: WorldsEngine;
beforeAll(async () => {
  engine = await WorldsEngine.open({ textIndex: null });
  await engine.createWorld({ slug: 'a', namespace: 'acme' });
  await engine.createWorld({ slug: 'secret', namespace: 'others' });
});
afterAll(() => engine.close());

async function ask(token: string | undefined, path = '/namespaces', method = 'GET'): Promise<Response> {
  const handler = createWorldsHandler(engine, {
    authenticate: staticTokens([
      { token: 'the-token-of-root', id: 'root', admin: true },
      { token: 'the-token-of-acme', id: 'ann', namespace: 'acme' },
      {
        token: 'the-token-of-guest',
        id: 'guest',
        namespace: 'guest',
        grants: [
          { namespace: 'acme', world: 'a', read: true },
          { namespace: 'nowhere', write: true },
        ],
      },
    ]),
  });
  const headers: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {};
  return handler(new Request(`http://localhost${path}`, { method, headers }));
}

it('tells callers who they are, and the namespaces of their grants only', async () => {
  expect(await (await ask('the-token-of-root')).json()).toEqual({
    id: 'root',
    namespace: 'platform',
    admin: true,
    namespaces: ['acme', 'others', 'platform'].map((namespace) => ({ namespace, read: true, write: true })),
  });
  expect(await (await ask('the-token-of-acme')).json()).toMatchObject({
    id: 'ann',
    namespace: 'acme',
    admin: false,
    namespaces: [{ namespace: 'acme', read: true, write: true }],
  });
  const guest = (await (await ask('the-token-of-guest')).json()) as { namespaces: { namespace: string }[] };
  expect(guest).toMatchObject({ id: 'guest', namespace: 'guest', admin: false });
  expect(guest.namespaces.filter(({ namespace }) => namespace !== 'guest')).toEqual([
    { namespace: 'acme', read: true, write: false },
    { namespace: 'nowhere', read: false, write: true },
  ]);
  expect(JSON.stringify(guest)).not.toContain('others');
});

it('needs credentials, and is there once', async () => {
  expect((await ask(undefined)).status).toBe(401);
  expect((await ask('the-token-of-acme', '/namespaces/acme/namespaces')).status).toBe(404);
  expect((await ask('the-token-of-acme', '/namespaces', 'POST')).status).toBe(405);
});
