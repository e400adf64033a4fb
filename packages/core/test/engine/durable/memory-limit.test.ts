import { SeededRandom } from '@rdf-worlds/testkit';
import { describe, expect, it } from 'vitest';
import type { Embedder } from '../../../src/embedders.ts';
import type { Namespace } from '../../../src/engine/namespace.ts';
import { dataFactory, type MemoryContents, MemoryStorage, WorldsEngine } from '../../../src/index.ts';
import { linesOf } from '../world-state.ts';

const { quad, namedNode, literal } = dataFactory;
const one = (n: number) => quad(namedNode(`urn:s${n}`), namedNode('urn:p'), literal(String(n)));

/** Counts how often a namespace is read. */
class Counting extends MemoryStorage {
  readonly reads: string[] = [];
  override namespace(name: string) {
    const real = super.namespace(name);
    const checkpoint = real.checkpoint.bind(real);
    real.checkpoint = () => {
      this.reads.push(name);
      return checkpoint();
    };
    return real;
  }
}

const NAMESPACES = Array.from({ length: 12 }, (_, i) => `n${i}`);

async function filled(): Promise<MemoryContents> {
  const storage = new MemoryStorage();
  await using engine = await WorldsEngine.open({ storage, textIndex: null });
  for (const namespace of NAMESPACES) {
    await engine.createWorld({ namespace, slug: 'w' });
    await engine.import({ source: `${namespace}/w`, data: Array.from({ length: 1000 }, (_, n) => one(n)) });
  }
  return storage.contents;
}

/** Returns a memory limit that fits `count` namespaces of `filled` and leaves a quarter free. */
async function roomFor(contents: MemoryContents, count: number): Promise<number> {
  await using engine = await WorldsEngine.open({ storage: new MemoryStorage(contents), textIndex: null });
  return ((count * 4) / 3) * (await engine.stats({ namespace: 'n0' })).memoryBytes;
}

/** Until everything has left that is to leave. */
async function rest(engine: WorldsEngine): Promise<void> {
  for (let i = 0; i < 3; i++) {
    await engine.settle();
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
  }
}

describe('above maxMemoryBytes', () => {
  it('the least recently used are evicted, and reloaded when a request names them', async () => {
    const contents = await filled();
    const storage = new Counting(contents);
    const maxMemoryBytes = await roomFor(contents, 4.5);
    await using engine = await WorldsEngine.open({ storage, textIndex: null, maxMemoryBytes });
    const name = async (namespace: string) => {
      expect(await linesOf(engine, `${namespace}/w`)).toHaveLength(1000);
      await rest(engine);
    };
    storage.reads.length = 0;
    for (const namespace of ['n0', 'n1', 'n2', 'n0', 'n3', 'n0', 'n4']) await name(namespace);
    expect(storage.reads).toEqual(['n0', 'n1', 'n2', 'n3', 'n4']);
    storage.reads.length = 0;
    // n1 has left.
    for (const namespace of ['n0', 'n3', 'n4', 'n1']) await name(namespace);
    expect(storage.reads).toEqual(['n1']);
  });

  it('eviction is transparent to random writers and readers of many namespaces', async () => {
    const contents = await filled();
    const storage = new Counting(contents);
    const maxMemoryBytes = await roomFor(contents, 3);
    await using engine = await WorldsEngine.open({ storage, textIndex: null, maxMemoryBytes });
    const expected = new Map(NAMESPACES.map((namespace) => [namespace, 1000]));
    const worker = async (seed: number) => {
      const random = new SeededRandom(seed);
      for (let i = 0; i < 60; i++) {
        const namespace = random.pick(NAMESPACES);
        const source = `${namespace}/w`;
        const n = 10_000 + seed * 1000 + i;
        const kind = random.below(4);
        if (kind < 3) expected.set(namespace, expected.get(namespace)! + 1);
        if (kind === 0) expect(await engine.write({ source, insert: [one(n)] })).toMatchObject({ inserted: 1 });
        else if (kind === 1) expect(await engine.import({ source, data: [one(n)] })).toMatchObject({ inserted: 1 });
        else if (kind === 2)
          await engine.update({ sources: [source], query: `INSERT DATA { <urn:s${n}> <urn:p> "${n}" }` });
        else expect((await linesOf(engine, source)).length).toBeGreaterThanOrEqual(1000);
        await new Promise((resolve) => setImmediate(resolve));
      }
    };
    await Promise.all([1, 2, 3, 4, 5].map(worker));
    for (const [namespace, count] of expected) expect(await linesOf(engine, `${namespace}/w`)).toHaveLength(count);
    // They did leave, and came back.
    expect(storage.reads.length).toBeGreaterThan(1.5 * NAMESPACES.length);
  });

  it('one that is larger alone is LIMIT_EXCEEDED, and the others go on', async () => {
    const contents = await filled();
    const storage = new MemoryStorage(contents);
    await using large = await WorldsEngine.open({ storage, textIndex: null });
    await large.createWorld({ namespace: 'large', slug: 'w' });
    await large.import({ source: 'large/w', data: Array.from({ length: 20_000 }, (_, n) => one(n)) });
    await large.checkpoint();
    const maxMemoryBytes = await roomFor(contents, 3);
    await using engine = await WorldsEngine.open({
      storage: new MemoryStorage(contents),
      textIndex: null,
      maxMemoryBytes,
    });
    await expect(engine.getWorld({ source: 'large/w' })).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' });
    expect(await engine.getWorld({ source: 'n1/w' })).toMatchObject({ slug: 'w' });
  });

  it('idle ones are evicted when another one grows by commits, even if none is opened', async () => {
    const contents = await filled();
    const storage = new Counting(contents);
    const maxMemoryBytes = await roomFor(contents, 4.2);
    await using engine = await WorldsEngine.open({ storage, textIndex: null, maxMemoryBytes });
    for (const namespace of ['n0', 'n1', 'n2', 'n3']) await engine.getWorld({ source: `${namespace}/w` });
    await engine.import({ source: 'n3/w', data: Array.from({ length: 1000 }, (_, n) => one(50_000 + n)) });
    await rest(engine);
    storage.reads.length = 0;
    for (const namespace of ['n3', 'n2', 'n0']) await engine.getWorld({ source: `${namespace}/w` });
    expect(storage.reads).toEqual(['n0']);
  });

  it('indexes for search count', async () => {
    const contents = await filled();
    const storage = new Counting(contents);
    const maxMemoryBytes = await roomFor(contents, 4.2);
    await using engine = await WorldsEngine.open({ storage, maxMemoryBytes });
    for (const namespace of ['n0', 'n1', 'n2', 'n3']) await engine.getWorld({ source: `${namespace}/w` });
    const before = await engine.stats({ namespace: 'n3' });
    expect(await engine.search({ namespace: 'n3', query: '77' })).toHaveLength(1);
    const after = await engine.stats({ namespace: 'n3' });
    expect(after.bytes).toBe(before.bytes);
    expect(after.memoryBytes - before.memoryBytes).toBeGreaterThan(20_000);
    await rest(engine);
    storage.reads.length = 0;
    for (const namespace of ['n3', 'n2', 'n0']) await engine.getWorld({ source: `${namespace}/w` });
    expect(storage.reads).toEqual(['n0']);
  });

  it('one that somebody reads stays until he has read it, or gave it up', async () => {
    const contents = await filled();
    const storage = new Counting(contents);
    const maxMemoryBytes = await roomFor(contents, 2.5);
    await using engine = await WorldsEngine.open({ storage, textIndex: null, maxMemoryBytes });
    const source = 'n0/w';
    const crowd = async () => {
      for (const namespace of ['n1', 'n2', 'n3', 'n4']) await engine.getWorld({ source: `${namespace}/w` });
      await rest(engine);
    };
    const isThere = async () => {
      storage.reads.length = 0;
      await engine.getWorld({ source });
      return storage.reads.length === 0;
    };
    const readers = [
      async () =>
        (await engine.select({ sources: [source], query: 'SELECT * { ?s ?p ?o }' })).batches[Symbol.asyncIterator](),
      async () => engine.quads({ source })[Symbol.asyncIterator](),
      async () => engine.exportStream({ source })[Symbol.asyncIterator](),
      async () => engine.changes({ namespace: 'n0', after: 0 })[Symbol.asyncIterator](),
    ];
    for (const open of readers) {
      const reading = await open();
      expect((await reading.next()).done).toBe(false);
      await crowd();
      expect(await isThere()).toBe(true);
      await reading.return?.(undefined);
      await crowd();
      expect(await isThere()).toBe(false);
    }
  });

  it('one whose texts are being embedded stays', async () => {
    const contents = await filled();
    const storage = new Counting(contents);
    const maxMemoryBytes = await roomFor(contents, 3.5);
    let goOn = (): void => undefined;
    const gate = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    let asked = 0;
    const embedder: Embedder = {
      id: 'slow',
      dimensions: 2,
      batchSize: 1000,
      embed: async (texts) => {
        asked++;
        await gate;
        return texts.map(() => Float32Array.of(1, 2));
      },
    };
    await using engine = await WorldsEngine.open({ storage, embedder, maxMemoryBytes });
    await engine.search({ namespace: 'n0', query: '77' });
    while (asked === 0) await new Promise((resolve) => setImmediate(resolve));
    for (const namespace of ['n1', 'n2', 'n3', 'n4']) await engine.getWorld({ source: `${namespace}/w` });
    await rest(engine);
    storage.reads.length = 0;
    await engine.getWorld({ source: 'n0/w' });
    expect(storage.reads).toEqual([]);
    goOn();
    await engine.flush({ namespace: 'n0' });
    for (const namespace of ['n1', 'n2', 'n3', 'n4']) await engine.getWorld({ source: `${namespace}/w` });
    await rest(engine);
    storage.reads.length = 0;
    await engine.getWorld({ source: 'n0/w' });
    expect(storage.reads).toContain('n0');
  });

  it('a write or search without room is LIMIT_EXCEEDED and changes nothing; deleting makes room', async () => {
    const contents = await filled();
    const storage = new MemoryStorage(contents);
    const maxMemoryBytes = await roomFor(contents, 1.2);
    await using engine = await WorldsEngine.open({ storage, maxMemoryBytes });
    const source = 'n0/w';
    const data = Array.from({ length: 3000 }, (_, n) => one(70_000 + n));
    await expect(engine.import({ source, data })).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' });
    expect(await linesOf(engine, source)).toHaveLength(1000);
    await expect(engine.search({ namespace: 'n1', query: '77' })).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' });
    expect(await linesOf(engine, 'n1/w')).toHaveLength(1000);
    await engine.update({ sources: [source], query: 'DELETE WHERE { ?s ?p ?o }' });
    expect(await linesOf(engine, source)).toHaveLength(0);
  });
});

/**
 * The namespaces of an engine that are in memory; there is no other way to see how many there are
 * at a time.
 */
function inMemory(engine: WorldsEngine): Map<string, Namespace> {
  const { catalog } = engine as unknown as { catalog: { namespaces: Map<string, Namespace> } };
  return catalog.namespaces;
}

describe('stats under maxMemoryBytes', () => {
  for (const isCheckpointed of [true, false]) {
    it(`keeps the limit, and reads no namespace twice, from ${isCheckpointed ? 'checkpoints' : 'logs'}`, async () => {
      const contents = await filled();
      if (isCheckpointed) {
        await using engine = await WorldsEngine.open({ storage: new MemoryStorage(contents), textIndex: null });
        await engine.checkpoint();
      }
      await using unlimited = await WorldsEngine.open({ storage: new MemoryStorage(contents), textIndex: null });
      const expected = await unlimited.stats();
      expect([expected.namespaces, expected.worlds, expected.quads]).toEqual([12, 12, 12_000]);
      const storage = new Counting(contents);
      const maxMemoryBytes = await roomFor(contents, 3.5);
      await using engine = await WorldsEngine.open({ storage, textIndex: null, maxMemoryBytes });
      let peak = 0;
      const look = () => {
        let bytes = 0;
        for (const namespace of inMemory(engine).values()) bytes += namespace.byteLength;
        peak = Math.max(peak, bytes);
      };
      // Looked at with every namespace that comes, when there are the most.
      const namespaces = inMemory(engine);
      const { set } = namespaces;
      namespaces.set = function (...given) {
        const result = set.apply(this, given);
        look();
        return result;
      };
      storage.reads.length = 0;
      const stats = await engine.stats();
      expect(stats).toEqual({ ...expected, memoryBytes: stats.memoryBytes });
      expect(peak).toBeGreaterThan(0);
      expect(peak).toBeLessThanOrEqual(maxMemoryBytes);
      expect(stats.memoryBytes).toBeLessThanOrEqual(maxMemoryBytes);
      expect(storage.reads.length).toBe(12);
      await rest(engine);
      // Those that have left are known; the few that are there are counted where they are.
      storage.reads.length = 0;
      expect(await engine.stats()).toMatchObject({ quads: 12_000, worlds: 12, terms: expected.terms });
      expect(storage.reads).toEqual([]);
      await engine.write({ source: 'n0/w', insert: [one(5000)] });
      await rest(engine);
      expect((await engine.stats()).quads).toBe(12_001);
      await engine.deleteNamespace({ namespace: 'n1' });
      expect(await engine.stats()).toMatchObject({ quads: 11_001, namespaces: 11 });
      expect((await engine.stats({ namespace: 'n2' })).quads).toBe(1000);
    });
  }

  it('sees the commits of another engine', async () => {
    const place = {};
    class Shared extends Counting {
      readonly place = place;
    }
    const contents = await filled();
    const maxMemoryBytes = await roomFor(contents, 3.5);
    await using engine = await WorldsEngine.open({ storage: new Shared(contents), textIndex: null, maxMemoryBytes });
    await using other = await WorldsEngine.open({ storage: new Shared(contents), textIndex: null });
    expect((await engine.stats()).quads).toBe(12_000);
    await rest(engine);
    for (const namespace of NAMESPACES) await other.write({ source: `${namespace}/w`, insert: [one(5000)] });
    expect((await engine.stats()).quads).toBe(12_012);
    await rest(engine);
    await other.deleteNamespace({ namespace: 'n0' });
    expect(await engine.stats()).toMatchObject({ quads: 11_011, namespaces: 11 });
  });
});

describe('revisions', () => {
  it('never denote two worlds, even after the namespace was deleted and the engine reopened', async () => {
    const storage = new MemoryStorage();
    const engine = await WorldsEngine.open({ storage, textIndex: null });
    let last = 0;
    for (let round = 0; round < 250; round++) {
      const { revision } = await engine.createWorld({ slug: 'w' });
      expect(revision).toBeGreaterThan(last);
      last = (await engine.write({ source: 'w', insert: [one(round)] })).revision;
      await engine.deleteWorld({ source: 'w' });
    }
    const reopened = await WorldsEngine.open({ storage: new MemoryStorage(storage.contents), textIndex: null });
    expect(await reopened.listNamespaces()).toEqual([]);
    expect((await reopened.createWorld({ slug: 'w' })).revision).toBeGreaterThan(last);
    // What is remembered for that stays small.
    expect((await storage.namespace('_').stats()).logRecords).toBeLessThan(200);
  });
});
