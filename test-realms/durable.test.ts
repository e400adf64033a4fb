import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WorldsEngine } from '@rdf-worlds/core';
import { createWorldsHandler } from '@rdf-worlds/http';
import { fileStorage } from '@rdf-worlds/storage-file';
import { expect, it } from 'vitest';

// Runs where the globals are not those of Node's own modules, as in Jest: what comes from files,
// streams and sockets is no instance of them.

it('this is another realm', async () => {
  const { readFile } = await import('node:fs/promises');
  const error = await readFile(join(tmpdir(), 'rdf-worlds-none')).catch((reason: unknown) => reason);
  expect(error instanceof Error).toBe(false);
});

it('durable worlds are written, read again, backed up, searched and served', async () => {
  const path = mkdtempSync(join(tmpdir(), 'rdf-worlds-realm-'));
  try {
    const data = join(path, 'not', 'there', 'yet');
    const engine = await WorldsEngine.open({ storage: fileStorage({ path: data }) });
    await engine.createWorld({ slug: 'w' });
    await engine.import({ source: 'w', data: Buffer.from('<urn:a> <urn:b> "hello there" .') });
    await engine.import({
      source: 'w',
      data: new Blob(['<urn:a> <urn:b> "again" .']),
      signal: new AbortController().signal,
    });
    await expect(engine.import({ source: 'w', data: new URL(`file://${path}/none.nt`) })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      message: expect.stringContaining('ENOENT'),
    });
    await engine.checkpoint();
    const chunks: Uint8Array[] = [];
    for await (const chunk of engine.backupStream()) chunks.push(chunk);
    const backup = Buffer.concat(chunks);
    await engine.close();

    const again = await WorldsEngine.open({ storage: fileStorage({ path: data }) });
    expect(await again.ask({ sources: ['w'], query: 'ASK { ?s ?p "hello there", "again" }' })).toBe(true);
    expect(await again.search({ query: 'hello' })).toHaveLength(1);
    const handler = createWorldsHandler(again, { authenticate: () => ({ id: 'x', grants: [], admin: true }) });
    const request = { method: 'POST', headers: { authorization: 'Bearer x' } };
    const reply = await handler(new Request('http://localhost/namespaces/default/worlds/w/export', request));
    expect([reply.status, await reply.text()]).toEqual([200, expect.stringContaining('hello there')]);
    const missing = await handler(
      new Request('http://localhost/namespaces/default/worlds/none', { headers: request.headers }),
    );
    expect(missing.status).toBe(404);
    await again.close();

    const restored = await WorldsEngine.restore(backup);
    expect((await restored.stats()).quads).toBe(2);
    await restored.close();
    const broken = WorldsEngine.open({ storage: fileStorage({ path: '/dev/null/x' }) });
    await expect(broken).rejects.toMatchObject({ name: 'WorldsError', message: expect.stringContaining('/dev/null') });
  } finally {
    rmSync(path, { recursive: true });
  }
});
