import { WorldsEngine } from '@rdf-worlds/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createWorldsHandler, staticTokens } from '../src/index.ts';

let engine: WorldsEngine;
beforeAll(async () => {
  engine = await WorldsEngine.open({ textIndex: null });
  await engine.createWorld({ slug: 'a', namespace: 'acme' });
});
afterAll(() => engine.close());

const authenticate = staticTokens([{ token: 'the-token-of-acme', id: 'ada', namespace: 'acme' }]);

describe('probes', () => {
  const asked = (of: WorldsEngine | Promise<WorldsEngine>, probes: boolean) => {
    const handler = createWorldsHandler(of, { authenticate, probes });
    return async (path: string, method = 'GET') => (await handler(new Request(`http://x${path}`, { method }))).status;
  };

  it('answer without credentials: alive at all times, ready when the engine is open', async () => {
    let open = (_: WorldsEngine) => {};
    const ask = asked(new Promise((resolve) => (open = resolve)), true);
    expect([await ask('/healthz'), await ask('/readyz')]).toEqual([200, 503]);
    open(engine);
    await Promise.resolve();
    expect([await ask('/healthz'), await ask('/readyz'), await ask('/readyz', 'HEAD')]).toEqual([200, 200, 200]);
    expect([await ask('/readyz', 'POST'), await ask('/readyz', 'OPTIONS')]).toEqual([405, 204]);
  });

  it('are not ready when the engine did not open', async () => {
    const ask = asked(Promise.reject(new Error('no disk')), true);
    await Promise.resolve();
    expect([await ask('/healthz'), await ask('/readyz')]).toEqual([200, 503]);
  });

  it('are not there unless the host asks for them, for it may have its own', async () => {
    const ask = asked(engine, false);
    expect([await ask('/healthz'), await ask('/readyz')]).toEqual([404, 404]);
  });
});

it('the log of a request says who asked what of which world', async () => {
  const lines: object[] = [];
  const quiet = () => {};
  const logger = { debug: (details: object) => void lines.push(details), warn: quiet, error: quiet };
  const handler = createWorldsHandler(engine, { authenticate, logger });
  const ask = (path: string, token: string) =>
    handler(new Request(`http://x${path}`, { headers: { authorization: `Bearer ${token}` } }));
  await ask('/worlds/a', 'the-token-of-acme');
  await ask('/namespaces/beta/worlds/b', 'the-token-of-acme');
  await ask('/worlds/a', 'the-token-of-nobody');
  expect(lines).toMatchObject([
    {
      operation: 'getWorld',
      principal: 'ada',
      namespace: 'acme',
      world: 'a',
      status: 200,
      durationMs: expect.any(Number),
    },
    { principal: 'ada', namespace: 'beta', world: 'b', status: 403 },
    { status: 401 },
  ]);
  expect(lines[2]).not.toHaveProperty('principal');
});
