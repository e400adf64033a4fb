import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { type HttpRequest, loadHttp } from '../src/http-connections.ts';
import { httpBenchmark } from '../src/http-load.ts';
import { HTTP_MIX, HTTP_TOKEN, httpWorlds, mixedRequest } from '../src/http-mix.ts';
import { HttpServerProcess } from '../src/http-server-process.ts';
import { RandomNumbers } from '../src/random-numbers.ts';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

async function serve(listener: RequestListener): Promise<number> {
  const server = createServer(listener);
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

const GET: HttpRequest = { method: 'GET', path: '/', headers: {} };

describe('the load', () => {
  it('sends the requested number of requests over the requested number of connections', async () => {
    const connections = new Set<unknown>();
    const seen: string[] = [];
    const port = await serve((message, response) => {
      connections.add(message.socket);
      const chunks: Buffer[] = [];
      message.on('data', (chunk) => chunks.push(chunk));
      message.on('end', () => {
        seen.push(`${message.method} ${message.url} ${message.headers['x-own']} ${Buffer.concat(chunks)}`);
        response.end('ok');
      });
    });
    let made = 0;
    const next = (): HttpRequest => ({ method: 'POST', path: `/${made++}`, headers: { 'x-own': 'yes' }, body: 'é' });
    const load = await loadHttp({ port, connections: 3, requests: 40, next });
    expect([load.requests, load.latenciesMs.length, load.errors]).toEqual([40, 40, []]);
    expect(connections.size).toBe(3);
    expect(seen.sort()).toEqual(Array.from({ length: 40 }, (_, n) => `POST /${n} yes é`).sort());
  });

  it('ends after its duration, once the pending responses have arrived', async () => {
    const port = await serve((_, response) => response.end());
    const load = await loadHttp({ port, connections: 2, durationMs: 50, next: () => GET });
    expect(load.requests).toBeGreaterThan(0);
    expect(load.latenciesMs).toHaveLength(load.requests);
  });

  it('reports each kind of failure once and continues', async () => {
    const port = await serve((message, response) => {
      if (message.url === '/gone') message.socket.destroy();
      else {
        response.statusCode = message.url === '/missing' ? 404 : 200;
        response.end();
      }
    });
    const paths = ['/missing', '/', '/gone', '/missing'];
    let made = 0;
    const next = () => ({ ...GET, path: paths[made++ % 4] });
    const { requests, errors } = await loadHttp({ port, connections: 1, requests: 8, next });
    expect(requests).toBe(8);
    expect(errors).toHaveLength(2);
    expect(errors).toEqual(expect.arrayContaining(['GET /missing: 404', expect.stringMatching(/^GET \/gone: \w+/)]));
  });
});

describe('the mix', () => {
  const requests = (seed: number) => {
    const random = new RandomNumbers(seed);
    return Array.from({ length: 4000 }, () => mixedRequest(random));
  };

  it('is the same for the same seed', () => {
    expect(requests(1)).toEqual(requests(1));
    expect(requests(1)).not.toEqual(requests(2));
  });

  it('has the documented shares, which add up to 100 %', () => {
    const shares = [...HTTP_MIX.matchAll(/(\d+) % ([^,]+)/g)].map(
      ([, percent, name]) => [name, Number(percent)] as const,
    );
    expect(shares.reduce((sum, [, percent]) => sum + percent, 0)).toBe(100);
    const gets = requests(3).filter(({ method, path }) => method === 'GET' && /^\/worlds\/w\d+$/.test(path));
    const expected = Object.fromEntries(shares)['get a world'] / 100;
    expect(gets.length / 4000).toBeGreaterThan(expected - 0.05);
    expect(gets.length / 4000).toBeLessThan(expected + 0.05);
  });

  it('names existing worlds, and sends the token and valid JSON', () => {
    const slugs = new Set(Array.from(httpWorlds(), ({ slug }) => slug));
    for (const { path, headers, body } of requests(4)) {
      const named = /^\/worlds\/(w\d+)/.exec(path)?.[1];
      if (named) expect(slugs.has(named)).toBe(true);
      expect(headers['authorization']).toBe(`Bearer ${HTTP_TOKEN}`);
      if (body !== undefined) expect(() => JSON.parse(body)).not.toThrow();
    }
  });
});

describe('the servers', () => {
  it('answer every request of the mix successfully, and the amount of data stays bounded', async () => {
    const worlds = await HttpServerProcess.start('RDF Worlds');
    try {
      const random = new RandomNumbers(5);
      const sizes = [];
      for (let round = 0; round < 2; round++) {
        const load = await loadHttp({
          port: worlds.port,
          connections: 4,
          requests: 400,
          next: () => mixedRequest(random),
        });
        expect(load.errors).toEqual([]);
        const body = JSON.stringify({ query: 'SELECT (COUNT(*) AS ?n) { ?s ?p ?o }' });
        const headers = { authorization: `Bearer ${HTTP_TOKEN}`, 'content-type': 'application/json' };
        const url = `http://127.0.0.1:${worlds.port}/worlds/sparql`;
        const counted = (await (await fetch(url, { method: 'POST', headers, body })).json()) as {
          results: { bindings: [{ n: { value: string } }] };
        };
        sizes.push(Number(counted.results.bindings[0].n.value));
      }
      // 20 worlds, of which each may come to have a counter and, of each of 50 values, one import.
      expect(sizes[1]).toBeGreaterThanOrEqual(2000);
      expect(sizes[1]).toBeLessThanOrEqual(2000 + 20 * 51);
      const usage = await worlds.usage({ settle: true });
      expect(usage.rss).toBeGreaterThan(1 << 20);
      expect(usage.cpuMs).toBeGreaterThan(0);
    } finally {
      await worlds.stop();
    }
    // Twice is fine.
    await worlds.stop();
  });

  it('the echo server answers with a world', async () => {
    const echo = await HttpServerProcess.start('node:http echo');
    try {
      const answer = await fetch(`http://127.0.0.1:${echo.port}/worlds/w0`);
      expect(await answer.json()).toMatchObject({ slug: 'w0' });
      const posted = await fetch(`http://127.0.0.1:${echo.port}/`, { method: 'POST', body: 'said' });
      expect(await posted.text()).toBe('said');
    } finally {
      await echo.stop();
    }
  });
});

describe('the benchmark', () => {
  const settings = { connections: 3, seconds: 0.6, rounds: 2, requests: 30, seed: 1 };

  it('measures both servers and reports them', async () => {
    const { tables, settings: told } = await httpBenchmark.run(settings, () => undefined);
    expect(told.join('\n')).toContain(HTTP_MIX);
    expect(tables.length).toBe(3);
    for (const { columns, rows } of tables) {
      expect(rows.length).toBeGreaterThan(1);
      for (const row of rows) expect(row.length).toBe(columns.length);
    }
  });
});
