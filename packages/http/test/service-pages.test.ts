import { WorldsEngine, WorldsError } from '@rdf-worlds/core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createWorldsHandler, type ServedFile, type ServicePages, staticTokens } from '../src/index.ts';

let engine: WorldsEngine;
beforeAll(async () => {
  engine = await WorldsEngine.open({ textIndex: null });
});
afterAll(() => engine.close());

const bytes = (text: string) => new TextEncoder().encode(text);
const START: ServedFile = {
  body: bytes('<!doctype html>'),
  gzip: bytes('zipped'),
  etag: '"start"',
  headers: { 'content-type': 'text/html', 'content-security-policy': "default-src 'none'" },
};
const PAGES: ServicePages = { path: '/console', find: (path) => (path === '/' ? START : undefined) };

const handlerOf = (pages: readonly ServicePages[], basePath?: string) =>
  createWorldsHandler(engine, { authenticate: staticTokens([]), pages, basePath });
const ask = (path: string, init?: RequestInit, basePath?: string) =>
  handlerOf([PAGES], basePath)(new Request(`http://localhost${path}`, init));

it('serves files to everybody, whole or in gzip', async () => {
  const plain = await ask('/console/');
  expect(plain.status).toBe(200);
  expect(await plain.text()).toBe('<!doctype html>');
  expect(Object.fromEntries(plain.headers)).toMatchObject({
    'content-type': 'text/html',
    'content-length': '15',
    'content-security-policy': "default-src 'none'",
    'x-content-type-options': 'nosniff',
    etag: '"start"',
    vary: 'Accept-Encoding',
  });
  for (const accepted of ['gzip', 'br, gzip;q=0.5', 'x-gzip']) {
    const zipped = await ask('/console/', { headers: { 'accept-encoding': accepted } });
    expect([await zipped.text(), zipped.headers.get('content-encoding')]).toEqual(['zipped', 'gzip']);
  }
  for (const refused of ['br', 'gzip;q=0', 'gzip;q=0.0', 'notgzip'])
    expect((await ask('/console/', { headers: { 'accept-encoding': refused } })).headers.has('content-encoding')).toBe(
      false,
    );
  const head = await ask('/console/', { method: 'HEAD' });
  expect([head.status, await head.text(), head.headers.get('content-length')]).toEqual([200, '', '15']);
});

it('answers conditions, other methods and unknown files', async () => {
  const unchanged = await ask('/console/', { headers: { 'if-none-match': '"start"' } });
  expect([unchanged.status, await unchanged.text()]).toEqual([304, '']);
  expect((await ask('/console/', { headers: { 'if-none-match': '"older"' } })).status).toBe(200);
  expect((await ask('/console/', { method: 'POST' })).status).toBe(405);
  expect((await ask('/console/', { method: 'OPTIONS' })).headers.get('allow')).toBe('GET, HEAD, OPTIONS');
  for (const path of ['/console/nothing', '/console/..%2f..%2fpackage.json', '/console//', '/consoles', '/console/%00'])
    expect([path, (await ask(path)).status]).toEqual([path, 404]);
});

it('redirects to the path with its slash, below any prefix', async () => {
  const { status, headers } = await ask('/api/console', {}, '/api');
  expect([status, headers.get('location')]).toEqual([308, 'console/']);
  expect((await ask('/api/console/', {}, '/api')).status).toBe(200);
  expect((await ask('/console/', {}, '/api')).status).toBe(404);
});

it('refuses paths that are malformed or taken', () => {
  for (const path of ['console', '/', '/a/b', '/worlds', '/namespaces', '/metrics', '/openapi.json', '/..'])
    expect(() => handlerOf([{ ...PAGES, path }]), path).toThrow(WorldsError);
  expect(() => handlerOf([PAGES, PAGES])).toThrow('two sets of pages');
});
