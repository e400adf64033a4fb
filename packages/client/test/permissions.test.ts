import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WorldsClient } from '../src/index.ts';
import { type RunningServer, startServer, TOKENS } from './running-server.ts';

let server: RunningServer;
let guest: WorldsClient;
let writer: WorldsClient;

beforeAll(async () => {
  server = await startServer();
  await server.engine.createWorld({ slug: 'open', namespace: 'shared' });
  await server.engine.createWorld({ slug: 'closed', namespace: 'shared' });
  guest = new WorldsClient({ url: server.url, token: TOKENS.guest });
  writer = new WorldsClient({ url: server.url, token: TOKENS.writer });
});
afterAll(() => server.close());

const LINE = '<urn:s> <urn:p> "x" .\n';

describe('a caller with a grant on one world', () => {
  it('uses that world, alone or named among sources', async () => {
    await guest.import({ source: 'shared/open', data: LINE });
    expect(await guest.ask({ sources: ['shared/open'], query: 'ASK { ?s ?p "x" }' })).toBe(true);
    expect(await guest.search({ sources: ['shared/open'], query: 'x' })).toHaveLength(1);
    await guest.update({ sources: ['shared/open'], query: 'DELETE WHERE { ?s ?p "x" }' });
  });

  it('is told no revision, which counts the changes of other worlds, and can set no condition on one', async () => {
    const world = (await guest.getWorld({ source: 'shared/open' }))!;
    expect(world.revision).toBeNaN();
    const written = await guest.import({ source: 'shared/open', data: LINE });
    expect([written.inserted, written.revision]).toEqual([1, Number.NaN]);
    const [hit] = await guest.search({ sources: ['shared/open'], query: 'x' });
    expect(hit.world.revision).toBeNaN();
    const conditional = (ifRevision: number) => guest.import({ source: 'shared/open', data: LINE, ifRevision });
    await expect(conditional(Number.NaN)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    await expect(conditional(1)).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
  });

  it('is refused what it may not do', async () => {
    const denied = { code: 'PERMISSION_DENIED' };
    await expect(guest.getWorld({ source: 'shared/closed' })).rejects.toMatchObject(denied);
    await expect(guest.getWorld({ source: 'shared/nowhere' })).rejects.toMatchObject(denied);
    await expect(guest.export({ source: 'shared/closed' })).rejects.toMatchObject(denied);
    await expect(guest.createWorld({ slug: 'more', namespace: 'shared' })).rejects.toMatchObject(denied);
    await expect(guest.explain({ sources: ['shared/open'], query: 'ASK {}' })).rejects.toMatchObject(denied);
    const sources = ['shared/open', 'shared/closed'];
    await expect(guest.select({ sources, query: 'SELECT * {}' })).rejects.toMatchObject(denied);
  });
});

describe('a caller that may only write', () => {
  it('is not told what a write found', async () => {
    const { quads, inserted, deleted, createdGraphs, revision } = await writer.import({ source: 'open', data: LINE });
    expect([quads, inserted, deleted, createdGraphs, revision]).toEqual([1, NaN, NaN, NaN, NaN]);
    const data = { sources: ['open'], query: 'INSERT DATA { <urn:a> <urn:b> 1 }' };
    expect(await writer.update(data)).toEqual({ inserted: NaN, deleted: NaN, revision: NaN });
    const reading = { sources: ['open'], query: 'DELETE WHERE { ?s ?p 2 }' };
    await expect(writer.update(reading)).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
    await expect(writer.ask({ sources: ['open'], query: 'ASK {}' })).rejects.toMatchObject({
      code: 'PERMISSION_DENIED',
    });
    // Replacing says nothing either.
    const replaced = await writer.import({ source: 'open', data: LINE, mode: 'replace' });
    expect([replaced.inserted, replaced.deleted]).toEqual([NaN, NaN]);
  });
});

it('an unknown caller is UNAUTHENTICATED', async () => {
  for (const token of [undefined, 'wrong']) {
    const stranger = new WorldsClient({ url: server.url, token });
    await expect(stranger.listWorlds()).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  }
});

it('the details of an exceeded quota arrive', async () => {
  const limited = await startServer({}, { quotas: () => ({ namespace: { worlds: 1 }, world: { quads: 2 } }) });
  try {
    const admin = new WorldsClient({ url: limited.url, token: limited.token });
    await admin.createWorld({ slug: 'a' });
    const lines = Array.from({ length: 5 }, (_, i) => `<urn:${i}> <urn:p> "1" .\n`).join('');
    const local = await limited.engine.import({ source: 'admin/a', data: lines }).catch((error) => error);
    const remote = await admin.import({ source: 'a', data: lines }).catch((error) => error);
    expect(local.code).toBe('QUOTA_EXCEEDED');
    expect(remote).toMatchObject({ code: local.code, message: local.message, exceeded: local.exceeded });
    await expect(admin.createWorld({ slug: 'b' })).rejects.toMatchObject({ exceeded: { quota: 'worlds', limit: 1 } });
  } finally {
    await limited.close();
  }
});

it('a request that is larger than the server takes is LIMIT_EXCEEDED', async () => {
  const small = await startServer({ limits: { maxImportBytes: 1000 } });
  try {
    const admin = new WorldsClient({ url: small.url, token: small.token });
    await admin.createWorld({ slug: 'a' });
    const tooLarge = { code: 'LIMIT_EXCEEDED', message: expect.stringContaining('1000 bytes') };
    await expect(admin.import({ source: 'a', data: LINE.repeat(100) })).rejects.toMatchObject(tooLarge);
    // The server answers while the client still sends.
    const stream = (async function* () {
      for (let i = 0; i < 200; i++) yield LINE.repeat(5000);
    })();
    await expect(admin.import({ source: 'a', data: stream })).rejects.toMatchObject(tooLarge);
  } finally {
    await small.close();
  }
});
