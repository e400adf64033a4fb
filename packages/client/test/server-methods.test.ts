import { WorldsEngine } from '@rdf-worlds/core';
import { afterEach, expect, it } from 'vitest';
import { WorldsClient } from '../src/index.ts';
import { type RunningServer, startServer, TOKENS } from './running-server.ts';

let server: RunningServer;
afterEach(() => server.close());

const clientOf = (token = server.token) => new WorldsClient({ url: server.url, token });

it('tells the size of a namespace and the use of quotas', async () => {
  server = await startServer({}, { quotas: { namespace: { worlds: 5 }, world: { quads: 10 } } });
  const worlds = clientOf();
  await worlds.createWorld({ slug: 'a' });
  await worlds.import({ source: 'a', data: '<urn:s> <urn:p> 1, 2 .', contentType: 'text/turtle' });
  expect(await worlds.stats()).toMatchObject({
    namespace: 'admin',
    worlds: 1,
    quads: 2,
    quotas: { worlds: { used: 1, limit: 5 } },
  });
  expect(await worlds.stats({ namespace: 'empty' })).toMatchObject({ namespace: 'empty', worlds: 0, quads: 0 });
  const engineSays = await server.engine.worldQuotas({ source: 'admin/a' });
  expect(engineSays).not.toBeNull();
  expect(await worlds.worldQuotas({ source: 'a' })).toEqual(engineSays);
  expect(await worlds.worldQuotas({ source: 'nowhere' })).toBeNull();
  await expect(clientOf(TOKENS.guest).stats({ namespace: 'shared' })).rejects.toMatchObject({
    code: 'PERMISSION_DENIED',
  });
  await expect(worlds.stats({ typo: 1 } as never)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
});

it('streams a backup, which an engine restores', async () => {
  server = await startServer();
  const worlds = clientOf();
  await worlds.createWorld({ slug: 'a' });
  await worlds.import({ source: 'a', data: '<urn:s> <urn:p> <urn:o> .' });
  await using restored = await WorldsEngine.restore(worlds.backupStream());
  expect(Buffer.from(await restored.export({ source: 'admin/a' })).toString()).toContain('<urn:o>');
  const read = async (token?: string) => {
    for await (const _ of clientOf(token).backupStream({ since: 'yesterday' }));
  };
  await expect(read()).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  await expect(read(TOKENS.guest)).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
});
