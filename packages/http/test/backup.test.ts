import { backupToken, WorldsEngine } from '@rdf-worlds/core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type AuditEntry, createWorldsHandler, type Limits, staticTokens } from '../src/index.ts';

let engine: WorldsEngine;
const audited: AuditEntry[] = [];
beforeEach(async () => {
  audited.length = 0;
  engine = await WorldsEngine.open({ textIndex: null });
  for (const namespace of ['acme', 'bolt']) {
    await engine.createWorld({ slug: 'a', namespace });
    await engine.update({ sources: [`${namespace}/a`], query: `INSERT DATA { <urn:a> <urn:p> "of ${namespace}" }` });
  }
});
afterEach(() => engine.close());

const authenticate = staticTokens([
  { token: 'the-token-of-acme', namespace: 'acme' },
  { token: 'the-token-of-root', admin: true, id: 'root' },
]);

function started(limits: Partial<Limits> = {}) {
  const handler = createWorldsHandler(engine, { authenticate, limits, auditLog: (entry) => void audited.push(entry) });
  return (path: string, token = 'the-token-of-root', method = 'GET') =>
    handler(new Request(`http://x${path}`, { method, headers: { authorization: `Bearer ${token}` } }));
}

describe('GET /backup', () => {
  it('is restored as it was, with what came since', async () => {
    const ask = started();
    const full = Buffer.from(await (await ask('/backup')).arrayBuffer());
    const since = await backupToken(full);
    await engine.update({ sources: ['acme/a'], query: 'INSERT DATA { <urn:late> <urn:p> 1 }' });
    const answer = await ask(`/backup?since=${encodeURIComponent(since)}`);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'application/octet-stream',
      'cache-control': 'no-store',
    });
    const more = Buffer.from(await answer.arrayBuffer());
    await using restored = await WorldsEngine.restore([full, more], { textIndex: null });
    const query = 'SELECT ?s ?o { ?s ?p ?o } ORDER BY ?s';
    for (const [world, rows] of [
      ['acme/a', 2],
      ['bolt/a', 1],
    ] as const) {
      const { batches } = await restored.select({ query, sources: [world] });
      let found = 0;
      for await (const batch of batches) found += batch.length;
      expect(found).toBe(rows);
    }
    expect(audited).toMatchObject([
      { event: 'backup', status: 200, principal: 'root' },
      { event: 'backup', status: 200 },
    ]);
  });

  it('is for admins, at one address', async () => {
    const ask = started();
    const refused = await ask('/backup', 'the-token-of-acme');
    expect([refused.status, await refused.json()]).toEqual([
      403,
      { error: { message: 'You may not make a backup; only callers with admin may.' } },
    ]);
    expect((await ask('/backup', 'a-token-that-is-wrong')).status).toBe(401);
    expect((await ask('/namespaces/acme/backup')).status).toBe(404);
    expect((await ask('/backup', undefined, 'POST')).status).toBe(405);
    expect((await ask('/backup?since=yesterday')).status).toBe(400);
    expect((await ask('/backup?since=a&since=b')).status).toBe(400);
    expect(audited.map(({ event }) => event)).toEqual(['denied', 'unauthenticated', 'backup', 'backup']);
  });

  it('is made once at a time, and again when one was given up', async () => {
    const rows = Array.from({ length: 20_000 }, (_, n) => `<urn:s${n}> <urn:p> "${n} ${'x'.repeat(40)}" .`).join('\n');
    await engine.import({ source: 'acme/a', data: rows, contentType: 'application/n-quads' });
    const ask = started();
    const first = await ask('/backup');
    const second = await ask('/backup');
    expect([second.status, second.headers.get('retry-after')]).toEqual([503, '2']);
    await first.body!.cancel();
    const third = await ask('/backup');
    expect(third.status).toBe(200);
    await third.arrayBuffer();
    // A request of HEAD holds nothing.
    expect((await ask('/backup', undefined, 'HEAD')).status).toBe(200);
    expect((await ask('/backup', undefined, 'HEAD')).status).toBe(200);
  });

  it('has a deadline of its own', async () => {
    expect((await started({ timeoutMs: 0 })('/backup')).status).toBe(200);
  });
});
