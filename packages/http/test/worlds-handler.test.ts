import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WorldsEngine, WorldsError } from '@rdf-worlds/core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createWorldsHandler, staticTokens, type WorldsHandlerOptions } from '../src/index.ts';
import { nodeListener } from '../src/node.ts';

let engine: WorldsEngine;
beforeEach(async () => {
  engine = await WorldsEngine.open({ textIndex: null });
  await engine.createWorld({ slug: 'a', namespace: 'acme' });
});
afterEach(() => engine.close());

const authenticate = staticTokens([{ token: 'the-token-of-acme', namespace: 'acme' }]);

class Lines {
  readonly lines: [level: string, details: object, message: string][] = [];
  debug = (details: object, message: string) => void this.lines.push(['debug', details, message]);
  warn = (details: object, message: string) => void this.lines.push(['warn', details, message]);
  error = (details: object, message: string) => void this.lines.push(['error', details, message]);
}

const handlerOf = (options: Partial<WorldsHandlerOptions> = {}, of: WorldsEngine | Promise<WorldsEngine> = engine) =>
  createWorldsHandler(of, { authenticate, ...options });

function request(path: string, { headers, ...init }: RequestInit = {}): Request {
  return new Request(`http://anything.example${path}`, {
    ...init,
    headers: { authorization: 'Bearer the-token-of-acme', ...(headers as Record<string, string>) },
  });
}

async function message(response: Response): Promise<string> {
  const body = (await response.json()) as { error: { message: string } };
  expect(Object.keys(body)).toEqual(['error']);
  expect(Object.keys(body.error)).toEqual(['message']);
  return body.error.message;
}

describe('ids of requests', () => {
  it('echoes one that is harmless, and makes one otherwise', async () => {
    const handler = handlerOf();
    const id = async (given: string) =>
      (await handler(request('/worlds/a', { headers: { 'x-request-id': given } }))).headers.get('x-request-id');
    expect(await id('abc-123')).toBe('abc-123');
    for (const given of ['a b', 'x'.repeat(200), '"quoted"', '']) {
      expect(await id(given)).toMatch(/^[0-9a-f-]{36}$/);
    }
    expect((await handler(new Request('http://x/nowhere'))).headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe('failures', () => {
  it('that nobody foresaw are 500 with nothing from inside, and whole in the log', async () => {
    const log = new Lines();
    const broken = Object.assign(Object.create(engine), {
      getWorld: () => Promise.reject(new Error('the secret of the inside')),
    }) as WorldsEngine;
    const response = await handlerOf(
      { logger: log },
      broken,
    )(request('/worlds/a', { headers: { 'x-request-id': 'id-1' } }));
    expect(response.status).toBe(500);
    expect(await message(response)).toBe('Internal error; report the request id id-1.');
    const [, details] = log.lines.find(([level]) => level === 'error')!;
    expect(details).toMatchObject({
      requestId: 'id-1',
      method: 'GET',
      operation: 'getWorld',
      err: { message: 'the secret of the inside' },
    });
    expect(JSON.stringify(log.lines)).not.toContain('Bearer');
  });

  it.each(['CORRUPT', 'INTERNAL'] as const)('of code %s tell nothing either', async (code) => {
    const broken = Object.assign(Object.create(engine), {
      getWorld: () => Promise.reject(new WorldsError(code, 'segment 17 of /var/data')),
    }) as WorldsEngine;
    const response = await handlerOf({}, broken)(request('/worlds/a'));
    expect([response.status, await message(response)]).toEqual([500, expect.not.stringMatching(/segment|data/)]);
  });

  it('of code IN_DOUBT are 503 with the commit, and without files of the machine', async () => {
    const broken = Object.assign(Object.create(engine), {
      getWorld: () =>
        Promise.reject(
          new WorldsError('IN_DOUBT', 'Writing the log failed at /var/data/log-1.', { commit: 'a.1.2.b' }),
        ),
    }) as WorldsEngine;
    const response = await handlerOf({}, broken)(request('/worlds/a'));
    expect(response.status).toBe(503);
    const text = await message(response);
    expect(text).toContain('commit a.1.2.b');
    expect(text).not.toContain('/var/data');
  });

  it('of code TRUNCATED are 410, and say why', async () => {
    const broken = Object.assign(Object.create(engine), {
      getWorld: () => Promise.reject(new WorldsError('TRUNCATED', 'The log begins at 7; begin anew.')),
    }) as WorldsEngine;
    const response = await handlerOf({}, broken)(request('/worlds/a'));
    expect([response.status, await message(response)]).toEqual([410, 'The log begins at 7; begin anew.']);
  });

  it('of an engine that does not open are 500, whatever its code', async () => {
    const never = Promise.reject(new WorldsError('INVALID_ARGUMENT', 'bad option'));
    const response = await handlerOf({}, never)(request('/worlds/a'));
    expect([response.status, await message(response)]).toEqual([500, expect.not.stringContaining('option')]);
  });

  it('of authenticate are 500', async () => {
    const response = await handlerOf({ authenticate: () => Promise.reject(new Error('x')) })(request('/worlds/a'));
    expect(response.status).toBe(500);
  });
});

describe('who comes in', () => {
  it('authenticate gets the token and the request', async () => {
    const seen: unknown[] = [];
    const handler = handlerOf({
      authenticate: (token, from) => {
        seen.push(token, from.method, new URL(from.url).pathname, from.headers.get('x-more'));
        return { id: 'x', defaultNamespace: 'acme', grants: [{ namespace: 'acme', read: true }] };
      },
    });
    expect((await handler(request('/worlds/a', { headers: { 'x-more': 'yes' } }))).status).toBe(200);
    expect(seen).toEqual(['the-token-of-acme', 'GET', '/worlds/a', 'yes']);
  });

  it('and over node:http too, where it is made for it', async () => {
    const seen: unknown[] = [];
    const handler = handlerOf({
      authenticate: (token, from) => {
        seen.push(token, from.method, new URL(from.url).pathname, new URL(from.url).host, from.headers.get('x-more'));
        return null;
      },
    });
    await served(nodeListener(handler), async (origin) => {
      await fetch(`${origin}/worlds/a?x=1`, { headers: { authorization: 'Bearer t', 'x-more': 'yes' } });
    });
    expect(seen).toEqual(['t', 'GET', '/worlds/a', 'localhost', 'yes']);
  });

  it.each([null, 'Basic YTph', 'Bearer', 'Bearer ', 'bearer acme x', 'acme', 'Bearer acme, Bearer acme'])(
    'Authorization: %s is 401 and says how to do it',
    async (authorization) => {
      const headers: Record<string, string> = authorization === null ? {} : { authorization };
      const response = await handlerOf()(new Request('http://x/worlds/a', { headers }));
      expect(response.status).toBe(401);
      expect(response.headers.get('www-authenticate')).toBe('Bearer realm="rdf-worlds"');
      expect(await message(response)).toMatch(/Authorization: Bearer/);
    },
  );

  it.each(['Bearer the-token-of-acme', 'bearer the-token-of-acme', 'BEARER  the-token-of-acme'])(
    'Authorization: %s',
    async (authorization) => {
      expect((await handlerOf()(new Request('http://x/worlds/a', { headers: { authorization } }))).status).toBe(200);
    },
  );

  it('without credentials is nobody, unless the host says who', async () => {
    const anonymous = { id: 'anyone', grants: [{ namespace: 'acme', world: 'a', read: true }] };
    const handler = handlerOf({ anonymous });
    const get = (path: string, headers = {}) => handler(new Request(`http://x${path}`, { headers }));
    expect((await get('/namespaces/acme/worlds/a')).status).toBe(200);
    expect((await get('/namespaces/acme/worlds/b')).status).toBe(403);
    // Wrong credentials are not none.
    expect((await get('/namespaces/acme/worlds/a', { authorization: 'Bearer wrong' })).status).toBe(401);
  });
});

describe('where it is', () => {
  it('answers below its base path only', async () => {
    const handler = handlerOf({ basePath: '/api/' });
    const status = async (path: string) => (await handler(request(path))).status;
    expect([await status('/api/worlds/a'), await status('/worlds/a'), await status('/apiworlds/a')]).toEqual([
      200, 404, 404,
    ]);
    expect(await status('/api/openapi.json')).toBe(200);
  });

  it('names itself by the base URL, never by the Host', async () => {
    const address = async (options: { basePath?: string; baseUrl?: string }) => {
      const target = request(`${options.basePath ?? ''}/openapi.json`, { headers: { host: 'evil.example' } });
      const document = (await (await handlerOf(options)(target)).json()) as { servers: { url: string }[] };
      return document.servers[0].url;
    };
    expect(await address({})).toBe('http://localhost');
    expect(await address({ basePath: '/api' })).toBe('http://localhost/api');
    expect(await address({ basePath: '/api', baseUrl: 'https://e.example/x/' })).toBe('https://e.example/x');
  });

  it.each([
    [{ baseUrl: 'nowhere' }, /baseUrl/],
    [{ baseUrl: 'ftp://e.example' }, /baseUrl/],
    [{ baseUrl: 'https://e.example/?x' }, /baseUrl/],
    [{ basePath: 'api' }, /basePath/],
    [{ basePath: '/a b' }, /basePath/],
    [{ platformNamespace: '_' }, /platformNamespace/],
    [{ authenticate: undefined }, /authenticate/],
    [{ limits: { maxBodyBytes: -1 } }, /limits\.maxBodyBytes/],
    [{ limits: { timeoutMs: 'soon' } }, /limits\.timeoutMs/],
    [{ limits: { maxRow: 1 } }, /limits: there is no field "maxRow"; did you mean maxRows\?/],
    [{ anonymus: { id: 'x', grants: [] } }, /options: there is no field "anonymus"; did you mean anonymous\?/],
    [{ anonymous: { id: 'x', grants: [{ namespace: 'acme', wrld: 'a', read: true }] } }, /did you mean world\?/],
    [{ cors: { origin: '*' } }, /cors: there is no field "origin"; did you mean origins\?/],
  ])('refuses the options %j', (options, what) => {
    const make = () => handlerOf(options as never);
    expect(make).toThrow(what);
    expect(make).toThrow(expect.objectContaining({ code: 'INVALID_ARGUMENT' }));
  });

  it('serves an engine that is still opening', async () => {
    const handler = handlerOf({}, new Promise((resolve) => setTimeout(resolve, 20, engine)));
    expect((await handler(request('/worlds/a'))).status).toBe(200);
  });
});

describe('other methods', () => {
  it('HEAD is GET without the body', async () => {
    const handler = handlerOf();
    const [get, head] = [await handler(request('/worlds/a')), await handler(request('/worlds/a', { method: 'HEAD' }))];
    expect(head.status).toBe(200);
    for (const name of ['content-type', 'content-length', 'etag'])
      expect(head.headers.get(name)).toBe(get.headers.get(name));
    expect(await head.text()).toBe('');
    expect((await handler(request('/worlds/none', { method: 'HEAD' }))).status).toBe(404);
  });

  it('OPTIONS tells the methods, without credentials', async () => {
    const response = await handlerOf()(new Request('http://x/worlds/a/export', { method: 'OPTIONS' }));
    expect([response.status, response.headers.get('allow')]).toEqual([204, 'POST, OPTIONS']);
    expect(response.headers.has('access-control-allow-origin')).toBe(false);
    expect((await handlerOf()(new Request('http://x/none', { method: 'OPTIONS' }))).status).toBe(404);
  });

  it('what is not possible is 405 with what is', async () => {
    const response = await handlerOf()(request('/worlds', { method: 'DELETE' }));
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, POST, HEAD, OPTIONS']);
    expect(await message(response)).toContain('GET, POST');
    expect((await handlerOf()(request('/openapi.json', { method: 'POST' }))).status).toBe(405);
  });
});

describe('other origins', () => {
  const ask = (origins: '*' | string[], init: RequestInit & { headers: Record<string, string> }) =>
    handlerOf({ cors: { origins, maxAgeSeconds: 5 } })(request('/worlds/a', init));

  it('may read with leave, errors too', async () => {
    const response = await ask(['https://app.example'], { headers: { origin: 'https://app.example' } });
    expect(response.headers.get('access-control-allow-origin')).toBe('https://app.example');
    expect(response.headers.get('access-control-expose-headers')).toContain('ETag');
    expect(response.headers.get('vary')).toBe('Origin');
    const refused = await ask(['https://app.example'], {
      headers: { origin: 'https://app.example', authorization: 'x' },
    });
    expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([401, 'https://app.example']);
    expect((await ask('*', { headers: {} })).headers.get('access-control-allow-origin')).toBe('*');
  });

  it('may not without', async () => {
    const response = await ask(['https://app.example'], { headers: { origin: 'https://evil.example' } });
    expect(response.headers.has('access-control-allow-origin')).toBe(false);
    expect(response.headers.get('vary')).toBe('Origin');
    const none = await handlerOf()(request('/worlds/a', { headers: { origin: 'https://app.example' } }));
    expect(none.headers.has('access-control-allow-origin')).toBe(false);
  });

  it('ask before they send', async () => {
    const headers = { origin: 'https://app.example', 'access-control-request-method': 'PUT' };
    const response = await ask(['https://app.example'], { method: 'OPTIONS', headers });
    expect(response.status).toBe(204);
    expect(response.headers.get('access-control-allow-methods')).toContain('PUT');
    expect(response.headers.get('access-control-allow-headers')).toContain('Authorization');
    expect(response.headers.get('access-control-max-age')).toBe('5');
  });
});

describe('bodies of Requests', () => {
  const streamed = (chunks: AsyncIterable<Uint8Array>, headers = {}) =>
    request('/worlds/a', {
      method: 'PUT',
      body: ReadableStream.from(chunks) as never,
      duplex: 'half',
      headers: { 'content-type': 'application/json', ...headers },
    } as RequestInit);

  it('are read in chunks', async () => {
    const response = await handlerOf()(
      streamed(
        (async function* () {
          for (const part of ['{"lab', 'el":"', 'x"}']) yield Buffer.from(part);
        })(),
      ),
    );
    expect(response.status).toBe(204);
    expect((await engine.getWorld({ source: 'acme/a' }))?.label).toBe('x');
  });

  it('are given up when they are too large, too slow, or break off', async () => {
    let made = 0;
    const endless = async function* () {
      for (;;) {
        made++;
        yield Buffer.alloc(1000, ' ');
      }
    };
    expect((await handlerOf({ limits: { maxBodyBytes: 10_000 } })(streamed(endless()))).status).toBe(413);
    expect(made).toBeLessThan(20);
    const stuck = async function* () {
      yield Buffer.from('{');
      await new Promise(() => {});
    };
    expect((await handlerOf({ limits: { bodyIdleMs: 20 } })(streamed(stuck()))).status).toBe(408);
    const broken = async function* () {
      yield Buffer.from('{');
      throw new Error('gone');
    };
    expect((await handlerOf()(streamed(broken()))).status).toBe(499);
  });

  it('that are declared too large are not touched', async () => {
    let isTouched = false;
    const body = async function* () {
      isTouched = true;
      yield Buffer.from('{}');
    };
    expect((await handlerOf()(streamed(body(), { 'content-length': '2000000' }))).status).toBe(413);
    expect(isTouched).toBe(false);
  });
});

async function served(listener: RequestListener, use: (origin: string) => Promise<void>): Promise<void> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

describe('a handler around ours', () => {
  it('is served over node:http, with its bodies both ways', async () => {
    const inner = handlerOf();
    const outer = async (from: Request) => {
      const response = await inner(from);
      response.headers.set('x-outer', from.method);
      return response;
    };
    await served(nodeListener(outer), async (origin) => {
      const headers = { authorization: 'Bearer the-token-of-acme', 'content-type': 'application/json' };
      const put = await fetch(`${origin}/worlds/a`, { method: 'PUT', headers, body: '{"label":"by a wrapper"}' });
      expect([put.status, put.headers.get('x-outer')]).toEqual([204, 'PUT']);
      const get = await fetch(`${origin}/worlds/a`, { headers });
      expect(await get.json()).toMatchObject({ label: 'by a wrapper' });
      const dots = await fetch(`${origin}/worlds/%252e%252e/a`, { headers });
      expect(dots.status).toBe(404);
      const exported = await fetch(`${origin}/worlds/a/export`, { method: 'POST', headers });
      expect([exported.status, await exported.text()]).toEqual([200, '']);
    });
  });

  it('may break: 500', async () => {
    await served(
      nodeListener(() => Promise.reject(new Error('secret'))),
      async (origin) => {
        const response = await fetch(`${origin}/worlds`);
        expect([response.status, await message(response)]).toEqual([500, 'Internal error.']);
      },
    );
  });
});
