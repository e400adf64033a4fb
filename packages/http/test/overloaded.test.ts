import { MemoryPool, WorldsEngine } from '@rdf-worlds/core';
import { expect, it } from 'vitest';
import { createWorldsHandler } from '../src/index.ts';

const numbers = Array.from({ length: 60 }, (_, i) => i).join(' ');
/** Sorted, it keeps some 6 MiB of terms and values. */
const HEAVY = `SELECT ?t { VALUES ?n { ${numbers} } VALUES ?m { ${numbers} } VALUES ?o { 1 2 3 } BIND(CONCAT("${'x'.repeat(100)}", STR(?n), "-", STR(?m), "-", STR(?o)) AS ?t) }`;

it('answers 503 with Retry-After while other requests have the memory, and answers light ones', async () => {
  await using engine = await WorldsEngine.open({ textIndex: null, memoryPool: new MemoryPool(8 << 20) });
  await engine.createWorld({ slug: 'w', namespace: 'acme' });
  const handler = createWorldsHandler(engine, {
    authenticate: () => ({ id: 'x', defaultNamespace: 'acme', grants: [{ namespace: 'acme', read: true }] }),
  });
  const ask = (query: string) => {
    const headers = { authorization: 'Bearer x', 'content-type': 'application/sparql-query', accept: 'text/csv' };
    return handler(new Request('http://x/worlds/w/sparql', { method: 'POST', headers, body: query }));
  };
  const held = (await engine.select({ query: `${HEAVY} ORDER BY ?t`, maxMemoryBytes: 8 << 20 })).batches[
    Symbol.asyncIterator
  ]();
  await held.next();

  const refused = await ask(`${HEAVY} ORDER BY ?t`);
  expect(refused.status).toBe(503);
  expect(refused.headers.get('retry-after')).toMatch(/^[1-9][0-9]*$/);
  expect(await refused.text()).toContain('repeat it later');
  expect((await ask('SELECT (1 AS ?n) {}')).status).toBe(200);

  await held.return?.();
  const answered = await ask(`${HEAVY} ORDER BY ?t`);
  expect(answered.status).toBe(200);
  await answered.text();
});
