import { describe, expect, it } from 'vitest';
import { dataFactory, MemoryStorage, WorldsEngine } from '../../../src/index.ts';
import type { Head, LogRecord, NamespaceStorage } from '../../../src/plugin.ts';
import { Pending } from '../pending.ts';
import { FaultyStorage } from './faulty-storage.ts';

const { quad, namedNode, literal } = dataFactory;
const one = (n: number) => quad(namedNode(`urn:s${n}`), namedNode('urn:p'), literal(String(n)));
const CLOSED = { code: 'INVALID_ARGUMENT', message: 'The engine is closed; open another one.' };
const line = (n: number) => new TextEncoder().encode(`<urn:s${n}> <urn:p> "${n}" .\n`);
const turn = () => new Promise((resolve) => setImmediate(resolve));

async function opened(storage: MemoryStorage | undefined): Promise<WorldsEngine> {
  const engine = await WorldsEngine.open({ storage });
  await engine.createWorld({ slug: 'w' });
  await engine.createWorld({ slug: 'w', namespace: 'other' });
  return engine;
}

/** The outcomes of calls: what they gave, or the error. */
async function outcomes(calls: readonly Promise<unknown>[]): Promise<unknown[]> {
  const settled = await Promise.allSettled(calls);
  return settled.map((one) => (one.status === 'fulfilled' ? 'done' : one.reason));
}

describe('closing an engine', () => {
  for (const kind of ['memory', 'storage']) {
    const storageOf = () => (kind === 'storage' ? new MemoryStorage() : undefined);

    it(`refuses an import that is still reading, and leaves nothing of it, with ${kind}`, async () => {
      const storage = storageOf();
      const engine = await opened(storage);
      let given = 0;
      async function* endless() {
        for (;;) {
          yield line(given++);
          if (given % 100 === 0) await turn();
        }
      }
      async function* stalled() {
        yield line(-1);
        await new Promise(() => undefined);
      }
      const imports = outcomes([
        engine.import({ source: 'w', data: endless() }),
        engine.import({ source: 'w', data: stalled() }),
        engine.import({ source: 'other/w', data: stalled(), signal: new AbortController().signal }),
      ]);
      while (given < 1000) await turn();
      await engine.close();
      expect(await imports).toEqual([1, 2, 3].map(() => expect.objectContaining(CLOSED)));
      if (!storage) return;
      const again = await WorldsEngine.open({ storage: new MemoryStorage(storage.contents) });
      expect((await again.stats()).quads).toBe(0);
    });

    it(`finishes or refuses every write that has begun, with ${kind}`, async () => {
      for (let turns = 0; turns < 6; turns++) {
        const storage = storageOf();
        const engine = await opened(storage);
        const writes = outcomes([
          ...Array.from({ length: 20 }, (_, n) => engine.write({ source: 'w', insert: [one(n)] })),
          ...Array.from({ length: 20 }, (_, n) =>
            engine.update({ sources: ['w'], query: `INSERT { <urn:t${n}> <urn:p> ?o } WHERE { BIND(${n} AS ?o) }` }),
          ),
          ...Array.from({ length: 5 }, (_, n) => engine.createWorld({ namespace: `new${n}`, slug: 'w' })),
          ...Array.from({ length: 5 }, (_, n) => engine.import({ source: 'w', data: Buffer.from(line(100 + n)) })),
          engine.updateWorld({ source: 'w', label: 'W' }),
          engine.deleteWorld({ source: 'other/w' }),
        ]);
        for (let n = 0; n < turns; n++) await (n % 2 ? turn() : Promise.resolve());
        await Promise.all([engine.close(), engine.close()]);
        const results = await writes;
        for (const result of results) if (result !== 'done') expect(result).toMatchObject(CLOSED);
        await expect(engine.write({ source: 'w', insert: [one(0)] })).rejects.toMatchObject(CLOSED);
        if (!storage) continue;
        const again = await WorldsEngine.open({ storage: new MemoryStorage(storage.contents) });
        const done = results.slice(0, 45).filter((result) => result === 'done').length;
        const isImported = results.slice(45, 50).filter((result) => result === 'done').length;
        const created = results.slice(40, 45).filter((result) => result === 'done').length;
        expect((await again.stats({ namespace: 'default' })).quads).toBe(done - created + isImported);
        expect((await again.check()).problems).toEqual([]);
      }
    });

    it(`ends what reads with its result or the closed engine, with ${kind}`, async () => {
      const engine = await opened(storageOf());
      await engine.import({ source: 'w', data: Array.from({ length: 5000 }, (_, n) => one(n)) });
      const result = await engine.select({ sources: ['w'], query: 'SELECT * { ?s ?p ?o }' });
      const rows = result[Symbol.asyncIterator]();
      await rows.next();
      const backup = engine.backupStream();
      await backup.next();
      const exported = engine.exportStream({ source: 'w' })[Symbol.asyncIterator]();
      await exported.next();
      const calls = outcomes([
        engine.search({ query: '7' }),
        engine.search({ namespace: 'other', query: '7' }),
        engine.stats(),
        engine.check(),
        engine.checkpoint(),
        engine.compact(),
        engine.ask({ query: 'ASK { ?s ?p ?o }' }),
        engine.getWorld({ source: 'other/w' }),
      ]);
      await engine.close();
      for (const outcome of await calls) if (outcome !== 'done') expect(outcome).toMatchObject(CLOSED);
      const drain = async (items: AsyncIterator<unknown>) => {
        while (!(await items.next()).done) {}
      };
      const drained = await outcomes([drain(rows), drain(exported), drain(backup)]);
      expect(drained).toEqual(['done', 'done', expect.objectContaining(CLOSED)]);
    });
  }

  it('while namespaces are being loaded, reports only that the engine is closed', async () => {
    const storage = new MemoryStorage();
    await (await opened(storage)).close();
    for (let turns = 0; turns < 8; turns++) {
      const engine = await WorldsEngine.open({ storage: new MemoryStorage(storage.contents), textIndex: null });
      const calls = outcomes([
        engine.getWorld({ source: 'w' }),
        engine.ask({ namespace: 'other', query: 'ASK { ?s ?p ?o }' }),
        engine.ask({ sources: ['w', 'other/w'], query: 'ASK { ?s ?p ?o }' }),
        engine.write({ source: 'other/w', insert: [] }),
        engine.createWorld({ slug: 'w', namespace: 'default', ifExists: 'return' }),
        // It may succeed, so each engine makes another.
        engine.createWorld({ slug: `x${turns}`, namespace: 'default' }),
        engine.stats(),
        engine.check(),
        engine.changes({ after: 0 }).next(),
      ]);
      for (let n = 0; n < turns; n++) await Promise.resolve();
      await engine.close();
      for (const outcome of await calls) if (outcome !== 'done') expect(outcome).toMatchObject(CLOSED);
    }
  });

  it('does not disturb another engine of the same storage', async () => {
    const place = {};
    class Shared extends MemoryStorage {
      readonly place = place;
    }
    const storage = new Shared();
    const engine = await WorldsEngine.open({ storage, textIndex: null });
    await engine.createWorld({ slug: 'w' });
    await engine.createWorld({ slug: 'w', namespace: 'other' });
    const other = await WorldsEngine.open({ storage: new Shared(storage.contents), textIndex: null });
    const feed = engine.changes().next();
    await turn();
    // The first of these is told while the engine that is closing has not yet left.
    const closed = engine.close();
    const writes = outcomes([
      other.write({ source: 'w', insert: [one(1)] }),
      other.write({ source: 'other/w', insert: [one(2)] }),
      other.deleteNamespace({ namespace: 'other' }),
    ]);
    expect(await feed).toEqual({ done: true, value: undefined });
    await closed;
    expect(await writes).toEqual(['done', 'done', 'done']);
  });

  it('ends feeds that wait, read or have not started, before it waits for writers', async () => {
    const storage = new FaultyStorage();
    const engine = await WorldsEngine.open({ storage, textIndex: null });
    await engine.createWorld({ slug: 'w' });
    for (let n = 0; n < 10; n++) await engine.write({ source: 'w', insert: [one(n)] });
    const waiting = engine.changes();
    const reading = engine.changes({ after: 0 });
    const unread = engine.changes({ after: 0 });
    const isOver = waiting.next();
    expect((await reading.next()).value).toMatchObject({ revision: 1 });
    // A commit that takes as long as the test likes keeps the engine from closing.
    const disk = new Pending();
    storage.delay = () => disk.promise;
    const written = engine.write({ source: 'w', insert: [one(99)] });
    await turn();
    const closed = engine.close();
    expect(await isOver).toEqual({ done: true, value: undefined });
    expect(await reading.next()).toEqual({ done: true, value: undefined });
    expect(await unread.next()).toEqual({ done: true, value: undefined });
    disk.resolve();
    await written;
    await closed;
  });

  it('ends a feed whose storage does not answer', async () => {
    class Stalled extends MemoryStorage {
      override namespace(name: string): NamespaceStorage {
        const real = super.namespace(name);
        if (name !== 'default') return real;
        real.read = async function* (_after: Head, signal?: AbortSignal) {
          await new Promise((_, reject) => {
            signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
          });
          yield* [];
        };
        return real;
      }
    }
    const engine = await WorldsEngine.open({ storage: new Stalled(), textIndex: null });
    await engine.createWorld({ slug: 'w' });
    const feed = engine.changes({ after: 0 }).next();
    await turn();
    await engine.close();
    expect(await feed).toEqual({ done: true, value: undefined });
  });

  it('waits for appends that are under way, and closes the storage after them', async () => {
    const events: string[] = [];
    class Watched extends MemoryStorage {
      override namespace(name: string): NamespaceStorage {
        const real = super.namespace(name);
        const append = real.append.bind(real);
        real.append = async (expected: Head, records: readonly LogRecord[]) => {
          await turn();
          await turn();
          const head = await append(expected, records);
          events.push('appended');
          return head;
        };
        return real;
      }
      override async close(): Promise<void> {
        events.push('closed');
        await super.close();
      }
    }
    const engine = await WorldsEngine.open({ storage: new Watched(), textIndex: null });
    await engine.createWorld({ slug: 'w' });
    const written = engine.write({ source: 'w', insert: [one(1)] });
    await engine.close();
    await written;
    expect(events).toEqual(['appended', 'appended', 'closed']);
  });
});
