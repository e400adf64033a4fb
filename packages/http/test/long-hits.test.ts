import { WorldsEngine } from '@rdf-worlds/core';
import { expect, it } from 'vitest';
import { createWorldsHandler } from '../src/index.ts';

it('sends hits with long texts one by one, the same as short ones', async () => {
  await using engine = await WorldsEngine.open();
  await engine.createWorld({ slug: 'w', namespace: 'acme' });
  const long = 'é'.repeat(90_000);
  for (let i = 0; i < 8; i++)
    await engine.import({
      source: 'acme/w',
      data: `<urn:s${i}> <urn:p> "plum ${i} ${long}" .\n<urn:t${i}> <urn:p> "pear" .`,
    });
  const handler = createWorldsHandler(engine, {
    authenticate: () => ({ id: 'ada', defaultNamespace: 'acme', grants: [{ namespace: 'acme', read: true }] }),
  });
  const search = (body: object) =>
    handler(
      new Request('http://x/worlds/search', {
        method: 'POST',
        headers: { authorization: 'Bearer ada', 'content-type': 'application/json' },
        body: JSON.stringify({ sources: ['w'], ...body }),
      }),
    );
  for (const [query, isWhole] of [
    ['pear', true],
    ['plum', false],
  ] as const) {
    const hits = await engine.search({ query, sources: ['acme/w'] });
    expect(hits).toHaveLength(8);
    const expected = hits.map(({ subject, object, score }) => ({ subject, object, score }));
    for (const facets of [undefined, true] as const) {
      const reply = await search({ query, facets });
      expect(reply.status).toBe(200);
      expect(reply.headers.get('content-type')).toMatch(/^application\/json/);
      expect(reply.headers.has('content-length')).toBe(isWhole);
      const body = (await reply.json()) as { hits: unknown; facets: { hits: number } };
      const found = (facets ? body.hits : body) as unknown as typeof expected;
      expect(found.map(({ subject, object, score }) => ({ subject, object, score }))).toEqual(expected);
      if (facets) expect(body.facets.hits).toBe(8);
    }
  }
});
