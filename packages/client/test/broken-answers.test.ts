import { describe, expect, it } from 'vitest';
import { WorldsClient } from '../src/index.ts';
import { fakeServer, pump, RESULTS, reply, resultsText } from './fake-server.ts';

const QUERY = { sources: ['n/w'], query: 'SELECT ?n {}' };
const NO_RETRY = { retry: { retries: 0 } };
const SPARQL_PATH = '/namespaces/n/worlds/w/sparql';

describe('a result that is cut off is an error', () => {
  const whole = resultsText(2000);

  it.each([
    { how: 'in the head', end: 20 },
    { how: 'in a row', end: whole.length - 1000 },
    { how: 'between two rows', end: whole.lastIndexOf(',\n') },
    { how: 'before the last bracket', end: whole.length - 2 },
  ])('$how, when the connection breaks', async ({ end }) => {
    const { url, requests } = await fakeServer((outgoing) => {
      outgoing.writeHead(200, { 'content-type': RESULTS });
      outgoing.write(whole.slice(0, end), () => setTimeout(() => outgoing.destroy(), 5));
    });
    const worlds = new WorldsClient({ url });
    const read = async () => (await worlds.select(QUERY)).array();
    await expect(read()).rejects.toMatchObject({ code: 'UNAVAILABLE', message: expect.stringContaining('cut off') });
    // What was read may have been used: only the caller can ask again.
    expect(requests.map(({ path }) => path)).toEqual([SPARQL_PATH]);
  });

  it.each([20, whole.length - 1000, whole.lastIndexOf(',\n'), whole.length - 2])(
    'after %i characters, when the answer ends in order',
    async (end) => {
      const { url } = await fakeServer((outgoing) =>
        reply(outgoing, 200, whole.slice(0, end), { 'content-type': RESULTS }),
      );
      const read = async () => (await new WorldsClient({ url }).select(QUERY)).array();
      await expect(read()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    },
  );

  it('also for triples, a boolean, and SPARQL JSON', async () => {
    const { url } = await fakeServer((outgoing) =>
      reply(outgoing, 200, '{"head":{"vars":[]},', { 'content-type': RESULTS }),
    );
    const worlds = new WorldsClient({ url });
    await expect(worlds.ask(QUERY)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    await expect(worlds.construct(QUERY)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    await expect(worlds.sparql(QUERY)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  });
});

describe('an export that is cut off is an error', () => {
  it.each([
    { how: 'chunked', headers: {} },
    { how: 'of a known length', headers: { 'content-length': '1000' } },
  ])('$how', async ({ headers }) => {
    const { url } = await fakeServer((outgoing) => {
      outgoing.writeHead(200, { 'content-type': 'application/n-quads', ...headers });
      outgoing.write('<urn:s> <urn:p> "1" .\n', () => setTimeout(() => outgoing.destroy(), 5));
    });
    const worlds = new WorldsClient({ url });
    await expect(worlds.export({ source: 'n/w' })).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    const read = async () => {
      for await (const _ of worlds.exportStream({ source: 'n/w' }));
    };
    await expect(read()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  });

  it('of a runtime that does not notice the missing bytes', async () => {
    const fetch = async () => new Response('<urn:s>', { headers: { 'content-length': '100' } });
    const worlds = new WorldsClient({ url: 'http://example.org', fetch });
    await expect(worlds.export({ source: 'n/w' })).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  });
});

describe('a difference that is cut off is an error', () => {
  const PATCH = 'H revision "1" .\nTX .\nA <urn:s> <urn:p> "1" .\nTC .\n';

  it.each([3, PATCH.indexOf('TX'), PATCH.indexOf('"1"@') + 30, PATCH.length - 1])(
    'after %i characters',
    async (end) => {
      const { url } = await fakeServer((outgoing) =>
        reply(outgoing, 200, PATCH.slice(0, end), { 'content-type': 'application/rdf-patch' }),
      );
      await expect(new WorldsClient({ url }).diff({ source: 'n/w' })).rejects.toMatchObject({ code: 'UNSUPPORTED' });
    },
  );

  it.each([
    'A <urn:s> <urn:p> .',
    'A <urn:s> <urn:p> "1 .',
    'A <urn:s> <urn:p> <<( <urn:a> <urn:b> .',
    'A <urn:s> <urn:p> "\\q" .',
    'PA "x" .',
    `A <urn:s> <urn:p> ${'<<( <urn:a> <urn:b> '.repeat(10_000)}`,
  ])('with the row %.60s', async (row) => {
    const { url } = await fakeServer((outgoing) =>
      reply(outgoing, 200, PATCH.replace('TC .', `${row}\nTC .`), { 'content-type': 'application/rdf-patch' }),
    );
    await expect(new WorldsClient({ url }).diff({ source: 'n/w' })).rejects.toMatchObject({ code: 'UNSUPPORTED' });
  });
});

describe('a difference as a stream', () => {
  it('has rows before the answer ends, and ends the request when it is left', async () => {
    let closed = false;
    const { url } = await fakeServer((outgoing) => {
      outgoing.on('close', () => {
        closed = true;
      });
      outgoing.writeHead(200, { 'content-type': 'application/rdf-patch' });
      // No end: who waits for that waits forever.
      outgoing.write('H revision "1" .\nTX .\nD <urn:s> <urn:p> "1" .\nA <urn:s> <urn:p> "2" .\n');
    });
    const rows: string[] = [];
    for await (const { change, quad } of new WorldsClient({ url }).diffStream({ source: 'n/w' })) {
      rows.push(`${change} ${quad.object.value}`);
      if (rows.length === 2) break;
    }
    expect(rows).toEqual(['deleted 1', 'inserted 2']);
    await expect.poll(() => closed).toBe(true);
  });

  it('is an error if it is cut off', async () => {
    const { url } = await fakeServer((outgoing) =>
      reply(outgoing, 200, 'TX .\nA <urn:s> <urn:p> "1" .\n', { 'content-type': 'application/rdf-patch' }),
    );
    const rows = new WorldsClient({ url }).diffStream({ source: 'n/w' });
    expect((await rows.next()).value).toMatchObject({ change: 'inserted' });
    await expect(rows.next()).rejects.toMatchObject({ code: 'UNSUPPORTED' });
  });
});

describe('answers that are not of this service', () => {
  const HTML = '<!doctype html><title>Welcome</title>';

  it('with another content type are errors that name it', async () => {
    const { url } = await fakeServer((outgoing) =>
      reply(outgoing, 200, HTML, { 'content-type': 'text/html; charset=utf-8' }),
    );
    const worlds = new WorldsClient({ url });
    const calls = [
      () => worlds.select(QUERY),
      () => worlds.sparql(QUERY),
      () => worlds.getWorld({ source: 'n/w' }),
      () => worlds.listWorlds(),
      () => worlds.search({ query: 'x' }),
      () => worlds.explain(QUERY),
    ];
    for (const call of calls)
      await expect(call()).rejects.toMatchObject({
        code: 'UNSUPPORTED',
        message: expect.stringContaining('text/html'),
      });
  });

  it('with the content type but other content are errors', async () => {
    const { url } = await fakeServer((outgoing) => reply(outgoing, 200, '[1, 2'));
    const worlds = new WorldsClient({ url });
    await expect(worlds.listWorlds()).rejects.toMatchObject({ code: 'UNSUPPORTED' });
    const other = await fakeServer((outgoing) =>
      reply(outgoing, 200, '{"results":{"bindings":[]}}', { 'content-type': RESULTS }),
    );
    await expect(new WorldsClient({ url: other.url }).select(QUERY)).rejects.toMatchObject({ code: 'UNSUPPORTED' });
  });

  it('with a result of another form are errors', async () => {
    const { url } = await fakeServer((outgoing) => reply(outgoing, 200, resultsText(1), { 'content-type': RESULTS }));
    await expect(new WorldsClient({ url }).ask(QUERY)).rejects.toMatchObject({ code: 'UNSUPPORTED' });
  });

  it.each([
    [404, 'UNSUPPORTED'],
    [502, 'UNAVAILABLE'],
    [418, 'INVALID_ARGUMENT'],
    [599, 'INTERNAL'],
  ])('with status %i and no Error body are %s with a part of the body', async (status, code) => {
    const { url } = await fakeServer((outgoing) => reply(outgoing, status, HTML, { 'content-type': 'text/html' }));
    await expect(new WorldsClient({ url, ...NO_RETRY }).getWorld({ source: 'n/w' })).rejects.toMatchObject({
      code,
      message: expect.stringMatching(new RegExp(`^HTTP ${status}: <!doctype html>`)),
    });
  });

  it('with a huge error are read in part', async () => {
    const text = 'x'.repeat(65_536);
    const body = pump(text, text);
    const { url } = await fakeServer((outgoing) => {
      outgoing.writeHead(500, { 'content-type': 'text/plain' });
      body.answer(outgoing);
    });
    const error = await new WorldsClient({ url, ...NO_RETRY }).export({ source: 'n/w' }).catch((cause) => cause);
    expect(error.code).toBe('INTERNAL');
    expect(error.message.length).toBeLessThan(1000);
    await body.closed;
    expect(body.written).toBeLessThan(2 ** 25);
  });
});

it('stops the server when a result is no longer read, and holds little of it', async () => {
  const row = '{"n":{"type":"literal","value":"1"}}';
  const body = pump('{"head":{"vars":["n"]},"results":{"bindings":[\n{}', `,\n${row}`.repeat(2000));
  const { url } = await fakeServer((outgoing) => {
    outgoing.writeHead(200, { 'content-type': RESULTS });
    body.answer(outgoing);
  });
  let rows = 0;
  for await (const _ of await new WorldsClient({ url }).select(QUERY)) if (++rows === 5000) break;
  await body.closed;
  expect(body.written).toBeLessThan(2 ** 26);
});
