import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { type CheckProgress, dataFactory, MemoryStorage, WorldsEngine } from '../../../src/index.ts';
import { stateOf } from '../world-state.ts';

const { quad, namedNode, literal } = dataFactory;
const one = (n: number) => quad(namedNode(`urn:s${n}`), namedNode('urn:p'), literal(String(n)));

async function filled(storage?: MemoryStorage): Promise<WorldsEngine> {
  const engine = await WorldsEngine.open({ storage, textIndex: null });
  await engine.createWorld({ slug: 'a', label: 'A' });
  await engine.createWorld({ slug: 'b', namespace: 'other' });
  await engine.import({ source: 'a', data: Array.from({ length: 5000 }, (_, n) => one(n)) });
  await engine.update({
    sources: ['a'],
    query: 'CREATE GRAPH <urn:g>; DELETE WHERE { <urn:s7> ?p ?o }; INSERT DATA { _:b <urn:p> 1 }',
  });
  return engine;
}

async function bytesOf(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const chunk of chunks) all.push(Buffer.from(chunk));
  return Buffer.concat(all);
}

async function* pieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
}

const states = async (engine: WorldsEngine) => [await stateOf(engine, 'a'), await stateOf(engine, 'other/b')];

describe('a backup', () => {
  for (const [from, to] of [
    ['memory', 'storage'],
    ['storage', 'storage'],
    ['storage', 'memory'],
  ] as const) {
    it(`goes from ${from} to ${to}, byte for byte, and life goes on there`, async () => {
      const engine = await filled(from === 'storage' ? new MemoryStorage() : undefined);
      const backup = await bytesOf(engine.backupStream());
      const before = await states(engine);
      await engine.write({ source: 'a', insert: [one(-1)] });
      const storage = to === 'storage' ? new MemoryStorage() : undefined;
      const restored = await WorldsEngine.restore(pieces(backup, 1000), { storage, textIndex: null });
      expect(await states(restored)).toEqual(before);
      const { revision } = await restored.write({
        source: 'a',
        insert: [one(-2)],
        ifRevision: before[0].record!.revision,
      });
      // The timeline of the restored namespace begins above all revisions of the backup.
      expect(revision).toBeGreaterThan(2 ** 32);
      expect((await restored.check()).problems).toEqual([]);
      if (!storage) return;
      const after = await states(restored);
      const reopened = await WorldsEngine.open({ storage: new MemoryStorage(storage.contents), textIndex: null });
      expect(await states(reopened)).toEqual(after);
      expect((await reopened.changes({ after: revision - 1 }).next()).value).toMatchObject({
        kind: 'changed',
        revision,
      });
      await expect(reopened.changes({ after: revision - 2 }).next()).rejects.toMatchObject({ code: 'TRUNCATED' });
    });
  }

  it('goes into a stream of either kind', async () => {
    const engine = await filled();
    const expected = (await bytesOf(engine.backupStream())).length;
    const node = new PassThrough();
    const read = bytesOf(node);
    await engine.backup(node);
    expect((await read).length).toBe(expected);
    let length = 0;
    let closed = false;
    await engine.backup(
      new WritableStream<Uint8Array>({
        write: (chunk) => {
          length += chunk.length;
        },
        close: () => {
          closed = true;
        },
      }),
    );
    expect([length, closed]).toEqual([expected, true]);
  });

  it('of nothing is a backup too', async () => {
    const empty = await WorldsEngine.open();
    const restored = await WorldsEngine.restore(await bytesOf(empty.backupStream()));
    expect(await restored.listNamespaces()).toEqual([]);
  });

  it('that is cut, flipped or something else is refused', async () => {
    const backup = await bytesOf((await filled()).backupStream());
    for (const length of [backup.length - 1, backup.length - 17, 5000, 30, 8, 7]) {
      await expect(WorldsEngine.restore(backup.subarray(0, length))).rejects.toMatchObject({ code: 'CORRUPT' });
    }
    for (let at = 100; at < backup.length; at += 9973) {
      const flipped = Buffer.from(backup);
      flipped[at] ^= 4;
      await expect(WorldsEngine.restore(flipped)).rejects.toMatchObject({ code: 'CORRUPT' });
    }
    await expect(WorldsEngine.restore(Buffer.from('<a> <b> <c> .'))).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
    });
    const newer = Buffer.from(backup);
    newer[4] = 3;
    await expect(WorldsEngine.restore(newer)).rejects.toMatchObject({ code: 'UNSUPPORTED' });
  });

  it('does not overwrite existing worlds', async () => {
    const storage = new MemoryStorage();
    const engine = await filled(storage);
    const backup = await bytesOf(engine.backupStream());
    await engine.close();
    await expect(WorldsEngine.restore(backup, { storage: new MemoryStorage(storage.contents) })).rejects.toMatchObject({
      code: 'ALREADY_EXISTS',
    });
  });

  it('is taken while writers write, and each namespace is as it was at one moment', async () => {
    const engine = await filled(new MemoryStorage());
    // Every commit moves one token: a backup of two moments would have none or two.
    const token = (n: number) => quad(namedNode('urn:token'), namedNode('urn:at'), literal(String(n)));
    await engine.write({ source: 'a', insert: [token(0)] });
    let writing = true;
    const writer = (async () => {
      for (let n = 0; writing; n++) {
        await engine.write({ source: 'a', delete: [token(n)], insert: [token(n + 1)] });
        await new Promise((resolve) => setImmediate(resolve));
      }
    })();
    for (let round = 0; round < 5; round++) {
      const restored = await WorldsEngine.restore(engine.backupStream());
      const rows = await (await restored.select({ query: 'SELECT * { <urn:token> ?p ?o }' })).array();
      expect(rows).toHaveLength(1);
    }
    writing = false;
    await writer;
  });
});

describe('a check', () => {
  it('finds no problems in intact data, through checkpoints and deletions', async () => {
    const storage = new MemoryStorage();
    const engine = await filled(storage);
    expect(await engine.check()).toEqual({ namespaces: 2, problems: [] });
    await engine.checkpoint();
    await engine.createWorld({ slug: 'c' });
    await engine.deleteWorld({ source: 'a' });
    expect(await engine.check()).toEqual({ namespaces: 2, problems: [] });
    const reopened = await WorldsEngine.open({ storage: new MemoryStorage(storage.contents), textIndex: null });
    expect(await reopened.check()).toEqual({ namespaces: 2, problems: [] });
  });

  it('reports the namespace being checked', async () => {
    const engine = await filled(new MemoryStorage());
    const told: CheckProgress[] = [];
    await engine.check({ onProgress: (progress) => told.push(progress) });
    const names = engine.listNamespaces();
    expect(told).toEqual((await names).map((namespace, done) => ({ namespace, done, total: 2 })));
    await expect(engine.check({ onProgess: () => {} } as object)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  });

  it('finds a flipped bit in any segment and any record', async () => {
    const storage = new MemoryStorage();
    const engine = await filled(storage);
    await engine.checkpoint();
    await engine.write({ source: 'a', insert: [one(-1)] });
    let flip: string | undefined;
    class Flipping extends MemoryStorage {
      override namespace(name: string) {
        const real = super.namespace(name);
        const checkpoint = real.checkpoint.bind(real);
        const read = real.read.bind(real);
        const flipped = (data: Uint8Array) => {
          data[data.length >> 1] ^= 16;
          return data;
        };
        real.checkpoint = async () => {
          const found = await checkpoint();
          return (
            found && {
              at: found.at,
              segments: found.segments.map((one) => ({
                ...one,
                read: async () => (one.name.startsWith(flip!) ? flipped(await one.read()) : one.read()),
              })),
            }
          );
        };
        real.read = async function* (after, signal) {
          for await (const record of read(after, signal))
            yield flip === 'log' ? { ...record, data: flipped(record.data) } : record;
        };
        return real;
      }
    }
    for (flip of ['state', 'terms', 'run', 'log']) {
      const reopened = await WorldsEngine.open({ storage: new Flipping(storage.contents), textIndex: null });
      expect(await reopened.check({ namespace: 'default' })).toMatchObject({
        problems: [{ namespace: 'default', problem: expect.stringContaining('is damaged') }],
      });
      await expect(reopened.getWorld({ source: 'a' })).rejects.toMatchObject({ code: 'CORRUPT' });
    }
  });

  it('counts the bytes in the storage', async () => {
    const engine = await filled(new MemoryStorage());
    expect((await engine.stats()).storage).toMatchObject({ logRecords: 4, segments: 0 });
    await engine.checkpoint();
    expect((await engine.stats()).storage).toMatchObject({ segments: 6 });
    const unstored = await WorldsEngine.open({ storage: undefined });
    expect(await unstored.stats()).not.toHaveProperty('storage');
  });
});
