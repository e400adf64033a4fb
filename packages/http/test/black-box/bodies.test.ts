import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type Socket } from 'node:net';
import { createWorldsHandler, staticTokens } from '@rdf-worlds/http';
import { createLimitedServer, nodeListener } from '@rdf-worlds/http/node';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { expectError } from './answer-shapes.ts';
import { bearer, CALLERS } from './callers.ts';
import { ask } from './exchange.ts';
import { rawAnswer } from './raw-exchange.ts';
import { listen, type RunningServer, startServer } from './running-server.ts';

let server: RunningServer;
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await server.close();
});

type Limits = NonNullable<NonNullable<Parameters<typeof startServer>[0]>['handler']>['limits'];
async function start(limits: Limits = {}): Promise<void> {
  server = await startServer({ handler: { limits } });
  for (const namespace of ['alpha', 'beta']) await server.engine.createWorld({ slug: 'ada', namespace });
}
function open(port = server.port): Socket {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  sockets.push(socket);
  return socket;
}

/** Of a busy machine. */
const PATIENCE = 30_000;
const IMPORT = { method: 'POST', path: '/worlds/ada/import' } as const;
const head = (caller: 'alice' | 'bob', path: string, type: string, length: number) =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: ${bearer(caller)}\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\n\r\n`;

describe('JSON', () => {
  it('with too many values, members or levels is refused before it is parsed, on every route', async () => {
    await start();
    const parse = vi.spyOn(JSON, 'parse');
    for (const [path, body, status, limit] of [
      ['/worlds/ada/import', `[${'{},'.repeat(5_000_000)}{}]`, 413, 'maxJsonValues'],
      ['/worlds/ada/import', `{"data":"","x":${'['.repeat(300_000)}`, 400, 'maxJsonDepth'],
      ['/worlds/ada/search', `{"query":"x","subjects":[${'"",'.repeat(200_000)}""]}`, 413, 'maxJsonValues'],
      ['/worlds/ada/sparql', `{"x":[${'0,'.repeat(200_000)}0]}`, 413, 'maxJsonValues'],
      ['/worlds/ada/export', `{"x":{${Array.from({ length: 11_000 }, (_, i) => `"k${i}":0`)}}}`, 413, 'maxJsonMembers'],
    ] as const) {
      const answer = await ask(server, {
        method: 'POST',
        path,
        as: 'alice',
        body,
        headers: { 'content-type': 'application/json' },
      });
      expect([answer.status, answer.text]).toEqual([status, expect.stringContaining(limit)]);
    }
    expect(parse.mock.calls.filter(([text]) => text.length > 10_000)).toEqual([]);
    parse.mockRestore();
  });

  it.each(['sparql', 'search'])(
    'rejects too many sources of a %s before it resolves any of them',
    async (operation) => {
      await start({ maxSources: 3 });
      const send = (count: number) => {
        const json = {
          query: operation === 'search' ? 'x' : 'ASK {}',
          sources: Array.from({ length: count }, () => 'ada'),
        };
        return ask(server, { method: 'POST', path: `/worlds/${operation}`, as: 'alice', json });
      };
      expect((await send(3)).text).not.toContain('maxSources');
      const refused = await send(4);
      expect([refused.status, refused.text]).toEqual([413, expect.stringContaining('names 4 sources, more than 3')]);
    },
  );

  it('reads a long document as bytes, never as one string', async () => {
    await start();
    const lines = Array.from({ length: 4000 }, (_, i) => `<urn:s${i}> <urn:p> "${i} ??>" .\n`).join('');
    const data = Buffer.from(lines).toString('base64');
    expect(data).toContain('/');
    const parse = vi.spyOn(JSON, 'parse');
    for (const sent of [data, data.replaceAll('/', '\\/')]) {
      parse.mockClear();
      const body = `{"data":"${sent}","contentType":"application/n-triples"}`;
      const answer = await ask(server, {
        ...IMPORT,
        as: 'alice',
        body,
        headers: { 'content-type': 'application/json' },
      });
      expect([answer.status, answer.text]).toEqual([204, '']);
      expect(Math.max(...parse.mock.calls.map(([text]) => text.length))).toBeLessThan(100);
      const { quads } = (await server.engine.stats({ namespace: 'alpha' })) as { quads?: number };
      if (quads !== undefined) expect(quads).toBe(4000);
    }
    parse.mockRestore();
    for (const broken of [`${data}A`, `${data.slice(0, -4)}====`, `*${data.slice(1)}`, `=${data.slice(1)}`]) {
      expectError(await ask(server, { ...IMPORT, as: 'alice', json: { data: broken } }), 400);
    }
  });

  it('is 413 for a long member other than the document', async () => {
    await start();
    const long = 'x'.repeat(2 << 20);
    for (const json of [{ data: '', contentType: long }, { data: '', more: long }, { data: `${long}\n` }])
      expectError(await ask(server, { ...IMPORT, as: 'alice', json }), 413);
  });
});

it('is 413 for a form with too many parts', async () => {
  await start();
  const body = `${'--x\r\nContent-Disposition: form-data; name=a; filename=a\r\nContent-Type: text/turtle\r\n\r\n\r\n'.repeat(100_000)}--x--\r\n`;
  const headers = { 'content-type': 'multipart/form-data; boundary=x' };
  expectError(
    await ask(server, { method: 'PUT', path: '/worlds/ada/graphs?default', as: 'alice', body, headers }),
    413,
  );
});

it('is 413 for a body of thousands of tiny chunks, and closes the connection', async () => {
  await start();
  const socket = open();
  const answered = rawAnswer(socket);
  socket.write(
    `POST /worlds/ada/sparql HTTP/1.1\r\nHost: x\r\nAuthorization: ${bearer('alice')}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`,
  );
  socket.write('1\r\n \r\n'.repeat(600));
  const closed = once(socket, 'close');
  expectError(await answered, 413);
  await closed;
});

describe('uploads that are held open', () => {
  const PART = Buffer.alloc(1 << 20, 'A');
  const held = async (caller: 'alice' | 'bob') => {
    const socket = open();
    const answered = rawAnswer(socket);
    answered.catch(() => {});
    socket.write(head(caller, IMPORT.path, 'application/json', 3 << 20));
    socket.write(PART);
    return { socket, answered };
  };

  it('use at most their share of memory: beyond it 503 with Retry-After, while other callers upload and small requests are answered', async () => {
    await start({ maxHeldBodyBytes: 8 << 20 });
    const uploads = [];
    for (let i = 0; i < 6; i++) uploads.push(await held('alice'));
    const refused = await Promise.race(uploads.map(({ answered }) => answered));
    expectError(refused, 503);
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(refused.text).toContain('maxHeldBodyBytes');
    // No error of ours: nobody fills that log from outside.
    expect(server.log.entries.filter(({ level }) => level === 'error')).toEqual([]);
    const data = Buffer.alloc(1 << 20, '#\n').toString('base64');
    const body = JSON.stringify({ data, contentType: 'text/turtle' });
    const headers = { 'content-type': 'application/json' };
    expect((await ask(server, { ...IMPORT, as: 'bob', body, headers })).status).toBe(204);
    const query = 'SELECT * { ?s ?p ?o }';
    expect(
      (await ask(server, { method: 'POST', path: '/worlds/ada/sparql', as: 'alice', json: { query } })).status,
    ).toBe(200);
    for (const { socket } of uploads) socket.destroy();
    // What they held is free when they are gone.
    await vi.waitFor(async () => {
      expect((await ask(server, { ...IMPORT, as: 'alice', body, headers })).status).toBe(204);
    }, PATIENCE);
  });

  it('have a time limit for the whole body, no matter how often a byte arrives', async () => {
    await start({ bodyMs: 200 });
    const { socket, answered } = await held('alice');
    const trickle = setInterval(() => socket.write('A'), 20);
    try {
      expectError(await answered, 408);
    } finally {
      clearInterval(trickle);
    }
  });
});

describe('pipelined requests', () => {
  it('are answered in order', async () => {
    await start();
    const socket = open();
    const request = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: ${bearer('alice')}\r\n\r\n`;
    socket.write(['/worlds/ada', '/worlds/none', '/worlds/ada'].map(request).join(''));
    let received = '';
    socket.on('data', (chunk) => {
      received += chunk;
    });
    await vi.waitFor(
      () => expect([...received.matchAll(/HTTP\/1\.1 (\d+)/g)].map((m) => m[1])).toEqual(['200', '404', '200']),
      PATIENCE,
    );
  });

  it('close the connection if too many wait, while other clients are served', async () => {
    await start();
    const calls = vi.spyOn(server.engine, 'getWorld');
    const socket = open();
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.resume();
    socket.write(`GET /worlds/ada HTTP/1.1\r\nHost: x\r\nAuthorization: ${bearer('alice')}\r\n\r\n`.repeat(20_000));
    await closed;
    expect(calls.mock.calls.length).toBeLessThan(100);
    expect((await ask(server, { method: 'GET', path: '/worlds/ada', as: 'alice' })).status).toBe(200);
  });
});

describe('connections', () => {
  const limited = async (limits: Parameters<typeof createLimitedServer>[0]) => {
    await start();
    const listening = createLimitedServer(limits);
    const handler = createWorldsHandler(server.engine, { authenticate: staticTokens(Object.values(CALLERS)) });
    listening.on('request', nodeListener(handler));
    const port = await listen(listening);
    return {
      port,
      origin: `http://127.0.0.1:${port}`,
      close: () => listening.close() && listening.closeAllConnections(),
    };
  };

  it('that are held open are closed to admit new ones', async () => {
    const { port, origin, close } = await limited({ maxConnections: 5 });
    try {
      const idle = Array.from({ length: 20 }, () => open(port));
      const gone = () => idle.filter(({ destroyed }) => destroyed).length;
      await vi.waitFor(() => expect(gone()).toBeGreaterThanOrEqual(15), PATIENCE);
      expect((await ask({ origin }, { method: 'GET', path: '/worlds/ada', as: 'alice' })).status).toBe(200);
    } finally {
      close();
    }
  });

  it('that never send anything are closed', async () => {
    const { port, close } = await limited({ headersTimeoutMs: 100 });
    try {
      const socket = open(port);
      socket.resume();
      await new Promise((resolve) => socket.once('close', resolve));
    } finally {
      close();
    }
  });

  it('unknown limits are rejected', () => {
    expect(() => createLimitedServer({ maxConnection: 1 } as object)).toThrow(
      /limits: there is no field "maxConnection"; did you mean maxConnections/,
    );
    expect(createServer().maxRequestsPerSocket).not.toBe(createLimitedServer().maxRequestsPerSocket);
  });
});
