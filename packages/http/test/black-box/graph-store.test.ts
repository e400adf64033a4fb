import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { expectError } from './answer-shapes.ts';
import type { Caller } from './callers.ts';
import { type Asked, ask } from './exchange.ts';
import { FAMILIES } from './operations.ts';
import { type RunningServer, startServer } from './running-server.ts';

// SPARQL 1.1 Graph Store HTTP Protocol at .../worlds/{slug}/graphs; the W3C's own tests of it are
// in the conformance package.

let server: RunningServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  const source = 'alpha/ada';
  if (await server.engine.getWorld({ source })) await server.engine.deleteWorld({ source });
  await server.engine.createWorld({ slug: 'ada', namespace: 'alpha' });
  await server.engine.import({ source, data: '<urn:s> <urn:p> "d" .\n<urn:s> <urn:p> "1" <urn:g1> .\n' });
});

const alice = (method: string, path: string, more: Partial<Asked> = {}, as: Caller = 'alice') =>
  ask(server, { method, path, as, ...more });
const data = async () =>
  new TextDecoder()
    .decode(await server.engine.export({ source: 'alpha/ada' }))
    .split('\n')
    .filter(Boolean)
    .sort();
const turtle = (body: string, type = 'text/turtle') => ({ body, headers: { 'content-type': type } });
/**
 * A form of documents, in parts that have a type and count as files, and of fields, which have
 * none.
 */
const multipart = (...parts: readonly (readonly [name: string, type: string | undefined, body: string])[]) => ({
  body: `${parts
    .map(([name, type, body]) => {
      const file = type && `; filename="${name}"\r\nContent-Type: ${type}`;
      return `--x\r\nContent-Disposition: form-data; name="${name}"${file ?? ''}\r\n\r\n${body}\r\n`;
    })
    .join('')}--x--\r\n`,
  headers: { 'content-type': 'multipart/form-data; boundary=x' },
});
const graph = (iri: string) => `?graph=${encodeURIComponent(iri)}`;

describe.each(FAMILIES)('$name', (family) => {
  const graphs = `${family.worlds('alpha')}/ada/graphs`;

  it('GET and HEAD of a graph (sections 5.2 and 5.6)', async () => {
    for (const [address, literal] of [
      ['?default', '"d"'],
      [graph('urn:g1'), '"1"'],
    ]) {
      const got = await alice('GET', graphs + address);
      expect([got.status, got.mediaType]).toEqual([200, 'text/turtle']);
      expect(got.text).toContain(literal);
      expect(got.text).not.toContain(literal === '"d"' ? '"1"' : '"d"');
      const head = await alice('HEAD', graphs + address);
      expect([head.status, head.text, head.mediaType]).toEqual([200, '', 'text/turtle']);
    }
    expectError(await alice('GET', graphs + graph('urn:nope')), 404);
    expect((await alice('HEAD', graphs + graph('urn:nope'))).status).toBe(404);
  });

  it.each([
    'application/n-triples',
    'text/turtle',
    'text/n3',
    'application/ld+json',
    'application/n-quads',
    'application/trig',
  ])('GET as %s', async (accept) => {
    const got = await alice('GET', graphs + graph('urn:g1'), { accept });
    expect([got.status, got.mediaType]).toEqual([200, accept]);
    expect(got.text).toContain('1');
    // The graph itself is asked for: its triples, in whatever format (section 5.2).
    expect(got.text).not.toContain('urn:g1');
  });

  it('PUT replaces or creates a graph (section 5.3)', async () => {
    expect(204).toBe((await alice('PUT', graphs + graph('urn:g1'), turtle('<urn:s> <urn:p> "new" .'))).status);
    expect(await data()).toEqual(['<urn:s> <urn:p> "d" .', '<urn:s> <urn:p> "new" <urn:g1> .']);
    expect((await alice('PUT', graphs + graph('urn:g2'), turtle('<urn:s> <urn:p> "2" .'))).status).toBe(201);
    expect(204).toBe((await alice('PUT', `${graphs}?default`, turtle('<urn:s> <urn:p> "e" .'))).status);
    expect(await data()).toEqual([
      '<urn:s> <urn:p> "2" <urn:g2> .',
      '<urn:s> <urn:p> "e" .',
      '<urn:s> <urn:p> "new" <urn:g1> .',
    ]);
  });

  it('PUT of an empty document empties a graph', async () => {
    expect(204).toBe((await alice('PUT', `${graphs}?default`, turtle(''))).status);
    expect(await data()).toEqual(['<urn:s> <urn:p> "1" <urn:g1> .']);
    const got = await alice('GET', `${graphs}?default`, { accept: 'application/n-triples' });
    expect([got.status, got.text]).toEqual([200, '']);
  });

  it('POST merges into a graph (section 5.5)', async () => {
    for (const address of ['?default', graph('urn:g1')])
      expect(204).toBe((await alice('POST', graphs + address, turtle('<urn:s> <urn:p> "more", "d" .'))).status);
    expect(await data()).toEqual([
      '<urn:s> <urn:p> "1" <urn:g1> .',
      '<urn:s> <urn:p> "d" .',
      '<urn:s> <urn:p> "d" <urn:g1> .',
      '<urn:s> <urn:p> "more" .',
      '<urn:s> <urn:p> "more" <urn:g1> .',
    ]);
  });

  it('POST to the graph store creates a graph and returns its Location', async () => {
    const made = await alice('POST', graphs, turtle('<urn:s> <urn:p> "fresh" .'));
    expect(made.status).toBe(201);
    const location = made.headers.get('location')!;
    expect(location).toMatch(/^https:\/\/worlds\.example\/.*\/worlds\/ada\/graphs\/./);
    const path = new URL(location).pathname;
    expect((await alice('GET', path)).text).toContain('fresh');
    const again = await alice('POST', graphs, turtle('<urn:s> <urn:p> "fresh" .'));
    expect(again.headers.get('location')).not.toBe(location);
  });

  it('DELETE removes a graph (section 5.4)', async () => {
    expect(204).toBe((await alice('DELETE', graphs + graph('urn:g1'))).status);
    expect(await data()).toEqual(['<urn:s> <urn:p> "d" .']);
    expectError(await alice('GET', graphs + graph('urn:g1')), 404);
    expectError(await alice('DELETE', graphs + graph('urn:g1')), 404);
    expect(204).toBe((await alice('DELETE', `${graphs}?default`)).status);
    expect(await data()).toEqual([]);
  });

  it('a graph URL identifies the graph of that IRI (section 4.1)', async () => {
    expect((await alice('PUT', `${graphs}/person/1.ttl`, turtle('<urn:s> <urn:p> "direct" .'))).status).toBe(201);
    const [line] = (await data()).filter((each) => each.includes('direct'));
    const iri = /<(https:[^>]*)> \.$/.exec(line)?.[1];
    expect(iri).toMatch(/^https:\/\/worlds\.example\/.*\/worlds\/ada\/graphs\/person\/1\.ttl$/);
    expect((await alice('GET', graphs + graph(iri!))).text).toContain('direct');
    expect((await alice('GET', `${graphs}/person/1.ttl`)).text).toContain('direct');
  });

  it('relative IRIs of a document resolve against its graph (section 4.1)', async () => {
    await alice('PUT', graphs + graph('https://a.example/b/c'), turtle('<#x> <urn:p> <d> .'));
    expect(await data()).toContain(
      '<https://a.example/b/c#x> <urn:p> <https://a.example/b/d> <https://a.example/b/c> .',
    );
  });

  it.each([
    ['no graph', 'GET', '', 400],
    ['both', 'GET', '?default&graph=urn:g1', 400],
    ['two graphs', 'GET', '?graph=urn:g1&graph=urn:g2', 400],
    ['a relative graph', 'GET', '?graph=person/1', 400],
    ['an empty graph', 'PUT', '?graph=', 400],
    ['no graph to put', 'PUT', '', 400],
    ['no graph to delete', 'DELETE', '', 400],
    ['PATCH', 'PATCH', '?default', 405],
  ])('%s: %s%s is %s', async (_, method, address, status) => {
    const before = await data();
    const sent = method === 'PUT' || method === 'PATCH' ? turtle('<urn:s> <urn:p> "x" .') : {};
    expectError(await alice(method, graphs + address, sent), status);
    expect(await data()).toEqual(before);
  });

  it.each([
    ['no media type of RDF', turtle('<urn:s> <urn:p> "x" .', 'text/plain')],
    ['no media type at all', { body: Buffer.from('<urn:s> <urn:p> "x" .') }],
    ['a document that is malformed', turtle('<urn:s> <urn:p> ')],
    ['a document that is malformed at its end', turtle(`${'<urn:s> <urn:p> "x" .\n'.repeat(1000)}oops`)],
    ['a charset that is not UTF-8', turtle('<urn:s> <urn:p> "x" .', 'text/turtle; charset=utf-16')],
    ['an encoded document', { body: 'x', headers: { 'content-type': 'text/turtle', 'content-encoding': 'gzip' } }],
    // Section 5.3: the payload is an RDF graph.
    ['a document of named graphs, TriG', turtle('<urn:g> { <urn:s> <urn:p> "x" }', 'application/trig')],
    ['a document of named graphs, N-Quads', turtle('<urn:s> <urn:p> "x" <urn:g> .', 'application/n-quads')],
    [
      'a document of named graphs, JSON-LD',
      turtle('{"@id":"urn:g","@graph":[{"@id":"urn:s","urn:p":1}]}', 'application/ld+json'),
    ],
    ['a form of no documents', multipart(['fields', undefined, 'x'])],
    [
      'a form with a document that is malformed',
      multipart(['a', 'text/turtle', '<urn:s> <urn:p> 1 .'], ['b', 'text/turtle', 'oops']),
    ],
    [
      'a form with a document of no RDF',
      multipart(['a', 'text/turtle', '<urn:s> <urn:p> 1 .'], ['b', 'image/png', 'x']),
    ],
    [
      'a form that is cut off',
      { ...multipart(['a', 'text/turtle', '<urn:s> <urn:p> 1 .']), body: '--x\r\nContent-Disposition: form' },
    ],
  ])('%s is 400 and changes nothing', async (_, sent) => {
    const before = await data();
    for (const method of ['PUT', 'POST'])
      for (const address of ['?default', graph('urn:g1'), graph('urn:new'), '/new'])
        expectError(await alice(method, graphs + address, sent), 400);
    expectError(await alice('POST', graphs, sent), 400);
    expect(await data()).toEqual(before);
  });

  it('accepts several documents as multipart/form-data, each with its own blank nodes (section 5.5)', async () => {
    const documents = multipart(
      ['one', 'text/turtle', '_:b <urn:p> "turtle" .'],
      ['two', 'application/n-triples', '_:b <urn:p> "triples" .\n'],
      ['three', 'application/ld+json', '{"@id":"_:b","urn:p":"json"}'],
    );
    const { revision } = (await server.engine.getWorld({ source: 'alpha/ada' }))!;
    expect((await alice('POST', graphs + graph('urn:g1'), documents)).status).toBe(204);
    const lines = (await data()).filter((line) => line.startsWith('_:'));
    expect(lines.map((line) => /"(.*)" <urn:g1>/.exec(line)?.[1]).sort()).toEqual(['json', 'triples', 'turtle']);
    expect(new Set(lines.map((line) => line.split(' ')[0])).size).toBe(3);
    expect((await server.engine.getWorld({ source: 'alpha/ada' }))!.revision).toBe(revision + 1);
    expect((await alice('PUT', graphs + graph('urn:g1'), documents)).status).toBe(204);
    expect((await data()).filter((line) => line.includes('urn:g1'))).toHaveLength(3);
    expect((await alice('PUT', `${graphs}/of/a/form`, documents)).status).toBe(201);
  });

  it('a replacement is one commit, or none if nothing changes', async () => {
    const revision = async () => (await server.engine.getWorld({ source: 'alpha/ada' }))!.revision;
    const before = await revision();
    expect((await alice('PUT', graphs + graph('urn:g1'), turtle('<urn:s> <urn:p> "2", "3" .'))).status).toBe(204);
    expect(await revision()).toBe(before + 1);
    expect((await alice('PUT', graphs + graph('urn:g1'), turtle('<urn:s> <urn:p> "3", "2" .'))).status).toBe(204);
    expect(await revision()).toBe(before + 1);
  });

  it('after concurrent replacements, the graph is exactly one of the documents', async () => {
    const document = (n: number) => Array.from({ length: 50 }, (_, i) => `<urn:s${n}> <urn:p> ${i} .`).join('\n');
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, n) => alice('PUT', graphs + graph('urn:raced'), turtle(document(n)))),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(11).fill(204)]);
    const subjects = (await data()).filter((line) => line.includes('urn:raced')).map((line) => line.split(' ')[0]);
    expect([subjects.length, new Set(subjects).size]).toEqual([50, 1]);
  });

  it('ETag and If-None-Match on GET', async () => {
    const address = graphs + graph('urn:g1');
    const tag = (await alice('GET', address)).headers.get('etag')!;
    expect(tag).toMatch(/^W\/"/);
    const same = await alice('GET', address, { headers: { 'if-none-match': tag } });
    expect([same.status, same.text, same.headers.get('etag')]).toEqual([304, '', tag]);
    expect((await alice('GET', address, { accept: 'text/n3', headers: { 'if-none-match': tag } })).status).toBe(200);
    await alice('POST', address, turtle('<urn:s> <urn:p> "more" .'));
    expect((await alice('GET', address, { headers: { 'if-none-match': tag } })).status).toBe(200);
    const none = await alice('GET', graphs + graph('urn:none'), { headers: { 'if-none-match': '*' } });
    expectError(none, 404);
  });

  it('responds with 401, 403, and the status of an unknown world', async () => {
    expect((await ask(server, { method: 'GET', path: `${graphs}?default` })).status).toBe(401);
    expectError(await alice('GET', '/namespaces/alpha/worlds/ada/graphs?default', {}, 'bob'), 403);
    const path = `${family.worlds('alpha')}/nowhere/graphs?default`;
    for (const method of ['GET', 'PUT', 'POST', 'DELETE']) {
      const sent = method === 'PUT' || method === 'POST' ? turtle('') : {};
      expect(expectError(await alice(method, path, sent), 404)).toContain('nowhere');
    }
  });
});
