import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { expectError } from './answer-shapes.ts';
import { type Answered, ask } from './exchange.ts';
import { type RunningServer, startServer } from './running-server.ts';

let server: RunningServer;
beforeEach(async () => {
  server = await startServer({ handler: { limits: { maxImportBytes: 200_000 } } });
  await server.engine.createWorld({ slug: 'ada', namespace: 'alpha' });
});
afterEach(() => server.close());

const NQUADS = '<urn:a> <urn:p> "1" .\n<urn:a> <urn:p> "2" <urn:g> .\n';

function post(
  path: string,
  type: string,
  body: string | Uint8Array,
  as: 'alice' | 'rita' = 'alice',
): Promise<Answered> {
  return ask(server, { method: 'POST', path, as, body, headers: { 'content-type': type } });
}
const changes = ({ headers }: Answered) => ['inserted', 'deleted'].map((name) => headers.get(`rdf-worlds-${name}`));

describe('POST .../import of a raw document', () => {
  it('adds it with its graphs, and reports the number of changes', async () => {
    const first = await post('/worlds/ada/import', 'application/n-quads; charset=utf-8', NQUADS);
    expect([first.status, first.text, changes(first)]).toEqual([204, '', ['2', '0']]);
    const again = await post('/namespaces/alpha/worlds/ada/import', 'application/n-quads', NQUADS);
    expect([again.status, changes(again)]).toEqual([204, ['0', '0']]);
    expect(new TextDecoder().decode(await server.engine.export({ source: 'alpha/ada' }))).toBe(NQUADS);
  });

  it('accepts every format that can be read, also in chunks of unknown length', async () => {
    for (const [type, body] of [
      ['text/turtle', '@prefix u: <urn:> . u:ttl u:p 1 .'],
      ['application/ld+json', '{"@id":"urn:ld","urn:p":1}'],
      [
        'application/rdf+xml',
        '<r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:u="urn:"><r:Description r:about="urn:xml" u:p="1"/></r:RDF>',
      ],
    ]) {
      const chunks = new Blob([body]).stream();
      const headers = { 'content-type': type, authorization: 'Bearer alice-of-alpha-0f3a' };
      const url = `${server.origin}/worlds/ada/import`;
      const answer = await fetch(url, { method: 'POST', headers, body: chunks, duplex: 'half' } as RequestInit);
      expect([type, answer.status, answer.headers.get('rdf-worlds-inserted')]).toEqual([type, 204, '1']);
    }
  });

  it('notes what is odd in the document, as do writes of graphs', async () => {
    const notes = ({ headers }: Answered) => headers.get('rdf-worlds-notes');
    const tagged = '<urn:a> <urn:p> "x"@zh-classical .';
    const note = expect.stringMatching(/^the language tag "zh-classical" has a subtag of more than 8 characters/);
    const json = JSON.stringify({ contentType: 'text/turtle', data: btoa(tagged) });
    const graph = (method: string, path: string) =>
      ask(server, { method, path, as: 'alice', body: tagged, headers: { 'content-type': 'text/turtle' } });
    for (const answer of [
      await post('/worlds/ada/import', 'text/turtle', tagged),
      await post('/worlds/ada/import', 'application/json', json),
      await graph('PUT', '/worlds/ada/graphs?graph=urn:g'),
      await graph('POST', '/worlds/ada/graphs?default'),
      await graph('POST', '/worlds/ada/graphs'),
    ]) {
      expect(answer.status).toBeLessThan(300);
      expect(JSON.parse(notes(answer) ?? '')).toEqual([note]);
    }
    expect(JSON.parse(notes(await post('/worlds/ada/import', 'application/ld+json', '{"a":1}')) ?? '')).toEqual([
      expect.stringContaining('contains no triples'),
    ]);
    expect(notes(await post('/worlds/ada/import', 'application/n-quads', NQUADS))).toBeNull();
  });

  it('accepts an RDF Patch, including deletions', async () => {
    await post('/worlds/ada/import', 'application/n-quads', NQUADS);
    const patch = 'TX .\nD <urn:a> <urn:p> "1" .\nA <urn:a> <urn:p> "3" .\nTC .\n';
    const answer = await post('/worlds/ada/import', 'application/rdf-patch', patch);
    expect([answer.status, changes(answer)]).toEqual([204, ['1', '1']]);
    expect(new TextDecoder().decode(await server.engine.export({ source: 'alpha/ada' }))).toBe(
      '<urn:a> <urn:p> "3" .\n<urn:a> <urn:p> "2" <urn:g> .\n',
    );
    const replacement = { method: 'PUT', path: '/worlds/ada/graphs?default', as: 'alice', body: patch } as const;
    expectError(await ask(server, { ...replacement, headers: { 'content-type': 'application/rdf-patch' } }), 400);
    expectError(await post('/worlds/ada/import', 'application/rdf-patch', patch, 'rita'), 403);
  });

  it('is rejected as a whole if any part is invalid', async () => {
    const broken = await post('/worlds/ada/import', 'text/turtle', '<urn:a> <urn:p> 1 .\n<urn:a> <urn:p> .');
    expectError(broken, 400);
    expect(broken.text).toMatch(/line 2|2:/);
    const unknown = await post('/worlds/ada/import', 'text/csv', 'a,b');
    expectError(unknown, 400);
    expect(unknown.text).toContain('text/turtle');
    const large = await post('/worlds/ada/import', 'application/n-quads', NQUADS.repeat(5_000));
    expectError(large, 413);
    expectError(await post('/worlds/ada/import', 'text/turtle', '', 'rita'), 403);
    expectError(await post('/worlds/missing/import', 'text/turtle', ''), 400);
    expect(await server.engine.getWorld({ source: 'alpha/ada' })).toMatchObject({ revision: 1 });
  });
});

it('an update and a graph document report the number of changes', async () => {
  const update = await post('/worlds/ada/sparql', 'application/sparql-update', 'INSERT DATA { <urn:a> <urn:p> 1, 2 }');
  expect([update.status, changes(update)]).toEqual([204, ['2', '0']]);
  const graph = await ask(server, {
    method: 'PUT',
    path: '/worlds/ada/graphs?default',
    as: 'alice',
    body: '<urn:a> <urn:p> 2, 3 .',
    headers: { 'content-type': 'text/turtle' },
  });
  expect([graph.status, changes(graph)]).toEqual([204, ['1', '1']]);
});
