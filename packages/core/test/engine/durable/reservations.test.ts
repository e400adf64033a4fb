import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { MemoryContents, WorldsEngine } from '../../../src/index.ts';
import type { NamespaceStorage } from '../../../src/plugin.ts';
import { SharedMemoryStorage } from './shared-memory-storage.ts';

const INCREMENT =
  'DELETE { <urn:c> <urn:n> ?n } INSERT { <urn:c> <urn:n> ?m } WHERE { <urn:c> <urn:n> ?n BIND(?n + 1 AS ?m) }';

/** A storage before whose appends another engine writes, unless they are reserved. */
class OvertakenStorage extends SharedMemoryStorage {
  overtake: () => Promise<unknown> = async () => undefined;
  appends = 0;
  refusesReservations = false;
  readonly reservedMs: number[] = [];
  reserved = 0;

  override namespace(name: string): NamespaceStorage {
    const namespace = super.namespace(name);
    const append = namespace.append;
    namespace.append = async (expected, records) => {
      this.appends++;
      if (this.reserved === 0) await this.overtake();
      return append(expected, records);
    };
    namespace.reserve = async (forMs) => {
      this.reservedMs.push(forMs);
      if (this.refusesReservations) throw new Error('not now');
      this.reserved++;
      return async () => {
        this.reserved--;
      };
    };
    return namespace;
  }
}

async function opened() {
  const contents = new MemoryContents();
  const storage = new OvertakenStorage(contents);
  const other = await WorldsEngine.open({ storage: new SharedMemoryStorage(contents), compaction: 'manual' });
  await other.createWorld({ slug: 'w' });
  await other.update({ sources: ['w'], query: 'INSERT DATA { <urn:c> <urn:n> 0 }' });
  const engine = await WorldsEngine.open({ storage, compaction: 'manual' });
  const overtake = () => other.update({ sources: ['w'], query: INCREMENT });
  const count = async () => {
    const result = await engine.select({ sources: ['w'], query: 'SELECT ?n { <urn:c> <urn:n> ?n }' });
    return Number((await result.array())[0].get('n')!.value);
  };
  return { storage, engine, other, overtake, count };
}

it('a write that others overtake each time reserves its fifth attempt, and the next ones their first', async () => {
  const { storage, engine, other, overtake, count } = await opened();
  storage.overtake = overtake;
  await engine.update({ sources: ['w'], query: INCREMENT });
  expect(storage.appends).toBe(5);
  // Until other writes of the engine have had the chance to share it.
  expect(storage.reserved).toBe(1);
  await setImmediate();
  expect(storage.reserved).toBe(0);
  expect(await count()).toBe(5);
  await engine.update({ sources: ['w'], query: INCREMENT });
  expect(storage.appends).toBe(6);
  await setImmediate();
  expect(storage.reserved).toBe(0);
  expect(await count()).toBe(6);
  for (const each of [engine, other]) await each.close();
});

it('calls that give up when they are overtaken are followed by one that reserves its first attempt', async () => {
  const { storage, engine, other, overtake, count } = await opened();
  for (let call = 0; call < 4; call++) {
    const controller = new AbortController();
    storage.overtake = async () => {
      await overtake();
      controller.abort();
    };
    const refused = engine.update({ sources: ['w'], query: INCREMENT, signal: controller.signal });
    await expect(refused).rejects.toMatchObject({ code: 'ABORTED' });
  }
  expect(storage).toMatchObject({ appends: 4, reservedMs: [] });
  storage.overtake = overtake;
  await engine.update({ sources: ['w'], query: INCREMENT });
  expect(storage.appends).toBe(5);
  expect(storage.reservedMs).toHaveLength(1);
  await setImmediate();
  expect(storage.reserved).toBe(0);
  expect(await count()).toBe(5);
  for (const each of [engine, other]) await each.close();
});

it('writes that were overtaken together share a reservation', async () => {
  const { storage, engine, other, overtake, count } = await opened();
  storage.overtake = overtake;
  await Promise.all(Array.from({ length: 20 }, () => engine.update({ sources: ['w'], query: INCREMENT })));
  expect(storage.reservedMs.length).toBeLessThan(10);
  await setImmediate();
  expect(storage.reserved).toBe(0);
  storage.overtake = async () => undefined;
  expect(await count()).toBeGreaterThanOrEqual(20);
  for (const each of [engine, other]) await each.close();
});

it('a reservation that fails does not fail the write', async () => {
  const { storage, engine, other, overtake, count } = await opened();
  storage.refusesReservations = true;
  let left = 6;
  storage.overtake = async () => {
    if (left-- > 0) await overtake();
  };
  await engine.update({ sources: ['w'], query: INCREMENT });
  expect(storage.reservedMs).toEqual([2000, 4000, 8000]);
  expect(await count()).toBe(7);
  for (const each of [engine, other]) await each.close();
});

it('writes between which another engine writes cost one attempt each, once they reserve', async () => {
  const { storage, engine, other, overtake, count } = await opened();
  storage.overtake = overtake;
  await engine.update({ sources: ['w'], query: INCREMENT });
  await setImmediate();
  const { appends } = storage;
  for (let round = 0; round < 10; round++) {
    await overtake();
    await Promise.all(Array.from({ length: 8 }, () => engine.update({ sources: ['w'], query: INCREMENT })));
    await setImmediate();
  }
  // None is refused: an engine reads the head when its turn has come.
  expect(storage.appends - appends).toBe(80);
  expect(await count()).toBe(5 + 90);
  for (const each of [engine, other]) await each.close();
});

it('an engine that is alone again stops reserving', async () => {
  const { storage, engine, other, overtake } = await opened();
  storage.overtake = overtake;
  await engine.update({ sources: ['w'], query: INCREMENT });
  await setImmediate();
  storage.overtake = async () => undefined;
  for (let write = 0; write < 40; write++) {
    await engine.update({ sources: ['w'], query: INCREMENT });
    await setImmediate();
  }
  expect(storage.reservedMs.length).toBe(1 + 16);
  for (const each of [engine, other]) await each.close();
});

it('a turn that no write uses ends before the engine is closed', async () => {
  const { storage, engine, other, overtake } = await opened();
  storage.overtake = overtake;
  await engine.update({ sources: ['w'], query: INCREMENT });
  expect(storage.reserved).toBe(1);
  await engine.close();
  expect(storage.reserved).toBe(0);
  await other.close();
});
