import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  bm25TextIndex,
  dataFactory,
  MemoryContents,
  MemoryStorage,
  type OnBackgroundError,
  WorldsEngine,
  type WorldsEngineOptions,
} from '../../../src/index.ts';
import type { Storage, StorageErrorListener, TextIndex } from '../../../src/plugin.ts';
import { BrokenDisk, FaultyStorage } from './faulty-storage.ts';

const { quad, namedNode, literal } = dataFactory;
const one = (n: number) => quad(namedNode(`urn:s${n}`), namedNode('urn:p'), literal(String(n)));

type Reported = Parameters<OnBackgroundError>;

async function failingCheckpoints(options: WorldsEngineOptions = {}) {
  const storage = new FaultyStorage();
  const engine = await WorldsEngine.open({ storage, textIndex: null, checkpointLogBytes: 5000, ...options });
  storage.checkpointFails = true;
  await engine.createWorld({ slug: 'w' });
  return { storage, engine };
}

async function write(engine: WorldsEngine, count: number, source = 'w'): Promise<void> {
  for (let n = 0; n < count; n++) {
    await engine.write({ source, insert: [one(n)] });
    await new Promise((resolve) => setImmediate(resolve));
  }
}

afterEach(() => vi.restoreAllMocks());

describe('a failure in the background', () => {
  it('of checkpoints reaches the callback and health, until a checkpoint succeeds', async () => {
    const reported: Reported[] = [];
    const { storage, engine } = await failingCheckpoints({
      onBackgroundError: (...given) => reported.push(given),
      clock: () => 1234,
    });
    expect(engine.health()).toEqual({ status: 'ok', problems: [] });
    await write(engine, 30);
    expect(reported.length).toBeGreaterThan(1);
    expect(reported[0]).toEqual([expect.any(BrokenDisk), { namespace: 'default', activity: 'checkpoint' }]);
    expect(engine.health()).toEqual({
      status: 'degraded',
      problems: [
        {
          namespace: 'default',
          activity: 'checkpoint',
          error: reported.at(-1)?.[0],
          atMs: 1234,
          failures: reported.length,
        },
      ],
    });
    storage.checkpointFails = false;
    await engine.checkpoint();
    expect(engine.health()).toEqual({ status: 'ok', problems: [] });
  });

  it('during closing is reported by health afterwards', async () => {
    const { engine } = await failingCheckpoints({ checkpointLogBytes: 1e9, onBackgroundError: () => {} });
    await engine.import({ source: 'w', data: Array.from({ length: 5000 }, (_, n) => one(n)) });
    await engine.close();
    expect(engine.health().problems).toMatchObject([{ activity: 'checkpoint', failures: 1 }]);
  });

  it('is emitted as a process warning if there is no listener, once until it succeeds again', async () => {
    const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
    const { storage, engine } = await failingCheckpoints();
    await write(engine, 30);
    expect(engine.health().problems[0].failures).toBeGreaterThan(1);
    expect(warn.mock.calls).toEqual([
      [expect.stringMatching(/namespace default: A checkpoint failed.*disk is broken/)],
    ]);
    storage.checkpointFails = false;
    await engine.checkpoint();
    storage.checkpointFails = true;
    await write(engine, 40);
    expect(warn).toHaveBeenCalledTimes(2);
  });

  it.each([
    ['a callback', { onBackgroundError: () => {} }],
    ['a logger', { logger: { debug: () => {}, warn: () => {}, error: () => {} } }],
  ])('is no warning of the process with %s', async (_, options) => {
    const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
    const { engine } = await failingCheckpoints(options);
    await write(engine, 30);
    expect(engine.health().status).toBe('degraded');
    expect(warn).not.toHaveBeenCalled();
  });

  it.each([
    [
      'throws',
      () => {
        throw new Error('the callback is broken');
      },
    ],
    ['rejects', () => Promise.reject(new Error('the callback is broken'))],
  ])('has no other effect if the callback %s', async (_, onBackgroundError: OnBackgroundError) => {
    const errors: string[] = [];
    const error = (details: object) => errors.push(String((details as { err: Error }).err.message));
    const { engine } = await failingCheckpoints({
      onBackgroundError,
      logger: { debug: () => {}, warn: () => {}, error },
    });
    await write(engine, 30);
    expect(errors).toContain('the callback is broken');
    expect(errors).toContain('The disk is broken.');
    expect(engine.health().problems[0].failures).toBeGreaterThan(1);
    expect((await engine.stats()).quads).toBe(30);
  });

  it('of a namespace that is deleted is over', async () => {
    const { engine } = await failingCheckpoints({ onBackgroundError: () => {} });
    await write(engine, 30);
    expect(engine.health().status).toBe('degraded');
    await engine.deleteNamespace({ namespace: 'default' });
    expect(engine.health().problems).toEqual([]);
  });

  it('of indexing reaches health until a search has done it', async () => {
    let isBroken = false;
    const whole = bm25TextIndex();
    const engine = await WorldsEngine.open({
      onBackgroundError: () => {},
      textIndex: async () => {
        const index = await whole();
        const broken: TextIndex = Object.create(index);
        broken.add = (...given) => {
          if (isBroken) throw new Error('The index is broken.');
          index.add(...given);
        };
        return broken;
      },
    });
    await engine.createWorld({ slug: 'w' });
    await engine.search({ query: 'x' });
    isBroken = true;
    await engine.write({ source: 'w', insert: [one(7)] });
    await engine.settle();
    await vi.waitFor(() => expect(engine.health().problems).toMatchObject([{ activity: 'indexing' }]), {
      timeout: 30_000,
    });
    isBroken = false;
    expect(await engine.search({ query: '7' })).toHaveLength(1);
    expect(engine.health().problems).toEqual([]);
  });

  it('of embedding reaches health until the embedder works', async () => {
    let isBroken = true;
    const reported: Reported[] = [];
    const engine = await WorldsEngine.open({
      onBackgroundError: (...given) => reported.push(given),
      embedder: {
        id: 'fake',
        dimensions: 2,
        embed: async (texts: readonly string[]) => {
          if (isBroken) throw new Error('The embedder is broken.');
          return texts.map(() => Float32Array.of(1, 0));
        },
      },
    });
    await engine.createWorld({ slug: 'w' });
    await engine.write({ source: 'w', insert: [one(7)] });
    await engine.search({ query: '7' });
    await vi.waitFor(
      () => expect(engine.health().problems).toMatchObject([{ namespace: 'default', activity: 'embedding' }]),
      { timeout: 30_000 },
    );
    expect(reported[0][0].message).toContain('The embedder is broken.');
    isBroken = false;
    await engine.flush();
    expect(engine.health().problems).toEqual([]);
  });

  it('of a compaction reaches health until one succeeds', async () => {
    const { storage, engine } = await failingCheckpoints({ checkpointLogBytes: 1e9, onBackgroundError: () => {} });
    const many = Array.from({ length: 20_000 }, (_, n) =>
      quad(namedNode(`urn:s${n}`), namedNode('urn:p'), literal('x')),
    );
    await engine.write({ source: 'w', insert: many });
    await engine.write({ source: 'w', delete: many });
    await engine.settle();
    expect(engine.health().problems).toMatchObject([{ namespace: 'default', activity: 'compaction' }]);
    storage.checkpointFails = false;
    await engine.compact();
    expect(engine.health().problems).toEqual([]);
  });
});

/** A storage that removes files late, and says when it cannot. */
class LateStorage extends MemoryStorage implements Storage {
  readonly listeners = new Set<StorageErrorListener>();
  onBackgroundError(listener: StorageErrorListener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
  tell(error: Error | null, namespace: string | null): void {
    for (const listener of this.listeners) listener(error, namespace);
  }
}

describe('failures reported by a storage', () => {
  it('is a problem of the engine until the storage says otherwise', async () => {
    const storage = new LateStorage();
    const reported: Reported[] = [];
    const engine = await WorldsEngine.open({ storage, onBackgroundError: (...given) => reported.push(given) });
    const error = new BrokenDisk('A file cannot be removed.');
    storage.tell(error, 'a');
    storage.tell(error, null);
    expect(reported).toEqual([
      [error, { namespace: 'a', activity: 'storage' }],
      [error, { namespace: null, activity: 'storage' }],
    ]);
    expect(engine.health().problems).toMatchObject([{ namespace: 'a' }, { namespace: null }]);
    storage.tell(null, 'a');
    expect(engine.health().problems).toMatchObject([{ namespace: null }]);
    await engine.close();
    expect(storage.listeners.size).toBe(0);
  });

  it('is not listened to by an engine that could not open', async () => {
    class Unlistable extends LateStorage {
      override namespaces(): AsyncIterable<string> {
        throw new BrokenDisk('The directory cannot be listed.');
      }
    }
    const storage = new Unlistable(new MemoryContents());
    await expect(WorldsEngine.open({ storage })).rejects.toThrow('cannot be listed');
    expect(storage.listeners.size).toBe(0);
  });
});
