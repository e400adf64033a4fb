import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectError } from './answer-shapes.ts';
import { ask } from './exchange.ts';
import { type RunningServer, startServer } from './running-server.ts';

let server: RunningServer;
beforeAll(async () => {
  server = await startServer({
    engine: {
      quotas: {
        namespace: { worlds: 3 },
        world: { quads: 2 },
        namespaces: { alpha: { worlds: { label: { bytes: 10 } } } },
      },
    },
  });
  for (const slug of ['full', 'label', 'shared']) await server.engine.createWorld({ slug, namespace: 'alpha' });
  await server.engine.import({ source: 'alpha/full', data: '<urn:a> <urn:b> "1", "2" .', contentType: 'text/turtle' });
});
afterAll(() => server.close());

const nQuad = '<urn:a> <urn:b> "3" .\n';

describe('a quota', () => {
  it.each([
    ['POST', '/worlds', { json: { slug: 'more' } }, 'worlds'],
    ['POST', '/worlds/full/import', { json: { data: Buffer.from(nQuad).toString('base64') } }, 'quads'],
    ['POST', '/worlds/full/sparql', { json: { query: 'INSERT DATA { <urn:a> <urn:b> 3 }' } }, 'quads'],
    [
      'PUT',
      '/worlds/full/graphs?graph=urn:g',
      { body: nQuad, headers: { 'content-type': 'application/n-triples' } },
      'quads',
    ],
    [
      'POST',
      '/worlds/full/graphs?default',
      { body: nQuad, headers: { 'content-type': 'application/n-triples' } },
      'quads',
    ],
    ['PUT', '/worlds/label', { json: { label: 'longer than ten' } }, 'bytes'],
  ])('responds to %s %s with 507 and its name, and changes nothing', async (method, path, asked, quota) => {
    const answer = await ask(server, { method, path, as: 'alice', ...asked });
    expectError(answer, 507);
    expect(answer.text).toContain(`(${quota})`);
    expect(await server.engine.stats({ namespace: 'alpha' })).toMatchObject({ worlds: 3, quads: 2 });
  });

  it('allows deletions, and writes that fit afterwards', async () => {
    const update = (query: string) =>
      ask(server, { method: 'POST', path: '/worlds/full/sparql', as: 'alice', json: { query } });
    expect((await update('DELETE DATA { <urn:a> <urn:b> "1" }')).status).toBe(204);
    expect((await update('INSERT DATA { <urn:a> <urn:b> "1" }')).status).toBe(204);
  });
});

describe('statistics', () => {
  it('show the use of a namespace to those who may read all of it', async () => {
    const stats = { namespace: 'alpha', worlds: 3, quads: 2 };
    for (const path of ['/stats', '/namespaces/alpha/stats', '/namespaces/_/stats']) {
      const answer = await ask(server, { method: 'GET', path, as: 'rita' });
      expect(JSON.parse(answer.text)).toMatchObject({ ...stats, quotas: { worlds: { used: 3, limit: 3 } } });
    }
    for (const as of ['carol', 'bob'] as const) {
      expectError(await ask(server, { method: 'GET', path: '/namespaces/alpha/stats', as }), 403);
    }
    expectError(await ask(server, { method: 'GET', path: '/stats' }), 401);
  });

  it('show the use of a world to those who may read it', async () => {
    const quotas = { quads: { used: 0, limit: 2 }, bytes: { used: 0, limit: null } };
    const answer = await ask(server, { method: 'GET', path: '/namespaces/alpha/worlds/shared/stats', as: 'carol' });
    expect(JSON.parse(answer.text)).toEqual({ namespace: 'alpha', slug: 'shared', quotas });
    expectError(await ask(server, { method: 'GET', path: '/namespaces/alpha/worlds/full/stats', as: 'carol' }), 403);
    expectError(await ask(server, { method: 'GET', path: '/worlds/nothing/stats', as: 'alice' }), 404);
  });

  it('omit quotas if there are none', async () => {
    const plain = await startServer();
    await plain.engine.createWorld({ slug: 'w', namespace: 'alpha' });
    const get = async (path: string) => JSON.parse((await ask(plain, { method: 'GET', path, as: 'alice' })).text);
    expect(await get('/stats')).toEqual({ namespace: 'alpha', worlds: 1, quads: 0 });
    expect(await get('/worlds/w/stats')).toEqual({ namespace: 'alpha', slug: 'w' });
    await plain.close();
  });
});
