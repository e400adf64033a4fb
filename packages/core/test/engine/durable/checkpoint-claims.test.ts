import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { MemoryContents, WorldsEngine } from '../../../src/index.ts';
import type { NamespaceStorage } from '../../../src/plugin.ts';
import { SharedMemoryStorage } from './shared-memory-storage.ts';

/** What the processes of a test share. */
class Claims {
  holder: object | undefined;
  writing = 0;
  mostWriting = 0;
}

/** A storage with claims, which counts the checkpoints of the namespace `default`. */
class ClaimedStorage extends SharedMemoryStorage {
  written = 0;
  private readonly claims: Claims;

  constructor(contents: MemoryContents, claims: Claims) {
    super(contents);
    this.claims = claims;
    this.watches = true;
  }

  override namespace(name: string): NamespaceStorage {
    const namespace = super.namespace(name);
    if (name !== 'default') return namespace;
    const { claims } = this;
    const writeCheckpoint = namespace.writeCheckpoint;
    namespace.writeCheckpoint = async (at, segments, confirm) => {
      claims.mostWriting = Math.max(claims.mostWriting, ++claims.writing);
      try {
        await writeCheckpoint(at, segments, confirm);
        this.written++;
      } finally {
        claims.writing--;
      }
    };
    namespace.claimCheckpoint = async () => {
      const newest = (await namespace.checkpoint())?.at.position ?? 0;
      if (claims.holder !== undefined && claims.holder !== this) return { newest, release: undefined };
      claims.holder = this;
      const release = async () => {
        claims.holder = undefined;
      };
      return { newest, release };
    };
    return namespace;
  }
}

/** Three engines, as of three processes, and how they write to one world. */
async function opened() {
  const contents = new MemoryContents();
  const claims = new Claims();
  const storages = [1, 2, 3].map(() => new ClaimedStorage(contents, claims));
  const engines: WorldsEngine[] = [];
  for (const storage of storages)
    engines.push(await WorldsEngine.open({ storage, compaction: 'manual', checkpointLogBytes: 50_000 }));
  await engines[0].createWorld({ slug: 'w' });
  let next = 0;
  const write = async (engine: WorldsEngine, commits: number): Promise<void> => {
    for (let left = commits; left > 0; left--) {
      await engine.update({ sources: ['w'], query: `INSERT DATA { <urn:s> <urn:p> ${next++} }` });
      if (left % 5 !== 1) continue;
      // All follow, and what they have begun to write ends.
      for (const storage of storages) storage.notify();
      for (const each of engines)
        await each.select({ sources: ['w'], query: 'SELECT * { ?s ?p ?o } LIMIT 1', consistency: 'latest' });
      do await nextTurn();
      while (claims.holder);
    }
  };
  return { engines, storages, claims, write, counted: () => storages.map(({ written }) => written) };
}

it('one process at a time writes checkpoints, and who wrote the last one writes the next', async () => {
  const { engines, claims, write, counted } = await opened();
  for (const engine of engines) await write(engine, 100);
  const written = counted();
  expect(written.filter((count) => count > 0)).toHaveLength(1);
  expect(Math.max(...written)).toBeGreaterThan(8);
  expect(claims.mostWriting).toBe(1);
  for (const engine of engines) await engine.close();
});

it('another process takes over from one that no longer writes them', async () => {
  const { engines, storages, write, counted } = await opened();
  await write(engines[0], 60);
  const first = counted().findIndex((count) => count > 0);
  const before = counted()[first];
  await engines[first].close();
  engines.splice(first, 1);
  storages.splice(first, 1);
  await write(engines[0], 120);
  expect(before).toBeGreaterThan(0);
  expect(storages.filter(({ written }) => written > 0)).toHaveLength(1);
  for (const engine of engines) await engine.close();
});
