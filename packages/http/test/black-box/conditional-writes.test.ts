import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { expectError } from './answer-shapes.ts';
import { type Asked, ask } from './exchange.ts';
import { type RunningServer, startServer } from './running-server.ts';

let server: RunningServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  for (const namespace of await server.engine.listNamespaces()) await server.engine.deleteNamespace({ namespace });
  await server.engine.createWorld({ slug: 'ada', namespace: 'alpha' });
  await server.engine.import({ source: 'alpha/ada', data: '<urn:s> <urn:p> "o" <urn:g> .\n' });
});

const send = (asked: Omit<Asked, 'as'>, condition: Record<string, string>) =>
  ask(server, { ...asked, as: 'alice', headers: { ...asked.headers, ...condition } });
const recordTag = async () => (await send({ method: 'GET', path: '/worlds/ada' }, {})).headers.get('etag')!;
const graphTag = async () =>
  (await send({ method: 'GET', path: '/worlds/ada/graphs?graph=urn:g' }, {})).headers.get('etag')!;
const content = async () => (await send({ method: 'POST', path: '/worlds/ada/export' }, {})).text;

const TURTLE = { 'content-type': 'text/turtle' };
const data = Buffer.from('<urn:n> <urn:p> "n" .\n').toString('base64');
const WRITES: readonly (Omit<Asked, 'as'> & { readonly title: string })[] = [
  { title: 'update of a record', method: 'PUT', path: '/worlds/ada', json: { label: 'L' } },
  { title: 'import', method: 'POST', path: '/worlds/ada/import', json: { data } },
  {
    title: 'SPARQL update',
    method: 'POST',
    path: '/worlds/ada/sparql',
    json: { query: 'INSERT DATA { <urn:n> <urn:p> 1 }' },
  },
  {
    title: 'PUT of a graph',
    method: 'PUT',
    path: '/worlds/ada/graphs?graph=urn:g',
    body: '<urn:n> <urn:p> 1 .',
    headers: TURTLE,
  },
  {
    title: 'POST to a graph',
    method: 'POST',
    path: '/worlds/ada/graphs?graph=urn:g',
    body: '<urn:n> <urn:p> 1 .',
    headers: TURTLE,
  },
  { title: 'DELETE of a graph', method: 'DELETE', path: '/worlds/ada/graphs?graph=urn:g' },
  { title: 'DELETE of a world', method: 'DELETE', path: '/worlds/ada' },
];

describe.each(WRITES)('$title', ({ title: _, ...write }) => {
  it('succeeds if If-Match names the current state of the record or of its data', async () => {
    expect((await send(write, { 'if-match': `"x", ${await recordTag()}` })).status).toBe(204);
  });

  it('succeeds if If-Match has the tag of the data, or is *', async () => {
    const method = await graphTag();
    expect((await send({ method: 'PUT', path: '/worlds/ada', json: {} }, { 'if-match': method })).status).toBe(204);
    expect((await send(write, { 'if-match': '*' })).status).toBe(204);
  });

  it('is 412 and changes nothing if the state differs', async () => {
    const tag = await recordTag();
    await server.engine.update({ sources: ['alpha/ada'], query: 'INSERT DATA { <urn:other> <urn:p> 1 }' });
    const before = [await recordTag(), await content()];
    const conditions: readonly Record<string, string>[] = [
      { 'if-match': tag },
      { 'if-match': 'oops' },
      { 'if-none-match': '*' },
      { 'if-none-match': before[0] },
    ];
    for (const condition of conditions) expectError(await send(write, condition), 412);
    expect([await recordTag(), await content()]).toEqual(before);
  });

  it('is 412 if the state changes between the check and the write', async () => {
    const tag = await recordTag();
    const { engine } = server;
    const original = engine.getWorld.bind(engine);
    const spy = vi.spyOn(engine, 'getWorld').mockImplementationOnce(async (request) => {
      const world = await original(request);
      await engine.update({ sources: ['alpha/ada'], query: 'INSERT DATA { <urn:other> <urn:p> 1 }' });
      return world;
    });
    expectError(await send(write, { 'if-match': tag }), 412);
    spy.mockRestore();
    expect(await content()).toContain('urn:other');
  });
});

it('a condition requires read permission, because its outcome reveals the state', async () => {
  const grants = [{ namespace: 'alpha', write: true }];
  const other = await startServer({ handler: { anonymous: { id: 'writer', grants } } });
  const conditions: readonly Record<string, string>[] = [
    { 'if-match': '*' },
    { 'if-none-match': '*' },
    { 'if-match': '"x"' },
  ];
  try {
    await other.engine.createWorld({ slug: 'ada', namespace: 'alpha' });
    for (const { title: _, ...write } of WRITES) {
      const path = `/namespaces/alpha${write.path}`;
      for (const condition of conditions)
        expectError(await ask(other, { ...write, path, headers: { ...write.headers, ...condition } }), 403);
    }
  } finally {
    await other.close();
  }
});

describe('a missing graph', () => {
  const put = (condition: Record<string, string>, graph: string) =>
    send(
      { method: 'PUT', path: `/worlds/ada/graphs?graph=${graph}`, body: '<urn:n> <urn:p> 1 .', headers: TURTLE },
      condition,
    );

  it('is created with If-None-Match: *, but only once', async () => {
    expect((await put({ 'if-none-match': '*' }, 'urn:new')).status).toBe(201);
    expectError(await put({ 'if-none-match': '*' }, 'urn:new'), 412);
  });

  it('is not created with If-Match', async () => {
    expectError(await put({ 'if-match': '*' }, 'urn:new'), 412);
    expectError(await put({ 'if-match': await recordTag() }, 'urn:new'), 412);
  });
});
