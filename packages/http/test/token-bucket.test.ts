import { WorldsEngine } from '@rdf-worlds/core';
import { describe, expect, it } from 'vitest';
import { createWorldsHandler, type Principal, type RateLimit, staticTokens, tokenBucket } from '../src/index.ts';

const principal = (id: string): Principal => ({ id, grants: [] });
const from = (remoteAddress?: string) => ({ name: 'listWorlds', remoteAddress, header: () => null });

describe('tokenBucket', () => {
  it('allows a burst, then the given rate, by principal', () => {
    let now = 0;
    const limit = tokenBucket({ perSecond: 2, burst: 3, clock: () => now });
    const take = (id: string) => limit(principal(id), from());
    expect([take('a'), take('a'), take('a'), take('a')]).toEqual([undefined, undefined, undefined, 500]);
    expect(take('b')).toBe(undefined);
    now = 400;
    expect(take('a')).toBeCloseTo(100);
    now = 500;
    expect([take('a'), take('a')]).toEqual([undefined, 500]);
    // Rest gives no more than the burst.
    now = 1e9;
    expect([take('a'), take('a'), take('a'), take('a')]).toEqual([undefined, undefined, undefined, 500]);
  });

  it('counts failed logins by address, apart from principals of that name', () => {
    const limit = tokenBucket({ perSecond: 1, burst: 1, clock: () => 0 });
    expect(limit(null, from('10.0.0.1'))).toBe(undefined);
    expect(limit(null, from('10.0.0.1'))).toBe(1_000);
    expect(limit(null, from('10.0.0.2'))).toBe(undefined);
    expect(limit(principal('10.0.0.1'), from('10.0.0.1'))).toBe(undefined);
  });

  it('limits the number of keys: the one that has been idle longest is evicted', () => {
    const limit = tokenBucket({ perSecond: 1, burst: 1, maxKeys: 2, clock: () => 0 });
    const take = (id: string) => limit(principal(id), from());
    expect([take('a'), take('b'), take('a')]).toEqual([undefined, undefined, 1_000]);
    expect(take('c')).toBe(undefined);
    expect([take('a'), take('b')]).toEqual([1_000, undefined]);
  });

  it.each([{ perSecond: 0 }, { perSecond: 1, burst: 0.5 }, { perSecond: 1, maxKeys: 0 }, { perSecond: 1, bust: 2 }])(
    'refuses %j',
    (options) => {
      expect(() => tokenBucket(options)).toThrow(expect.objectContaining({ code: 'INVALID_ARGUMENT' }));
    },
  );
});

describe('rateLimit of a handler', () => {
  const TOKEN = 'a-long-random-token';
  const open = async (rateLimit: RateLimit) => {
    const engine = await WorldsEngine.open();
    const authenticate = staticTokens([{ token: TOKEN, namespace: 'acme' }]);
    const handler = createWorldsHandler(engine, { authenticate, rateLimit });
    const ask = (token?: string) =>
      handler(
        new Request('http://localhost/worlds', token ? { headers: { authorization: `Bearer ${token}` } } : undefined),
      );
    return { engine, ask };
  };

  it('answers 429 with Retry-After in whole seconds', async () => {
    const { engine, ask } = await open(tokenBucket({ perSecond: 0.4, burst: 1, clock: () => 0 }));
    expect((await ask(TOKEN)).status).toBe(200);
    const refused = await ask(TOKEN);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '3']);
    await engine.close();
  });

  it('is asked for failed logins too, and may be asynchronous', async () => {
    const asked: unknown[] = [];
    const { engine, ask } = await open(async (who, { name }) => {
      asked.push([who?.defaultNamespace, name]);
      return who || asked.length < 3 ? undefined : 1;
    });
    expect((await ask(TOKEN)).status).toBe(200);
    expect((await ask('another-long-random-token')).status).toBe(401);
    const refused = await ask();
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
    expect(asked).toEqual([
      ['acme', 'listWorlds'],
      [undefined, 'listWorlds'],
      [undefined, 'listWorlds'],
    ]);
    await engine.close();
  });
});
