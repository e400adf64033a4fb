import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type RemoteContextsOptions, remoteContexts, WorldsEngine } from '../../../src/index.ts';

const CONTEXT = { '@context': { name: 'urn:name' } };
const TEXT = JSON.stringify(CONTEXT);
const LD = { 'content-type': 'application/ld+json' };

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

let server: Server;
let origin: string;
let asked: string[];
let answers: Record<string, Answer>;

beforeEach(async () => {
  asked = [];
  answers = { '/c': (_, response) => response.writeHead(200, LD).end(TEXT) };
  server = createServer((request, response) => {
    asked.push(request.url!);
    const answer = answers[request.url!];
    if (answer) answer(request, response);
    else response.writeHead(404).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const loaded = (path: string, options: Partial<RemoteContextsOptions> = {}) =>
  remoteContexts({ allow: [`${origin}/`], ...options })(`${origin}${path}`);

/** Answers every request in place of the network, and notes it. */
function noting(answer: (url: string) => Response): { fetch: typeof fetch; urls: string[] } {
  const urls: string[] = [];
  const send = async (input: unknown) => {
    urls.push(String(input));
    return answer(String(input));
  };
  return { fetch: send as typeof fetch, urls };
}
const json = () => new Response(TEXT, { headers: LD });

describe('remote contexts', () => {
  it('are read by imports, validations and exports of an engine with the loader', async () => {
    const documentLoader = remoteContexts({ allow: [`${origin}/`] });
    await using engine = await WorldsEngine.open({ textIndex: null, documentLoader });
    await engine.createWorld({ slug: 'w' });
    const context = `${origin}/c`;
    await engine.import({ source: 'w', data: { '@context': context, '@id': 'urn:a', name: 'Ada' } });
    const exported = await engine.export({ source: 'w', contentType: 'application/ld+json', context });
    expect(JSON.parse(new TextDecoder().decode(exported))).toEqual({
      '@context': context,
      '@graph': [{ '@id': 'urn:a', name: 'Ada' }],
    });
    // Fetched once.
    expect(asked).toEqual(['/c']);
    const refused = engine.import({ source: 'w', data: { '@context': 'https://a.example/c', name: 'x' } });
    await expect(refused).rejects.toMatchObject({
      code: 'UNSUPPORTED',
      message: expect.stringContaining('add "https://a.example/c" to allow of remoteContexts'),
    });
  });

  it('an engine without a loader names it', async () => {
    await using engine = await WorldsEngine.open({ textIndex: null });
    await engine.createWorld({ slug: 'w' });
    const refused = engine.import({ source: 'w', data: { '@context': 'http://schema.org', name: 'x' } });
    await expect(refused).rejects.toThrow("remoteContexts({ allow: ['https://schema.org'] })");
  });

  it.each<[string, readonly string[], string, string | undefined]>([
    ['a page of an allowed origin', ['https://a.example'], 'https://a.example/c', 'https://a.example/c'],
    ['a path below', ['https://a.example/ns/'], 'https://a.example/ns/c', 'https://a.example/ns/c'],
    ['another path', ['https://a.example/ns/'], 'https://a.example/c', undefined],
    ['a host that only begins like it', ['https://a.example'], 'https://a.example.evil/c', undefined],
    ['another port', ['https://a.example'], 'https://a.example:8443/c', undefined],
    ['dots that leave the path', ['https://a.example/ns/'], 'https://a.example/ns/../c', undefined],
    ['http, over TLS', ['https://schema.org/'], 'http://schema.org', 'https://schema.org/'],
    ['http, as allowed', ['http://a.example/'], 'http://a.example/c', 'http://a.example/c'],
    ['http, where anything over TLS is allowed', ['https:'], 'http://a.example/c', 'https://a.example/c'],
    ['credentials in the address', ['https:'], 'https://me:secret@a.example/c', undefined],
    ['a file', ['https:'], 'file:///etc/passwd', undefined],
  ])('allows or refuses %s', async (_, allow, context, fetched) => {
    const { fetch, urls } = noting(json);
    const loading = remoteContexts({ allow, fetch })(context);
    if (fetched) expect(await loading).toEqual({ document: TEXT, documentUrl: fetched });
    else await expect(loading).rejects.toMatchObject({ code: 'UNSUPPORTED' });
    expect(urls).toEqual(fetched ? [fetched] : []);
  });

  it('follows redirects and the alternative of a page, and names where the context was', async () => {
    answers['/old'] = (_, response) => response.writeHead(302, { location: '/page' }).end();
    answers['/page'] = (_, response) =>
      response
        .writeHead(200, {
          'content-type': 'text/html',
          link: '</style.css>; rel="stylesheet", </c>; rel="alternate"; type="application/ld+json"',
        })
        .end('<html>');
    expect(await loaded('/old')).toEqual({ document: TEXT, documentUrl: `${origin}/c` });
    expect(asked).toEqual(['/old', '/page', '/c']);
  });

  it('refuses a redirect to what is not allowed, before it asks there', async () => {
    const { fetch, urls } = noting((url) =>
      url.endsWith('/c')
        ? new Response(null, { status: 301, headers: { location: 'https://10.0.0.1/admin' } })
        : json(),
    );
    const loading = remoteContexts({ allow: ['https://a.example/'], fetch })('https://a.example/c');
    await expect(loading).rejects.toMatchObject({ code: 'UNSUPPORTED', message: expect.stringContaining('10.0.0.1') });
    expect(urls).toEqual(['https://a.example/c']);
  });

  it.each<[string, Answer, Partial<RemoteContextsOptions>, string, RegExp]>([
    [
      'redirects without end',
      (_, response) => response.writeHead(302, { location: '/x' }).end(),
      {},
      'LIMIT_EXCEEDED',
      /more than 5 times/,
    ],
    [
      'is too large',
      (_, response) => response.writeHead(200, LD).end(' '.repeat(1001)),
      { maxBytes: 1000 },
      'LIMIT_EXCEEDED',
      /larger than 1000 bytes/,
    ],
    [
      'is too large once decompressed',
      (_, response) =>
        response.writeHead(200, { ...LD, 'content-encoding': 'gzip' }).end(gzipSync(' '.repeat(1 << 21))),
      {},
      'LIMIT_EXCEEDED',
      /larger than 1048576 bytes/,
    ],
    ['never answers', () => {}, { timeoutMs: 20 }, 'UNAVAILABLE', /no answer within 20 ms/],
    [
      'stops in the middle',
      (_, response) => response.writeHead(200, LD).write('{'),
      { timeoutMs: 100 },
      'UNAVAILABLE',
      /no answer within 100 ms/,
    ],
    ['breaks off', (request) => request.socket.destroy(), {}, 'UNAVAILABLE', /could not be fetched: .*\(/],
    [
      'is not there',
      (_, response) => response.writeHead(404).end(),
      {},
      'UNAVAILABLE',
      /the server responded with 404/,
    ],
    [
      'is a page',
      (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>'),
      {},
      'UNSUPPORTED',
      /a page \(text\/html\), not JSON-LD/,
    ],
    [
      'is not UTF-8',
      (_, response) => response.writeHead(200, LD).end(Buffer.from([0x22, 0xff, 0x22])),
      {},
      'UNAVAILABLE',
      /could not be fetched/,
    ],
  ])('fails for a context that %s', async (_, answer, options, code, message) => {
    answers['/x'] = answer;
    await expect(loaded('/x', options)).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
  });

  it('fetches again after a failure, and when what it has is too old', async () => {
    let [failing, now] = [true, 0];
    const { fetch, urls } = noting(() => (failing ? new Response(null, { status: 503 }) : json()));
    const load = remoteContexts({ allow: ['https:'], fetch, cacheMs: 0 });
    await expect(load('https://a.example/c')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    failing = false;
    for (; now < 2; now++) await load('https://a.example/c');
    expect(urls).toHaveLength(3);
    const kept = remoteContexts({ allow: ['https:'], fetch });
    for (let i = 0; i < 70; i++) await kept(`https://a.example/${i}`);
    await kept('https://a.example/69');
    expect(urls).toHaveLength(73);
    // The oldest made room.
    await kept('https://a.example/0');
    expect(urls).toHaveLength(74);
  });

  it.each<[unknown, RegExp]>([
    [undefined, /write remoteContexts\(\{ allow/],
    [{}, /allow: expected addresses, not nothing/],
    [{ allow: [] }, /an empty array/],
    [{ allow: 'https://schema.org/' }, /not a string/],
    [{ allow: ['schema.org'] }, /not "schema.org"/],
    [{ allow: ['file:///'] }, /not "file:\/\/\/"/],
    [{ allow: ['https:'], maxByte: 1 }, /did you mean maxBytes/],
    [{ allow: ['https:'], timeoutMs: -1 }, /timeoutMs: expected an integer/],
  ])('refuses the options %j', (options, message) => {
    expect(() => remoteContexts(options as RemoteContextsOptions)).toThrow(message);
  });
});
