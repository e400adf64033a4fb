import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WorldsClient } from '../src/index.ts';
import { type RunningServer, startServer } from './running-server.ts';

let server: RunningServer;
let client: WorldsClient;
beforeAll(async () => {
  server = await startServer();
  client = new WorldsClient({ url: server.url, token: server.token });
  await client.createWorld({ slug: 'w' });
  await client.import({ source: 'w', data: '<urn:a> a <urn:C> ; <urn:p> "a plum" .', contentType: 'text/turtle' });
});
afterAll(() => server.close());

describe('what editors and views ask for', () => {
  it('is the same as from the engine: the schema', async () => {
    expect(await client.schema({ source: 'w' })).toEqual(await server.engine.schema({ source: 'admin/w' }));
    expect((await client.schema({ source: 'w', limit: 1 })).predicates).toHaveLength(1);
    await expect(client.schema({ source: 'none' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('is the same: facets', async () => {
    const facets = await client.searchFacets({ query: 'plum', sources: ['w'] });
    expect(facets).toEqual(await server.engine.searchFacets({ query: 'plum', sources: ['admin/w'] }));
    expect(facets.hits).toBe(1);
  });

  it.each(['SELECT * {', 'PREFIX ex: <urn:> INSERT DATA { ex:a ex:b ex:c }', 'ASK { ?s ?p ?o } ?x'])(
    'is the same: what is wrong with %j',
    async (query) => {
      const expected = await server.engine.validate({ query });
      expect(await client.validate({ query, source: 'w' })).toEqual(expected);
      expect(await client.validate({ query })).toEqual(expected);
    },
  );
});
