import { describe, expect, it } from 'vitest';
import { runAtOnce } from '../../../src/contracts/slicer.ts';
import { decodeHistory, encodeHistory } from '../../../src/engine/durable/history-segments.ts';
import type { KeptCommit } from '../../../src/engine/history/history.ts';
import {
  dataFactory,
  MemoryContents,
  MemoryStorage,
  WorldsEngine,
  type WorldsEngineOptions,
} from '../../../src/index.ts';
import { KeptDelta } from '../../../src/quads/kept-delta.ts';
import { WorldGraphs } from '../../../src/quads/world-graphs.ts';

const { namedNode, literal, quad } = dataFactory;
const one = (n: number) => quad(namedNode(`urn:s${n}`), namedNode('urn:p'), literal(String(n)));
const COUNT = 'SELECT (COUNT(*) AS ?n) WHERE { ?s ?p ?o }';
const history = { keepRevisions: 100 };

async function count(engine: WorldsEngine, at?: number): Promise<unknown> {
  return (await (await engine.select({ query: COUNT, sources: ['w'], at })).objects())[0].n;
}

class Disk {
  readonly contents = new MemoryContents();

  open(options: WorldsEngineOptions = {}): Promise<WorldsEngine> {
    return WorldsEngine.open({ storage: new MemoryStorage(this.contents), textIndex: null, ...options });
  }

  /** Names of the history segments of the newest checkpoint, or of all that are stored. */
  segments(which: 'newest' | 'all' = 'newest'): string[] {
    return [...this.contents.incarnations.values()]
      .flatMap(({ checkpoints }) => (which === 'all' ? checkpoints : checkpoints.slice(0, 1)))
      .flatMap(({ segments }) => [...segments.keys()])
      .filter((name) => name.startsWith('history-'));
  }
}

/** Commits 1, 2 and 3 quads; then deletes all. Returns the revision with `n` quads at index `n`. */
async function fill(engine: WorldsEngine): Promise<number[]> {
  const revisions = [(await engine.createWorld({ slug: 'w' })).revision];
  for (const n of [1, 2, 3]) revisions.push((await engine.write({ source: 'w', insert: [one(n)] })).revision);
  await engine.write({ source: 'w', delete: [one(1), one(2), one(3)] });
  return revisions;
}

describe('history in a storage', () => {
  it('is kept by later engines, with or without the option', async () => {
    const disk = new Disk();
    let engine = await disk.open({ history });
    const revisions = await fill(engine);
    await engine.close();
    for (const options of [{ history }, {}]) {
      engine = await disk.open(options);
      for (const [n, at] of revisions.entries()) expect(await count(engine, at)).toBe(n);
      await engine.write({ source: 'w', insert: [one(9)] });
      await engine.compact();
      for (const [n, at] of revisions.entries()) expect(await count(engine, at)).toBe(n);
      expect((await engine.check()).problems).toEqual([]);
      await engine.close();
    }
  });

  it('is dropped with the option null, on disk too', async () => {
    const disk = new Disk();
    let engine = await disk.open({ history });
    const revisions = await fill(engine);
    await engine.checkpoint();
    await engine.close();
    engine = await disk.open({ history: null });
    await expect(count(engine, revisions[1])).rejects.toMatchObject({ code: 'TRUNCATED' });
    await engine.write({ source: 'w', insert: [one(9)] });
    await engine.checkpoint();
    await engine.close();
    expect(disk.segments()).toEqual([]);
    engine = await disk.open();
    expect((await engine.stats()).history).toBeUndefined();
    await engine.close();
  });

  it('is forgotten by a compaction, also after a restart', async () => {
    const disk = new Disk();
    let engine = await disk.open({ history });
    const revisions = await fill(engine);
    await engine.checkpoint();
    await engine.compact({ forgetHistory: true, forgetChanges: true });
    await engine.close();
    expect(disk.segments('all')).toEqual([]);
    engine = await disk.open({ history });
    await expect(count(engine, revisions[1])).rejects.toMatchObject({ code: 'TRUNCATED' });
    await engine.close();
  });

  it('is part of backups', async () => {
    const disk = new Disk();
    const engine = await disk.open({ history });
    const revisions = await fill(engine);
    const chunks: Uint8Array[] = [];
    for await (const chunk of engine.backupStream()) chunks.push(chunk);
    const backup = Buffer.concat(chunks);
    await engine.close();
    for (const storage of [undefined, new MemoryStorage()]) {
      const restored = await WorldsEngine.restore(backup, { history, storage, textIndex: null });
      for (const [n, at] of revisions.entries()) expect(await count(restored, at)).toBe(n);
      await restored.write({ source: 'w', insert: [one(7)] });
      expect(await count(restored, revisions[2])).toBe(2);
      await restored.close();
    }
  });

  it('reuses the segments of commits that are in one', async () => {
    const disk = new Disk();
    const engine = await disk.open({ history: { keepRevisions: 5000 } });
    await engine.createWorld({ slug: 'w' });
    let written = 0;
    let known = new Set<string>();
    for (let i = 0; i < 64; i++) {
      await engine.write({ source: 'w', insert: [one(i)] });
      await engine.checkpoint();
      const names = new Set(disk.segments());
      for (const name of names) if (!known.has(name)) written++;
      expect(names.size).toBeLessThanOrEqual(8);
      known = names;
    }
    expect(written).toBeLessThanOrEqual(64);
    await engine.close();
  });

  it('reads what it wrote, and refuses what is damaged', () => {
    const graphs = new WorldGraphs(3, 7, Uint32Array.of(9), Uint32Array.of(8));
    const record = { slug: 'é', namespace: 'n', label: 'x', createdAt: 1, updatedAt: 2, revision: 4 };
    const size = { quads: 0, bytes: 0 };
    const before = { record, graphs, size };
    const after = { record: { ...record, revision: 5 }, graphs, size };
    const delta = KeptDelta.unpack(Uint32Array.of(1, 1, 0, 0, 7, 0, 1, 10, 11, 12, 0));
    const commits: KeptCommit[] = [
      { revision: 4, timeMs: 2, before: undefined, after: before, delta },
      { revision: 5, timeMs: 3, before, after, delta: KeptDelta.unpack(new Uint32Array(6)) },
      { revision: 6, timeMs: 4, before: after, after: undefined, delta },
    ];
    const bytes = Buffer.concat(runAtOnce(encodeHistory(commits)));
    expect(runAtOnce(decodeHistory(bytes, 'n', 'here'))).toEqual(commits);
    bytes[20] ^= 1;
    expect(() => runAtOnce(decodeHistory(bytes, 'n', 'here'))).toThrow(
      expect.objectContaining({ code: 'CORRUPT', message: expect.stringContaining('history segment of here') }),
    );
  });
});
