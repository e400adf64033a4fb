import { expect, it } from 'vitest';
import { MemoryContents, MemoryStorage, WorldsEngine } from '../../../src/index.ts';
import { SharedMemoryStorage } from './shared-memory-storage.ts';

async function opened(contents: MemoryContents) {
  const storage = new SharedMemoryStorage(contents);
  return { storage, engine: await WorldsEngine.open({ storage, textIndex: null, compaction: 'manual' }) };
}

it('reads the storage only if the engine has not reached the revision', async () => {
  const contents = new MemoryContents();
  const [one, other] = [await opened(contents), await opened(contents)];
  expect(one.engine.isShared).toBe(true);
  const { revision: first } = await one.engine.createWorld({ slug: 'w' });
  expect(await other.engine.catchUp()).toBe(first);
  const { revision } = await one.engine.updateWorld({ source: 'w', label: 'new' });
  const { heads } = other.storage;
  expect(await other.engine.catchUp({ revision: first })).toBe(first);
  expect(other.storage.heads).toBe(heads);
  expect((await other.engine.getWorld({ source: 'w' }))!.label).toBeUndefined();
  expect(await other.engine.catchUp({ revision })).toBe(revision);
  expect(other.storage.heads).toBeGreaterThan(heads);
  expect((await other.engine.getWorld({ source: 'w' }))!.label).toBe('new');
  // A revision that there is not is no reason to wait.
  expect(await other.engine.catchUp({ revision: revision + 1000 })).toBe(revision);
  await one.engine.updateWorld({ source: 'w', label: 'newer' });
  expect(await other.engine.catchUp()).toBeGreaterThan(revision);
  for (const { engine } of [one, other]) await engine.close();
});

it('tells that a namespace is gone, and reaches the one that was created after it', async () => {
  const contents = new MemoryContents();
  const [one, other] = [await opened(contents), await opened(contents)];
  expect(await other.engine.catchUp({ namespace: 'n', revision: 3 })).toBe(0);
  const { revision } = await one.engine.createWorld({ slug: 'w', namespace: 'n' });
  expect(await other.engine.catchUp({ namespace: 'n', revision })).toBe(revision);
  await one.engine.deleteNamespace({ namespace: 'n' });
  expect(await other.engine.catchUp({ namespace: 'n', revision: revision + 1 })).toBe(0);
  expect(await other.engine.getWorld({ source: 'n/w' })).toBeNull();
  const again = await one.engine.createWorld({ slug: 'again', namespace: 'n' });
  expect(again.revision).toBeGreaterThan(revision);
  expect(await other.engine.catchUp({ namespace: 'n', revision: again.revision })).toBe(again.revision);
  expect(await other.engine.getWorld({ source: 'n/again' })).not.toBeNull();
  for (const { engine } of [one, other]) await engine.close();
});

it('waits no longer than its signal, and for nothing on a storage of its own', async () => {
  const contents = new MemoryContents();
  const [one, other] = [await opened(contents), await opened(contents)];
  const { revision } = await one.engine.createWorld({ slug: 'w' });
  await other.engine.catchUp();
  let release!: () => void;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  other.storage.delay = () => held;
  const stopping = new AbortController();
  const waiting = other.engine.catchUp({ revision: revision + 1, signal: stopping.signal });
  stopping.abort();
  await expect(waiting).rejects.toMatchObject({ code: 'ABORTED' });
  await expect(other.engine.catchUp({ signal: stopping.signal })).rejects.toMatchObject({ code: 'ABORTED' });
  release();
  expect(await other.engine.catchUp()).toBe(revision);
  await expect(other.engine.catchUp({ revision: -1 })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  await expect(other.engine.catchUp({ after: 1 } as never)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  for (const { engine } of [one, other]) await engine.close();

  for (const storage of [undefined, new MemoryStorage()]) {
    const alone = await WorldsEngine.open({ storage });
    expect(alone.isShared).toBe(false);
    expect(await alone.catchUp()).toBe(0);
    const world = await alone.createWorld({ slug: 'w' });
    expect(await alone.catchUp({ revision: world.revision + 5 })).toBe(world.revision);
    await alone.close();
    await expect(alone.catchUp()).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  }
});
