import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answered } from './exchange.ts';
import { ask } from './exchange.ts';
import { FAMILIES } from './operations.ts';
import { type RunningServer, startServer } from './running-server.ts';

let server: RunningServer;
beforeAll(async () => {
  server = await startServer();
  await server.engine.createWorld({ slug: 'ada', namespace: 'alpha' });
  await server.engine.import({ source: 'alpha/ada', data: '<urn:s> <urn:p> "o" .\n' });
});
afterAll(() => server.close());

const alice = (method: string, path: string, headers: Record<string, string> = {}, json?: unknown) =>
  ask(server, { method, path, as: 'alice', headers, json });

/** RFC 9110 section 8.8.3. */
const ENTITY_TAG = /^(W\/)?"[\x21\x23-\x7e]*"$/;

function tagOf(answer: Answered): string {
  expect(answer.status).toBe(200);
  const tag = answer.headers.get('etag')!;
  expect(tag).toMatch(ENTITY_TAG);
  return tag;
}

describe.each(FAMILIES)('ETag and If-None-Match, $name', (family) => {
  const world = `${family.worlds('alpha')}/ada`;

  it.each([
    ['get', 'GET', world],
    ['export', 'POST', `${world}/export`],
  ])('on %s', async (_, method, path) => {
    const tag = tagOf(await alice(method, path));
    expect(tagOf(await alice(method, path))).toBe(tag);
    for (const condition of [tag, `"x", ${tag}`, '*', tag.startsWith('W/') ? tag.slice(2) : `W/${tag}`]) {
      const same = await alice(method, path, { 'if-none-match': condition });
      expect([same.status, same.text], condition).toEqual([304, '']);
      expect(same.headers.get('etag')).toBe(tag);
    }
    expect((await alice(method, path, { 'if-none-match': '"x"' })).status).toBe(200);
  });

  it('changes with every change of record or data', async () => {
    const seen = new Set([tagOf(await alice('GET', world))]);
    const exported = new Set([tagOf(await alice('POST', `${world}/export`))]);
    for (const change of [
      () => alice('PUT', world, {}, { label: `L${Math.random()}` }),
      () => alice('POST', `${world}/sparql`, {}, { query: `INSERT DATA { <urn:s> <urn:p> ${Math.random()} }` }),
    ]) {
      expect((await change()).status).toBe(204);
      seen.add(tagOf(await alice('GET', world)));
      exported.add(tagOf(await alice('POST', `${world}/export`)));
    }
    expect(seen.size).toBe(3);
    expect(exported.size).toBeGreaterThan(1);
  });

  it('differs by format', async () => {
    const tags = [];
    for (const contentType of ['text/turtle', 'application/n-quads', 'application/trig'])
      tags.push(tagOf(await alice('POST', `${world}/export`, {}, { contentType })));
    expect(new Set(tags).size).toBe(3);
    // RFC 9110 section 12.5.5: a cache has to know what the answer depended on.
    const negotiated = await alice('POST', `${world}/export`, { accept: 'text/turtle' });
    expect(negotiated.headers.get('vary')?.toLowerCase()).toContain('accept');
  });
});

it('differs after a world is deleted and created again', async () => {
  const path = '/worlds/again';
  const tags = [];
  for (let round = 0; round < 2; round++) {
    await alice('POST', '/worlds', {}, { slug: 'again' });
    tags.push(tagOf(await alice('GET', path)));
    await alice('DELETE', path);
  }
  expect(tags[0]).not.toBe(tags[1]);
});

it('every response has a unique request id', async () => {
  const id = (answer: Answered) => [...answer.headers].find(([name]) => name.endsWith('request-id'))?.[1];
  const answers = [
    await alice('GET', '/worlds/ada'),
    await alice('GET', '/worlds/nowhere'),
    await alice('GET', '/nonsense'),
    await ask(server, { method: 'GET', path: '/worlds' }),
  ];
  const ids = answers.map(id);
  for (const each of ids) expect(each).toMatch(/^[\w.:-]{8,}$/);
  expect(new Set(ids).size).toBe(ids.length);
});

it('the OpenAPI document has the 22 operations', async () => {
  const answer = await alice('GET', '/openapi.json');
  expect([answer.status, answer.mediaType]).toEqual([200, 'application/json']);
  const { openapi, paths, info } = answer.json();
  expect(openapi).toMatch(/^3\.1\./);
  expect(info.version).toBe('1.0.0');
  const operations = Object.entries<object>(paths).flatMap(([path, item]) =>
    Object.keys(item)
      .filter((method) => /^(get|put|post|delete)$/.test(method))
      .map((method) => `${method} ${path}`),
  );
  for (const family of ['', '/namespaces/{namespace}'])
    for (const each of [
      'get /worlds',
      'post /worlds',
      'get /worlds/{slug}',
      'put /worlds/{slug}',
      'delete /worlds/{slug}',
      'post /worlds/{slug}/export',
      'post /worlds/{slug}/import',
      'post /worlds/{slug}/sparql',
      'post /worlds/sparql',
      'post /worlds/{slug}/search',
      'post /worlds/search',
    ])
      expect(operations).toContain(each.replace(' ', ` ${family}`));
});
