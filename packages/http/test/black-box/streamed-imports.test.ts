import { once } from 'node:events';
import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { MemoryPool } from '@rdf-worlds/core';
import { createWorldsHandler, staticTokens } from '@rdf-worlds/http';
import { createLimitedServer, nodeListener } from '@rdf-worlds/http/node';
import { afterEach, describe, expect, it } from 'vitest';
import { HELD_BODIES } from '../../src/held-bodies.ts';
import { bearer, CALLERS } from './callers.ts';
import { listen, type RunningServer, type ServerOptions, startServer } from './running-server.ts';

const MIB = 1 << 20;
const line = (i: number) => `<urn:s${i}> <urn:p> "${i} ${'x'.repeat(80)}" .\n`;
/** N-Triples of about 110 bytes each, in chunks of 1000. */
function* lines(from: number, count: number): Generator<Buffer> {
  for (let start = from; start < from + count; start += 1000)
    yield Buffer.from(Array.from({ length: Math.min(1000, from + count - start) }, (_, i) => line(start + i)).join(''));
}

let server: RunningServer;
afterEach(() => server.close());
async function serve(options: ServerOptions = {}): Promise<void> {
  server = await startServer(options);
  await server.engine.createWorld({ slug: 'ada', namespace: 'alpha' });
  await server.engine.createWorld({ slug: 'ben', namespace: 'beta' });
}

interface Given {
  readonly port?: number;
  readonly method?: string;
  readonly path?: string;
  readonly as?: 'alice' | 'bob';
  readonly headers?: Readonly<Record<string, string>>;
}

/** Opens an upload, in chunks unless a length is given. */
function open({
  port = server.port,
  method = 'POST',
  path = '/worlds/ada/import',
  as = 'alice',
  headers = {},
}: Given = {}) {
  const outgoing: ClientRequest = httpRequest({
    port,
    host: '127.0.0.1',
    method,
    path,
    headers: { authorization: bearer(as), 'content-type': 'application/n-triples', ...headers },
  });
  const answered = once(outgoing, 'response').then(async ([response]) => {
    const { statusCode, headers: given } = response as IncomingMessage;
    return { status: statusCode, headers: given, text: await text(response as IncomingMessage) };
  });
  // Awaited by the test; a broken connection after an answer is none of its business.
  answered.catch(() => {});
  outgoing.on('error', () => {});
  const write = async (chunks: Iterable<Uint8Array>) => {
    for (const chunk of chunks) if (!outgoing.destroyed && !outgoing.write(chunk)) await drained(outgoing);
  };
  return { outgoing, answered, write };
}

function drained(outgoing: ClientRequest): Promise<void> {
  return new Promise((resolve) => {
    const events = ['drain', 'close', 'response'];
    const done = () => {
      for (const event of events) outgoing.off(event, done);
      resolve();
    };
    for (const event of events) outgoing.on(event, done);
  });
}

async function send(chunks: Iterable<Uint8Array>, given?: Given) {
  const upload = open(given);
  await upload.write(chunks);
  upload.outgoing.end();
  return upload.answered;
}

const world = () => server.engine.getWorld({ source: 'alpha/ada' });
async function eventually(isTrue: () => boolean): Promise<void> {
  for (let left = 3000; !isTrue(); left--) {
    if (left === 0) throw new Error('It did not happen within half a minute.');
    await sleep(10);
  }
}
const importsWaiting = () => server.engine.metrics().requestMemory.importsWaiting;

describe('a long document', () => {
  it('is imported while it arrives, without being held', async () => {
    await serve({ handler: { limits: { maxHeldBodyBytes: 4 * MIB, maxHeldImportBytes: 2 * MIB } } });
    const before = HELD_BODIES.bytes;
    const upload = open();
    await upload.write(lines(0, 60_000));
    // More than is held has been read, and the request has no answer yet.
    await eventually(() => HELD_BODIES.bytes === before && server.engine.memoryPool.imports.usedBytes > 0);
    upload.outgoing.end();
    expect(await upload.answered).toMatchObject({ status: 204, headers: { 'rdf-worlds-inserted': '60000' } });
  });

  it.each([
    ['PUT', '/worlds/ada/graphs?default'],
    ['POST', '/worlds/ada/graphs?default'],
  ])('is streamed by %s of a graph too', async (method, path) => {
    await serve({ handler: { limits: { maxHeldImportBytes: MIB } } });
    const answer = await send(lines(0, 30_000), { method, path });
    expect([answer.status, answer.headers['rdf-worlds-inserted']]).toEqual([204, '30000']);
  });

  it('may be compressed, up to the limit of the engine on what comes out', async () => {
    await serve({ engine: { limits: { maxDecompressedBytes: 4 * MIB } } });
    const headers = { 'content-encoding': 'gzip' };
    const small = gzipSync(Buffer.concat([...lines(0, 10)]));
    expect((await send([small], { headers })).headers['rdf-worlds-inserted']).toBe('10');
    expect((await send([small], { headers: { 'content-encoding': 'X-GZIP' } })).status).toBe(204);
    const incompressible = Array.from({ length: 30_000 }, () => `<urn:s> <urn:p> "${crypto.randomUUID()}" .\n`);
    const large = gzipSync(incompressible.join(''));
    const answer = await send([large], { headers });
    expect([answer.status, answer.headers['rdf-worlds-inserted']]).toEqual([204, '30000']);
    const bomb = await send([gzipSync(Buffer.alloc(5 * MIB, '\n'))], { headers });
    expect([bomb.status, bomb.text]).toEqual([400, expect.stringContaining('maxDecompressedBytes')]);
    const cut = await send([large.subarray(0, large.length - 8)], { headers });
    expect([cut.status, cut.text]).toEqual([400, expect.stringContaining('truncated')]);
    for (const [body, type, coding] of [
      [line(1), 'application/n-triples', 'gzip'],
      [line(1), 'application/n-triples', 'br'],
      ['{}', 'application/ld+json', 'gzip'],
    ]) {
      const given = { headers: { 'content-type': type!, 'content-encoding': coding! } };
      const refused = await send([Buffer.from(body!)], given);
      expect([coding, refused.status, refused.text]).toEqual([
        coding,
        400,
        expect.stringContaining('Content-Encoding'),
      ]);
    }
  });

  it('is refused above maxImportBytes, by its length or as it arrives, and changes nothing', async () => {
    await serve({ handler: { limits: { maxImportBytes: 3 * MIB } } });
    const declared = open({ headers: { 'content-length': String(3 * MIB + 1) } });
    declared.outgoing.flushHeaders();
    expect((await declared.answered).status).toBe(413);
    expect((await send(lines(0, 60_000))).status).toBe(413);
    expect(await world()).toMatchObject({ revision: 1 });
  });

  it('that is broken is refused with its line while the client still sends', async () => {
    await serve();
    const upload = open();
    await upload.write([...lines(0, 30_000), Buffer.from('<urn:s> oops\n')]);
    // The client never ends its body.
    const { status, text, headers } = await upload.answered;
    expect([status, headers.connection, JSON.parse(text).error]).toEqual([
      400,
      'close',
      expect.objectContaining({ message: expect.stringContaining('line 30001') }),
    ]);
    upload.outgoing.destroy();
    expect(await world()).toMatchObject({ revision: 1 });
  });

  it('for a world that does not exist is refused before it is read', async () => {
    await serve();
    const upload = open({ path: '/worlds/missing/import' });
    await upload.write(lines(0, 20_000));
    expect((await upload.answered).status).toBe(400);
    upload.outgoing.destroy();
  });

  it('of a client that goes away changes nothing and holds nothing', async () => {
    await serve();
    const upload = open();
    await upload.write(lines(0, 30_000));
    await eventually(() => server.engine.memoryPool.imports.usedBytes > 0);
    upload.outgoing.destroy();
    await eventually(() => server.engine.memoryPool.imports.usedBytes === 0);
    expect(await world()).toMatchObject({ revision: 1 });
  });

  it('that stalls is 408 and changes nothing', async () => {
    await serve({ handler: { limits: { bodyIdleMs: 100 } } });
    const upload = open();
    await upload.write(lines(0, 20_000));
    expect((await upload.answered).status).toBe(408);
    upload.outgoing.destroy();
    expect(await world()).toMatchObject({ revision: 1 });
  });

  it('does not count waits for the client towards the time limit of the request', async () => {
    await serve({ handler: { limits: { timeoutMs: 2_000 } } });
    const upload = open();
    await upload.write(lines(0, 12_000));
    await sleep(2_200);
    await upload.write(lines(12_000, 1_000));
    upload.outgoing.end();
    expect((await upload.answered).status).toBe(204);
  });

  it('under a condition is 412 if the condition no longer holds when it has arrived', async () => {
    await serve();
    const graph = { method: 'PUT', path: '/worlds/ada/graphs?graph=urn:g' };
    const conditional = open({ ...graph, headers: { 'if-none-match': '*' } });
    await conditional.write(lines(0, 20_000));
    await eventually(() => server.engine.memoryPool.imports.usedBytes > 0);
    expect((await send(lines(0, 1), graph)).status).toBe(201);
    conditional.outgoing.end();
    expect((await conditional.answered).status).toBe(412);

    const other = open({ ...graph, path: '/worlds/ada/graphs?graph=urn:h', headers: { 'if-none-match': '*' } });
    await other.write(lines(0, 20_000));
    await eventually(() => server.engine.memoryPool.imports.usedBytes > 0);
    expect((await send(lines(5, 1), graph)).status).toBe(204);
    other.outgoing.end();
    // The condition holds, but the body is gone.
    expect((await other.answered).status).toBe(409);
  });
});

it('clients that wait for 100 (Continue) get it when their body is read, and never when it is refused', async () => {
  await serve();
  const limited = createLimitedServer();
  const authenticate = staticTokens(Object.values(CALLERS));
  limited.on('request', nodeListener(createWorldsHandler(server.engine, { authenticate })));
  const port = await listen(limited);
  const headers = { expect: '100-continue', 'content-length': String(line(1).length) };
  const welcome = open({ port, headers });
  welcome.outgoing.flushHeaders();
  await once(welcome.outgoing, 'continue');
  welcome.outgoing.end(line(1));
  expect((await welcome.answered).status).toBe(204);
  for (const [given, status] of [
    [{ path: '/namespaces/beta/worlds/ben/import' }, 403],
    [{ headers: { 'content-type': 'text/csv' } }, 400],
    [{ headers: { 'content-length': String(2 ** 40) } }, 413],
  ] as const) {
    let continued = 0;
    const refused = open({ port, ...given, headers: { ...headers, ...('headers' in given && given.headers) } });
    refused.outgoing.on('continue', () => continued++).flushHeaders();
    const answer = await refused.answered;
    expect([answer.status, answer.headers.connection, continued]).toEqual([status, 'close', 0]);
    refused.outgoing.destroy();
  }
  limited.closeAllConnections();
  limited.close();
});

it('a stalled upload gives its memory up when imports of others wait for it', async () => {
  const memoryPool = new MemoryPool(8 * MIB);
  await serve({ engine: { memoryPool }, handler: { limits: { uploadPatienceMs: 2_000 } } });
  // The first that does not fit is exempt; the others wait for its memory, or fill the share.
  const stalled = [open(), open(), open()];
  for (const { write } of stalled) await write(lines(0, 20_000));
  const other = open({ as: 'bob', path: '/worlds/ben/import' });
  await other.write(lines(0, 20_000));
  other.outgoing.end();
  expect((await other.answered).status).toBe(204);
  const first = await Promise.race(stalled.map(({ answered }) => answered));
  expect([first.status, first.headers['retry-after'], first.text]).toEqual([
    503,
    '5',
    expect.stringContaining('uploadPatienceMs'),
  ]);
  await eventually(() => importsWaiting() === 0);
  for (const { outgoing } of stalled) outgoing.destroy();
});

it('one caller has few streams at a time; the others wait, and short documents do not', async () => {
  await serve({ handler: { limits: { maxUploadsPerCaller: 1 } } });
  const first = open();
  await first.write(lines(0, 20_000));
  await eventually(() => server.engine.memoryPool.imports.usedBytes > 0);
  let isSecondAnswered = false;
  const second = open();
  second.answered.then(() => {
    isSecondAnswered = true;
  });
  await second.write(lines(20_000, 20_000));
  second.outgoing.end();
  expect((await send(lines(50_000, 10))).status).toBe(204);
  const ofOther = await send(lines(0, 20_000), { as: 'bob', path: '/worlds/ben/import' });
  expect(ofOther.status).toBe(204);
  expect(isSecondAnswered).toBe(false);
  first.outgoing.end();
  expect([(await first.answered).status, (await second.answered).status]).toEqual([204, 204]);
  expect(await world()).toMatchObject({ revision: 4 });
});
