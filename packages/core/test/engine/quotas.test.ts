import { afterEach, describe, expect, it } from 'vitest';
import { dataFactory, MemoryStorage, WorldsEngine, type WorldsEngineOptions } from '../../src/index.ts';
import { recount } from './recount.ts';

const { namedNode, literal, quad, blankNode } = dataFactory;
const engines: WorldsEngine[] = [];

afterEach(async () => {
  for (const engine of engines.splice(0)) await engine.close();
});

async function open(options: WorldsEngineOptions): Promise<WorldsEngine> {
  const engine = await WorldsEngine.open({ textIndex: null, ...options });
  engines.push(engine);
  return engine;
}

const triple = (n: number) => quad(namedNode('urn:s'), namedNode('urn:p'), literal(String(n)));
const triples = (from: number, count: number) => Array.from({ length: count }, (_, i) => triple(from + i));
const nTriples = (from: number, count: number) =>
  Array.from({ length: count }, (_, i) => `<urn:s${from + i}> <urn:p> "${from + i}" .\n`).join('');

describe('a quota', () => {
  it('stops every way of adding quads, and changes nothing', async () => {
    const engine = await open({ quotas: { world: { quads: 3 } } });
    await engine.createWorld({ slug: 'w' });
    await engine.write({ source: 'w', insert: triples(0, 3) });
    const exceeded = { quota: 'quads', limit: 3, used: 3, added: 1, namespace: 'default', world: 'w' };
    const refused = { code: 'QUOTA_EXCEEDED', exceeded };
    await expect(engine.write({ source: 'w', insert: triples(3, 1) })).rejects.toMatchObject(refused);
    await expect(engine.import({ source: 'w', data: nTriples(3, 1) })).rejects.toMatchObject(refused);
    await expect(engine.importAll({ source: 'w', documents: [{ data: nTriples(3, 1) }] })).rejects.toMatchObject(
      refused,
    );
    for (const query of ['INSERT DATA { <urn:a> <urn:b> 1 }', 'INSERT { ?s <urn:b> ?s } WHERE { ?s ?p "1" }']) {
      await expect(engine.update({ sources: ['w'], query })).rejects.toMatchObject(refused);
    }
    await expect(engine.update({ sources: ['w'], query: 'COPY DEFAULT TO <urn:g>' })).rejects.toMatchObject({
      code: 'QUOTA_EXCEEDED',
    });
    expect(await recount(engine, 'w')).toMatchObject({ quads: 3 });
    // What is there already adds nothing.
    expect(await engine.import({ source: 'w', data: triples(0, 3) })).toMatchObject({ inserted: 0 });
    await engine.update({ sources: ['w'], query: 'DELETE { ?s ?p "1" } INSERT { ?s ?p "9" } WHERE { ?s ?p "1" }' });
    expect(await recount(engine, 'w')).toMatchObject({ quads: 3 });
  });

  it('of a namespace holds for its worlds together, and leaves other namespaces alone', async () => {
    const engine = await open({ quotas: { namespace: { quads: 5, worlds: 2 }, namespaces: { big: {} } } });
    for (const slug of ['a', 'b']) await engine.createWorld({ slug });
    await expect(engine.createWorld({ slug: 'c' })).rejects.toMatchObject({
      code: 'QUOTA_EXCEEDED',
      exceeded: { quota: 'worlds', limit: 2, used: 2, added: 1, namespace: 'default' },
      message: expect.stringContaining('worlds'),
    });
    await engine.write({ source: 'a', insert: triples(0, 3) });
    await expect(engine.write({ source: 'b', insert: triples(0, 3) })).rejects.toMatchObject({
      code: 'QUOTA_EXCEEDED',
    });
    await engine.write({ source: 'b', insert: triples(0, 2) });
    await engine.createWorld({ slug: 'w', namespace: 'other' });
    await engine.write({ source: 'other/w', insert: triples(0, 5) });
    // A table for a namespace replaces what it names and nothing else.
    for (const slug of ['a', 'b']) await engine.createWorld({ slug, namespace: 'big' });
    await expect(engine.createWorld({ slug: 'c', namespace: 'big' })).rejects.toMatchObject({ code: 'QUOTA_EXCEEDED' });
    // A deleted world counts no more.
    await engine.deleteWorld({ source: 'a' });
    await engine.createWorld({ slug: 'c' });
    await engine.write({ source: 'c', insert: triples(0, 3) });
    expect((await engine.stats({ namespace: 'default' })).quotas).toMatchObject({
      quads: { used: 5, limit: 5 },
      worlds: { used: 2, limit: 2 },
      diskBytes: { used: 0, limit: null },
    });
    expect(await engine.worldQuotas({ source: 'c' })).toMatchObject({ quads: { used: 3, limit: null } });
    expect(await engine.worldQuotas({ source: 'nobody' })).toBeNull();
  });

  it('refuses a namespace whose first world it does not allow, and leaves nothing of it', async () => {
    const engine = await open({
      quotas: { namespaces: { none: { namespace: { worlds: 0 } } } },
      storage: new MemoryStorage(),
    });
    await expect(engine.createWorld({ slug: 'w', namespace: 'none' })).rejects.toMatchObject({
      code: 'QUOTA_EXCEEDED',
    });
    expect(await engine.listNamespaces()).toEqual([]);
  });

  it('counts bytes of every kind of term, of graphs and of records', async () => {
    const engine = await open({ quotas: {} });
    await engine.createWorld({ slug: 'w', label: 'Grüße', description: 'words' });
    await engine.import({
      source: 'w',
      contentType: 'application/trig',
      data: `@prefix : <urn:ex:> . :s :p "é", "a"@en, "1"^^:t, 1, [ :q _:x ] . :g { :s :p _:x } `,
    });
    await engine.write({
      source: 'w',
      insert: [
        quad(namedNode('urn:s'), namedNode('urn:p'), quad(namedNode('urn:s'), namedNode('urn:p'), blankNode('b'))),
      ],
    });
    await engine.update({ sources: ['w'], query: 'CREATE GRAPH <urn:empty>' });
    const counted = await recount(engine, 'w');
    expect((await engine.worldQuotas({ source: 'w' }))?.bytes.used).toBe(counted.bytes);
    await engine.update({ sources: ['w'], query: 'DROP ALL' });
    await engine.updateWorld({ source: 'w', label: '', description: null });
    expect((await engine.worldQuotas({ source: 'w' }))?.bytes.used).toBe(0);
  });

  it('of bytes bounds records and empty graphs too', async () => {
    const engine = await open({ quotas: { world: { bytes: 100 } } });
    await engine.createWorld({ slug: 'w', description: 'x'.repeat(60) });
    const exceeded = { quota: 'bytes', limit: 100, used: 60 };
    await expect(engine.updateWorld({ source: 'w', label: 'y'.repeat(41) })).rejects.toMatchObject({ exceeded });
    await expect(engine.update({ sources: ['w'], query: 'CREATE GRAPH <urn:graph>' })).rejects.toMatchObject({
      exceeded,
    });
    await expect(engine.createWorld({ slug: 'v', label: 'x'.repeat(101) })).rejects.toMatchObject({
      code: 'QUOTA_EXCEEDED',
    });
    expect(await engine.listWorlds()).toHaveLength(1);
  });

  it('lets those above it delete and replace by less', async () => {
    let limit = 10;
    const policy = new Map<number, object>();
    const quotas = () => {
      if (!policy.has(limit)) policy.set(limit, { world: { quads: limit } });
      return policy.get(limit)!;
    };
    const engine = await open({ quotas });
    await engine.createWorld({ slug: 'w' });
    await engine.write({ source: 'w', insert: triples(0, 10) });
    limit = 4;
    await engine.write({ source: 'w', delete: triples(0, 2), insert: triples(100, 1) });
    await engine.import({ source: 'w', data: triples(200, 6), mode: 'replace' });
    await expect(engine.write({ source: 'w', insert: triples(0, 1) })).rejects.toMatchObject({
      code: 'QUOTA_EXCEEDED',
    });
    await engine.update({ sources: ['w'], query: 'CLEAR ALL' });
    await engine.write({ source: 'w', insert: triples(0, 4) });
  });

  it('holds for commits that are on their way together', async () => {
    const engine = await open({ quotas: { world: { quads: 10 } }, storage: new MemoryStorage() });
    await engine.createWorld({ slug: 'w' });
    const calls = Array.from({ length: 30 }, (_, i) => engine.write({ source: 'w', insert: triples(i, 1) }));
    const outcomes = await Promise.allSettled(calls);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
    expect(await engine.worldQuotas({ source: 'w' })).toMatchObject({ quads: { used: 10 } });
  });

  it('ends an import as soon as it is certain, whatever comes after', async () => {
    const engine = await open({ quotas: { namespace: { quads: 10_000 } } });
    await engine.createWorld({ slug: 'w' });
    let chunks = 0;
    const data = (async function* () {
      for (; chunks < 1_000; chunks++) yield Buffer.from(nTriples(1_000 * chunks, 1_000));
    })();
    await expect(engine.import({ source: 'w', data })).rejects.toMatchObject({ code: 'QUOTA_EXCEEDED' });
    expect(chunks).toBeLessThan(15);
    expect((await engine.stats()).quads).toBe(0);
  });

  it('ends an import of long texts by their bytes', async () => {
    const engine = await open({ quotas: { world: { bytes: 1 << 20 } } });
    await engine.createWorld({ slug: 'w' });
    let chunks = 0;
    const data = (async function* () {
      for (; chunks < 1_000; chunks++)
        yield Buffer.from(`<urn:s> <urn:p> "${chunks}${'x'.repeat(10_000)}" .\n`.repeat(10));
    })();
    await expect(engine.import({ source: 'w', data })).rejects.toMatchObject({ code: 'QUOTA_EXCEEDED' });
    expect(chunks).toBeLessThan(300);
  });

  it('allows an import of duplicates and of existing quads', async () => {
    const engine = await open({ quotas: { world: { quads: 1_000 } } });
    await engine.createWorld({ slug: 'w' });
    await engine.import({ source: 'w', data: nTriples(0, 900) });
    const chunks = (async function* () {
      for (let i = 0; i < 20; i++) yield Buffer.from(nTriples(0, 1_000));
    })();
    expect(await engine.import({ source: 'w', data: chunks })).toMatchObject({ quads: 20_000, inserted: 100 });
    const others = (async function* () {
      for (let i = 0; i < 5; i++) yield Buffer.from(nTriples(5_000, 1_000));
    })();
    expect(await engine.import({ source: 'w', data: others, mode: 'replace' })).toMatchObject({ deleted: 1_000 });
    await expect(engine.import({ source: 'w', data: nTriples(0, 1_001), mode: 'replace' })).rejects.toMatchObject({
      code: 'QUOTA_EXCEEDED',
    });
  });

  it('counts the same after a restart, a compaction and a restore, and holds for a restore', async () => {
    const storage = new MemoryStorage();
    const first = await WorldsEngine.open({ textIndex: null, storage, quotas: {} });
    await first.createWorld({ slug: 'w', label: 'a label' });
    await first.import({ source: 'w', data: nTriples(0, 17_000) });
    await first.checkpoint();
    await first.update({
      sources: ['w'],
      query: 'DELETE WHERE { <urn:s1> ?p ?o }; INSERT DATA { GRAPH <urn:g> { <urn:a> <urn:b> 1 } }',
    });
    const use = await first.worldQuotas({ source: 'w' });
    expect({ quads: use?.quads.used, bytes: use?.bytes.used }).toEqual(await recount(first, 'w'));
    await first.compact();
    expect(await first.worldQuotas({ source: 'w' })).toEqual(use);
    const backup: Uint8Array[] = [];
    for await (const chunk of first.backupStream()) backup.push(chunk);
    await first.close();
    const second = await open({ storage: new MemoryStorage(storage.contents), quotas: {} });
    expect(await second.worldQuotas({ source: 'w' })).toEqual(use);
    const restored = await WorldsEngine.restore(Buffer.concat(backup), { textIndex: null, quotas: {} });
    engines.push(restored);
    expect(await restored.worldQuotas({ source: 'w' })).toEqual(use);
    const small = { textIndex: null, quotas: { world: { quads: 16_999 } } };
    await expect(WorldsEngine.restore(Buffer.concat(backup), small)).rejects.toMatchObject({ code: 'QUOTA_EXCEEDED' });
  });

  it('of disk counts the bytes in the storage, and allows deletions and checkpoints', async () => {
    const storage = new MemoryStorage();
    const limit = 200_000;
    const engine = await open({
      storage,
      quotas: { namespace: { diskBytes: limit } },
      retainChangesMs: 0,
      retainChangesBytes: 0,
      compaction: 'manual',
    });
    await engine.createWorld({ slug: 'w' });
    let failure: unknown;
    let rows = 0;
    for (; rows < 20_000 && !failure; rows += 100) {
      await engine.import({ source: 'w', data: nTriples(rows, 100) }).catch((cause) => (failure = cause));
    }
    expect(failure).toMatchObject({ code: 'QUOTA_EXCEEDED', exceeded: { quota: 'diskBytes', limit } });
    const stored = async () => (await engine.stats({ namespace: 'default' })).quotas!.diskBytes.used;
    expect(await stored()).toBeLessThanOrEqual(limit);
    expect(await stored()).toBeGreaterThan(limit * 0.9);
    await engine.update({ sources: ['w'], query: 'CLEAR ALL' });
    await expect(engine.write({ source: 'w', insert: triples(0, 1_000) })).rejects.toMatchObject({
      code: 'QUOTA_EXCEEDED',
    });
    await engine.compact({ forgetChanges: true });
    expect(await stored()).toBeLessThan(limit / 10);
    await engine.write({ source: 'w', insert: triples(0, 1_000) });
  });

  it.each([
    [{ quads: 1 }, '"quads"'],
    [{ namespace: { quad: 1 } }, 'quotas.namespace: there is no field "quad"'],
    [{ world: { worlds: 1 } }, 'quotas.world: there is no field "worlds"'],
    [{ world: { quads: -1 } }, 'quotas.world.quads'],
    [{ namespaces: { a: { worlds: { w: { bytes: 1.5 } } } } }, 'quotas.namespaces.a.worlds.w.bytes'],
    [{ namespaces: [] }, 'quotas.namespaces'],
    [3, 'quotas'],
  ])('is refused as %j', async (quotas, message) => {
    await expect(WorldsEngine.open({ quotas: quotas as never })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      message: expect.stringContaining(message),
    });
  });

  it('of a function is checked when it is first given', async () => {
    const engine = await open({ quotas: () => ({ namespace: { quad: 1 } }) as never });
    await expect(engine.createWorld({ slug: 'w' })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  });
});
