import { WorldsEngine } from '@rdf-worlds/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createWorldsHandler, isLoopback, type Principal } from '../src/index.ts';

it.each(['localhost', 'LOCALHOST:8080', '127.0.0.1', '127.1.2.3:1', '[::1]', '[::1]:8080', '::1'])(
  '%s is this machine',
  (host) => expect(isLoopback(host)).toBe(true),
);
it.each([
  '',
  'localhost.evil.example',
  'evil.example',
  '127.0.0.1.evil.example',
  '0.0.0.0',
  '10.0.0.1',
  '[::2]',
  'localhost:8080:x',
])('%s is another', (host) => expect(isLoopback(host)).toBe(false));

describe('loopbackOnly', () => {
  let engine: WorldsEngine;
  beforeAll(async () => {
    engine = await WorldsEngine.open({ textIndex: null });
    await engine.createWorld({ slug: 'a', namespace: 'platform' });
  });
  afterAll(() => engine.close());
  const anybody: Principal = { id: 'anybody', grants: [], admin: true };
  const ask = async (method: string, headers: Record<string, string>, body?: string) => {
    const handler = createWorldsHandler(engine, {
      authenticate: () => anybody,
      anonymous: anybody,
      loopbackOnly: true,
    });
    const url = `http://localhost/worlds/a${method === 'POST' ? '/sparql' : ''}`;
    // Bytes: text would get a type by itself.
    const bytes = body === undefined ? undefined : Buffer.from(body);
    return (await handler(new Request(url, { method, headers, body: bytes }))).status;
  };
  const UPDATE = 'CLEAR ALL';

  it('answers programs of this machine, and pages of its own origin', async () => {
    expect(await ask('GET', { host: 'localhost:8080' })).toBe(200);
    expect(await ask('GET', { host: '127.0.0.1:8080', origin: 'http://127.0.0.1:8080' })).toBe(200);
    const headers = { host: '[::1]:8080', 'content-type': 'application/sparql-update' };
    expect(await ask('POST', headers, UPDATE)).toBe(204);
  });

  it.each([
    ['a name that was made to resolve to it', { host: 'evil.example:8080' }],
    ['no host', {}],
    ['a page of another site', { host: 'localhost:8080', origin: 'https://evil.example' }],
    ['a page of another port', { host: 'localhost:8080', origin: 'http://localhost:9000' }],
    ['a page without an origin', { host: 'localhost:8080', origin: 'null' }],
  ])('refuses %s', async (_, headers) => {
    expect(await ask('GET', headers as Record<string, string>)).toBe(403);
    expect(
      await ask(
        'POST',
        { ...(headers as Record<string, string>), 'content-type': 'application/sparql-update' },
        UPDATE,
      ),
    ).toBe(403);
  });

  it.each([
    undefined,
    'text/plain',
    'application/x-www-form-urlencoded; charset=utf-8',
    'Multipart/Form-Data; boundary=x',
  ])('refuses a POST of %s, which a form can send', async (type) => {
    const headers: Record<string, string> = { host: 'localhost', ...(type !== undefined && { 'content-type': type }) };
    expect(await ask('POST', headers, `update=${UPDATE}`)).toBe(415);
  });
});
