import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as nextRound } from 'node:timers/promises';
import { WorldsEngine } from '@rdf-worlds/core';
import { expect, it, vi } from 'vitest';
import { createWorldsHandler } from '../src/index.ts';
import { nodeListener } from '../src/node.ts';

const TIMEOUT_MS = 50;

it('answers 503 if the deadline passes between the first chunk and the beginning of the answer', async () => {
  await using engine = await WorldsEngine.open({ textIndex: null });
  await engine.createWorld({ slug: 'w', namespace: 'acme' });
  let isClosed = false;
  vi.spyOn(engine, 'exportStream').mockImplementation(async function* ({ signal }) {
    try {
      // After the timers of this round, so that those of the next one come before its answer.
      await nextRound();
      yield Buffer.from('first');
      const end = performance.now() + 2 * TIMEOUT_MS;
      while (performance.now() < end);
      await new Promise((_, reject) => signal!.addEventListener('abort', () => reject(signal!.reason)));
    } finally {
      isClosed = true;
    }
  });
  const handler = createWorldsHandler(engine, {
    authenticate: () => ({ id: 'x', defaultNamespace: 'acme', grants: [{ namespace: 'acme', read: true }] }),
    limits: { timeoutMs: TIMEOUT_MS },
  });
  const server = createServer(nodeListener(handler)).listen(0, '127.0.0.1');
  const { port } = await new Promise<AddressInfo>((resolve) =>
    server.once('listening', () => resolve(server.address() as AddressInfo)),
  );
  const response = await fetch(`http://127.0.0.1:${port}/worlds/w/export`, {
    method: 'POST',
    headers: { authorization: 'Bearer x', 'content-type': 'application/json' },
    body: JSON.stringify({ contentType: 'application/n-quads' }),
  });
  expect(response.status).toBe(503);
  expect(await response.text()).toContain('time limit');
  expect(isClosed).toBe(true);
  server.closeAllConnections();
  server.close();
});
