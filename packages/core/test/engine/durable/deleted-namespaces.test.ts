import { describe, expect, it } from 'vitest';
import { MemoryContents, MemoryStorage, WorldsEngine } from '../../../src/index.ts';
import { FaultyStorage } from './faulty-storage.ts';

/**
 * The entries of all maps, sets and arrays that an engine reaches, but for what its storage keeps.
 */
function entriesOf(engine: WorldsEngine): number {
  const seen = new Set<unknown>();
  const waiting: unknown[] = [(engine as unknown as { catalog: unknown }).catalog];
  let entries = 0;
  const visit = (value: unknown) => {
    if (typeof value !== 'object' || value === null || seen.has(value)) return;
    if (value instanceof MemoryStorage || value instanceof MemoryContents || ArrayBuffer.isView(value)) return;
    seen.add(value);
    waiting.push(value);
  };
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    if (value instanceof Map || value instanceof Set || Array.isArray(value)) {
      entries += value instanceof Map || value instanceof Set ? value.size : value.length;
      for (const item of value) {
        if (value instanceof Map) for (const part of item as unknown[]) visit(part);
        else visit(item);
      }
    }
    for (const property of Object.values(value as object)) visit(property);
  }
  return entries;
}

const settled = async () => {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
};

/** The entries after few cycles, and after many more. */
async function entriesBeforeAndAfter(engine: WorldsEngine, cycle: (name: string) => Promise<unknown>) {
  for (let n = 0; n < 10; n++) await cycle(`few${n}`);
  await settled();
  const before = entriesOf(engine);
  for (let n = 0; n < 1000; n++) await cycle(`many${n}`);
  await settled();
  return [before, entriesOf(engine)];
}

describe('a deleted namespace leaves nothing behind', () => {
  for (const kind of ['memory', 'storage']) {
    it(`in an engine with ${kind}`, async () => {
      const storage = kind === 'storage' ? new MemoryStorage() : undefined;
      await using engine = await WorldsEngine.open({ storage, maxMemoryBytes: 50_000_000 });
      await engine.createWorld({ slug: 'stays' });
      const [before, after] = await entriesBeforeAndAfter(engine, async (namespace) => {
        await engine.createWorld({ namespace, slug: 'w' });
        await engine.update({ sources: [`${namespace}/w`], query: 'INSERT DATA { <urn:s> <urn:p> "text" }' });
        await engine.search({ namespace, query: 'text' });
        await engine.stats();
        if (namespace.endsWith('3')) await engine.deleteWorld({ source: `${namespace}/w` });
        else await engine.deleteNamespace({ namespace });
      });
      expect(after).toBe(before);
      // Nor in the memory that is counted.
      const { memory } = (engine as unknown as { catalog: { memory: { total: number; sizes: Map<unknown, unknown> } } })
        .catalog;
      expect(memory.sizes.size).toBe(1);
      expect(memory.total).toBe((await engine.stats()).memoryBytes);
    });
  }

  it('in an engine whose neighbour makes and deletes it, whether it has read it or not', async () => {
    const place = {};
    class Shared extends MemoryStorage {
      readonly place = place;
    }
    const contents = new MemoryContents();
    await using engine = await WorldsEngine.open({ storage: new Shared(contents), textIndex: null });
    await using other = await WorldsEngine.open({ storage: new Shared(contents), textIndex: null });
    await engine.createWorld({ slug: 'stays' });
    const [before, after] = await entriesBeforeAndAfter(engine, async (namespace) => {
      await other.createWorld({ namespace, slug: 'w' });
      if (namespace.endsWith('3')) await engine.getWorld({ source: `${namespace}/w` });
      await other.deleteNamespace({ namespace });
    });
    expect(after).toBe(before);
    expect(await engine.listNamespaces()).toEqual(['default']);
  });

  it('when it never came to be, since its first world was refused', async () => {
    const storage = new FaultyStorage();
    await using engine = await WorldsEngine.open({ storage, textIndex: null, logger: undefined });
    await engine.createWorld({ slug: 'stays' });
    const [before, after] = await entriesBeforeAndAfter(engine, async (namespace) => {
      storage.fate = () => 'fails';
      await expect(engine.createWorld({ namespace, slug: 'w' })).rejects.toThrow('The disk is broken');
      storage.fate = () => 'works';
    });
    expect(after).toBe(before);
    expect(await engine.listNamespaces()).toEqual(['default']);
    // The name is as good as any other.
    storage.fate = () => 'fails';
    const refused = engine.createWorld({ namespace: 'n', slug: 'w' });
    await expect(refused).rejects.toThrow('The disk is broken');
    storage.fate = () => 'works';
    await engine.createWorld({ namespace: 'n', slug: 'w' });
    expect((await engine.check()).problems).toEqual([]);
  });

  it('when there was no room for it', async () => {
    await using engine = await WorldsEngine.open({ storage: undefined, textIndex: null, maxMemoryBytes: 2 ** 20 });
    const fill = async () => {
      for (let n = 0; ; n++) await engine.createWorld({ slug: `w${n}`, description: 'x'.repeat(10_000) });
    };
    await expect(fill()).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' });
    const [before, after] = await entriesBeforeAndAfter(engine, async (namespace) => {
      const refused = engine.createWorld({ namespace, slug: 'w', description: 'x' });
      await expect(refused).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' });
    });
    expect(after).toBe(before);
  });
});
