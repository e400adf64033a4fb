import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  expectError,
  expectNoContent,
  expectSearchResults,
  expectSelectResults,
  expectWorld,
} from './answer-shapes.ts';
import { WRONG_TOKEN } from './callers.ts';
import { type Answered, ask } from './exchange.ts';
import { OPERATIONS, type Operation } from './operations.ts';
import { type RunningServer, startServer } from './running-server.ts';

const DATA = '<urn:ada> <urn:made> "the analytical engine" .\n';
let server: RunningServer;
let made = 0;

beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());
afterEach(async () => {
  for (const namespace of await server.engine.listNamespaces()) await server.engine.deleteNamespace({ namespace });
});

async function freshWorld(namespace = 'alpha'): Promise<string> {
  const slug = `w${++made}`;
  await server.engine.createWorld({ slug, namespace });
  await server.engine.import({ source: `${namespace}/${slug}`, data: DATA });
  return slug;
}

/**
 * The worlds of a namespace with their data: what must be the same after a request that was
 * refused.
 */
async function contents(...namespaces: string[]): Promise<string[]> {
  const found: string[] = [];
  for (const namespace of namespaces) {
    for await (const world of server.engine.worlds({ namespace })) {
      const data = await server.engine.export({ source: `${namespace}/${world.slug}` });
      found.push(`${JSON.stringify(world)} ${new TextDecoder().decode(data)}`);
    }
  }
  return found;
}

/** What each kind answers when all is well. */
const SUCCESS: Record<Operation['kind'], (answer: Answered) => void> = {
  list: (answer) => {
    expect(answer.mediaType).toBe('application/json');
    expect(answer.json().length).toBeGreaterThan(0);
    for (const world of answer.json()) expectWorld(world);
  },
  create: (answer) => expectWorld(answer.json()),
  get: (answer) => expectWorld(answer.json()),
  update: expectNoContent,
  delete: expectNoContent,
  export: (answer) => expect([answer.mediaType, answer.text]).toEqual(['application/n-quads', DATA]),
  import: expectNoContent,
  sparql: (answer) => expect(expectSelectResults(answer).bindings.length).toBeGreaterThan(0),
  search: (answer) => expect(expectSearchResults(answer).length).toBeGreaterThan(0),
};

it('covers 22 operations, 11 in each family of routes', () => {
  expect(OPERATIONS).toHaveLength(22);
  expect(new Set(OPERATIONS.map(({ method, path }) => `${method} ${path('{namespace}', '{slug}')}`)).size).toBe(22);
});

describe.each(OPERATIONS)('$title: $method $suffix', (operation) => {
  const { method, body, bad = [], good } = operation;
  const json = (slug: string) => (body === 'required' ? good!(slug) : undefined);

  it('401 and an Error body without a token', async () => {
    const slug = await freshWorld();
    const before = await contents('alpha');
    const answer = await ask(server, { method, path: operation.path('alpha', slug), json: json(slug) });
    expectError(answer, 401);
    // RFC 9110 section 11.6.1: a 401 carries a challenge.
    expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer\b/i);
    expect(await contents('alpha')).toEqual(before);
  });

  it.each([
    ['a token that nobody has', `Bearer ${WRONG_TOKEN}`],
    ['an empty token', 'Bearer '],
    ['another scheme', 'Basic YWxpY2U6eA=='],
    ['a token without its scheme', 'alice-of-alpha-0f3a'],
    ['a token with something behind it', 'Bearer alice-of-alpha-0f3a x'],
    ['the beginning of a token', 'Bearer alice-of-alpha-0f3'],
    ['a token in other letters', 'Bearer ALICE-OF-ALPHA-0F3A'],
  ])('401 with %s', async (_, authorization) => {
    const slug = await freshWorld();
    const before = await contents('alpha');
    const path = operation.path('alpha', slug);
    const answer = await ask(server, { method, path, json: json(slug), headers: { authorization } });
    const message = expectError(answer, 401);
    expect(message).not.toContain('alice');
    expect(await contents('alpha')).toEqual(before);
  });

  it('accepts the scheme in any letter case (RFC 9110 section 11.1)', async () => {
    const slug = await freshWorld();
    const path = operation.path('alpha', slug);
    const headers = { authorization: 'bEARER alice-of-alpha-0f3a' };
    expect((await ask(server, { method, path, json: json(slug), headers })).status).toBe(operation.success);
  });

  if (operation.family.name === 'namespaced')
    it('403 and an Error body for the tenant of another namespace', async () => {
      const slug = await freshWorld();
      const before = await contents('alpha', 'beta');
      const path = operation.path('alpha', slug);
      expectError(await ask(server, { method, path, as: 'bob', json: json(slug) }), 403);
      expect(await contents('alpha', 'beta')).toEqual(before);
    });
  else
    it('never reveals or changes a world of another tenant', async () => {
      const slug = await freshWorld();
      const before = await contents('alpha');
      const answer = await ask(server, { method, path: operation.path('alpha', slug), as: 'bob', json: json(slug) });
      expect(answer.text).not.toMatch(/analytical|alpha/);
      expect(await contents('alpha')).toEqual(before);
    });

  it('succeeds', async () => {
    const slug = await freshWorld();
    const answer = await ask(server, { method, path: operation.path('alpha', slug), as: 'alice', json: json(slug) });
    expect(answer.status, answer.text).toBe(operation.success);
    SUCCESS[operation.kind](answer);
  });

  if (body === 'optional')
    it('works with and without a body', async () => {
      for (const withBody of [false, true]) {
        const slug = await freshWorld();
        const path = operation.path('alpha', slug);
        const answer = await ask(server, { method, path, as: 'alice', json: withBody ? good!(slug) : undefined });
        expect(answer.status, answer.text).toBe(operation.success);
        SUCCESS[operation.kind](answer);
      }
    });

  if (!operation.isCollection)
    it('reports a missing world with the status in the table', async () => {
      const path = operation.path('alpha', 'nowhere');
      const message = expectError(
        await ask(server, { method, path, as: 'alice', json: json('nowhere') }),
        operation.statuses.includes(404) ? 404 : 400,
      );
      expect(message).toContain('nowhere');
    });

  it.runIf(bad.length > 0).each(bad)('400 for %j, naming the field %s', async (wrong, field) => {
    const slug = await freshWorld();
    const before = await contents('alpha');
    const path = operation.path('alpha', slug);
    expect(expectError(await ask(server, { method, path, as: 'alice', json: wrong }), 400)).toContain(field);
    expect(await contents('alpha')).toEqual(before);
  });

  if (body !== 'none')
    it.each([
      ['truncated JSON', '{"slug": "x", "query": "ASK {}", "data": "'],
      ['no JSON', 'slug=x'],
      ['an array', '[]'],
      ['a string', '"x"'],
      ['null', 'null'],
      ['two values', '{}{}'],
    ])('400 for a body: %s', async (_, text) => {
      const slug = await freshWorld();
      const before = await contents('alpha');
      const path = operation.path('alpha', slug);
      const headers = { 'content-type': 'application/json' };
      expectError(await ask(server, { method, path, as: 'alice', body: text, headers }), 400);
      expect(await contents('alpha')).toEqual(before);
    });

  if (body === 'required')
    it('400 without a body', async () => {
      const slug = await freshWorld();
      const path = operation.path('alpha', slug);
      expectError(await ask(server, { method, path, as: 'alice' }), 400);
      const headers = { 'content-type': 'application/json' };
      expectError(await ask(server, { method, path, as: 'alice', body: '', headers }), 400);
    });
});
