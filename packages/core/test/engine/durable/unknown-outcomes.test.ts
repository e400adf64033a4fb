import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { MemoryContents, type WorldChange, WorldsEngine, WorldsError } from '../../../src/index.ts';
import { dataFactory } from '../../../src/model/term.ts';
import { type Head, type NamespaceStorage, type StorageCapabilities, sameHead } from '../../../src/plugin.ts';
import { SharedMemoryStorage } from './shared-memory-storage.ts';

const { namedNode, literal, quad } = dataFactory;
const quadOf = (n: number) => quad(namedNode('urn:s'), namedNode('urn:p'), literal(`value ${n}`));

type Calls = Pick<NamespaceStorage, 'head' | 'append' | 'read' | 'drop' | 'truncate'>;

/** A storage in which the calls on the namespaces of users can be made to do something else. */
class ChangedStorage extends SharedMemoryStorage {
  override readonly capabilities: StorageCapabilities;
  change: (calls: Calls) => Partial<Calls> = () => ({});

  constructor(contents: MemoryContents, { shared = true } = {}) {
    super(contents);
    this.capabilities = { durable: false, shared };
    this.watches = shared;
  }

  override namespace(name: string): NamespaceStorage {
    const real = super.namespace(name);
    if (name === '_') return real;
    const calls = (): Calls => ({ ...real, ...this.change(real) });
    const changed: NamespaceStorage = Object.create(real);
    changed.head = () => calls().head();
    changed.append = (expected, records) => calls().append(expected, records);
    changed.read = (after, signal) => calls().read(after, signal);
    changed.drop = (expected) => calls().drop(expected);
    changed.truncate = (upTo) => calls().truncate(upTo);
    return changed;
  }
}

/** An append that takes effect, although the storage cannot tell. */
const inDoubt = ({ append }: Calls): Partial<Calls> => ({
  append: async (expected, records) => {
    await append(expected, records);
    throw new WorldsError('IN_DOUBT', 'The connection was lost.');
  },
  async *read() {
    yield* [];
    throw new WorldsError('INTERNAL', 'The storage cannot be read.');
  },
});

const valuesOf = async (engine: WorldsEngine) =>
  Buffer.from(await engine.export({ source: 'w' }))
    .toString()
    .match(/value \d/g)
    ?.sort() ?? [];

const write = (engine: WorldsEngine, n: number) => engine.write({ source: 'w', insert: [quadOf(n)] });

async function opened(storage: ChangedStorage): Promise<WorldsEngine> {
  return WorldsEngine.open({ storage, compaction: 'manual' });
}

/** A promise that is settled from outside. */
function gate(): { readonly isOpen: Promise<void>; open(): void } {
  let open!: () => void;
  const isOpen = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { isOpen, open };
}

describe('after an append of unknown outcome', () => {
  for (const shared of [false, true]) {
    it(`a commit that waited behind it is not taken for it (${shared ? 'shared' : 'own'} storage)`, async () => {
      const storage = new ChangedStorage(new MemoryContents(), { shared });
      const engine = await opened(storage);
      await engine.createWorld({ slug: 'w' });
      storage.change = inDoubt;
      const outcomes = [1, 2].map((n) => write(engine, n).catch((error: WorldsError) => error));
      const first = (await outcomes[0]) as WorldsError;
      storage.change = () => ({});
      expect(first).toMatchObject({ code: 'IN_DOUBT', commit: expect.any(String) });
      expect(await engine.commitStatus({ commit: first.commit! })).toBe('committed');
      // It has no part in that append, so its token must not be that of the other.
      const second = await outcomes[1];
      expect(second).not.toMatchObject({ code: 'IN_DOUBT', commit: first.commit });
      const isWritten = !(second instanceof Error);
      // The first call after the doubt may find that the namespace must be loaded again.
      await write(engine, 3).catch(() => write(engine, 3));
      expect(await valuesOf(engine)).toEqual(['value 1', ...(isWritten ? ['value 2'] : []), 'value 3']);
      await engine.close();
    });
  }

  it('readers see it soon, although the storage has reported it before', async () => {
    const storage = new ChangedStorage(new MemoryContents());
    const engine = await opened(storage);
    await engine.createWorld({ slug: 'w' });
    storage.change = (calls) => ({
      ...inDoubt(calls),
      append: async (expected, records) => {
        await calls.append(expected, records);
        // The watch yields the new head while the append is under way.
        storage.notify();
        await sleep(10);
        throw new WorldsError('IN_DOUBT', 'The connection was lost.');
      },
    });
    await expect(write(engine, 1)).rejects.toMatchObject({ code: 'IN_DOUBT' });
    storage.change = () => ({});
    while ((await valuesOf(engine)).length === 0) await sleep(20);
    await engine.close();
  });

  it('the deletion of a namespace is not reported as refused', async () => {
    const storage = new ChangedStorage(new MemoryContents());
    const engine = await opened(storage);
    await engine.createWorld({ slug: 'w' });
    storage.change = ({ drop }) => ({
      drop: async (expected) => {
        await drop(expected);
        throw new WorldsError('INTERNAL', 'The connection was lost.');
      },
    });
    await expect(engine.deleteNamespace({ namespace: 'default' })).rejects.toMatchObject({ code: 'INTERNAL' });
    storage.change = () => ({});
    await engine.createWorld({ slug: 'w' });
    expect(await valuesOf(engine)).toEqual([]);
    await engine.close();
  });
});

describe('engines of several processes', () => {
  it('an outcome without a commit is current, also if an append was under way', async () => {
    const contents = new MemoryContents();
    const storages = [new ChangedStorage(contents), new ChangedStorage(contents)];
    const [one, other] = await Promise.all(storages.map(opened));
    await one.createWorld({ slug: 'w' });
    await write(one, 1);
    const answer = gate();
    storages[0].change = ({ append }) => ({
      append: async (expected, records) => {
        const head = await append(expected, records);
        await answer.isOpen;
        return head;
      },
    });
    const slow = write(one, 2);
    while ((await valuesOf(other)).length < 2) await other.catchUp();
    await other.write({ source: 'w', delete: [quadOf(1)] });
    // The state of the first engine has the quad still.
    const again = write(one, 1);
    storages[0].change = () => ({});
    answer.open();
    await slow;
    expect(await again).toMatchObject({ inserted: 1 });
    for (const engine of [one, other]) await engine.close();
  });

  it('a namespace that is created while it is being looked for is in memory once', async () => {
    const storage = new ChangedStorage(new MemoryContents());
    const engine = await opened(storage);
    const looked = gate();
    const created = gate();
    // Both calls look for it together; the creation reads the head again, then the other call.
    let heads = 0;
    storage.change = ({ head }) => ({
      head: async () => {
        if (++heads === 3) {
          looked.open();
          await created.isOpen;
        }
        return head();
      },
    });
    const creating = engine.createWorld({ slug: 'w' });
    const finding = engine.getWorld({ source: 'w' });
    await looked.isOpen;
    const { revision } = await creating;
    const feed = engine.changes({ after: revision });
    const next = feed.next();
    created.open();
    await finding;
    await write(engine, 1);
    expect((await next).value).toMatchObject({ revision: revision + 1 });
    await engine.close();
  });

  it('a creation that is held up while the namespace is created and deleted elsewhere uses no revision again', async () => {
    const contents = new MemoryContents();
    const storages = [new ChangedStorage(contents), new ChangedStorage(contents)];
    const [one, other] = await Promise.all(storages.map(opened));
    const asked = gate();
    const deleted = gate();
    storages[0].change = ({ append }) => ({
      append: async (expected, records) => {
        asked.open();
        await deleted.isOpen;
        return append(expected, records);
      },
    });
    const creating = one.createWorld({ slug: 'w' });
    await asked.isOpen;
    await other.createWorld({ slug: 'w' });
    const { revision } = await write(other, 1);
    await other.deleteNamespace({ namespace: 'default' });
    storages[0].change = () => ({});
    deleted.open();
    expect((await creating).revision).toBeGreaterThan(revision);
    for (const engine of [one, other]) await engine.close();
  });

  it('a commit whose answer was lost is no reason to use terms that another engine has freed since', async () => {
    const contents = new MemoryContents();
    const storages = [new ChangedStorage(contents), new ChangedStorage(contents)];
    const [one, other] = await Promise.all(storages.map(opened));
    await one.createWorld({ slug: 'w' });
    await write(one, 1);
    await one.write({ source: 'w', delete: [quadOf(1)] });
    // The record is found before the log is truncated.
    storages[1].change = () => ({ truncate: async () => undefined });
    storages[0].change = ({ append }) => ({
      append: async (expected, records) => {
        await append(expected, records);
        await other.compact({ forgetChanges: true });
        throw new WorldsError('INTERNAL', 'The connection was lost.');
      },
    });
    await write(one, 2);
    storages[0].change = () => ({});
    // The first engine still has a number for the literal of the deleted quad.
    await write(one, 1);
    for (const engine of [one, other]) {
      await engine.catchUp();
      expect(await valuesOf(engine)).toEqual(['value 1', 'value 2']);
      expect((await engine.check()).problems).toEqual([]);
      await engine.close();
    }
    const again = await opened(new ChangedStorage(contents));
    expect(await valuesOf(again)).toEqual(['value 1', 'value 2']);
    await again.close();
  });

  it('a change feed continues if its namespace is loaded again while it waits for a commit', async () => {
    const contents = new MemoryContents();
    const storages = [new ChangedStorage(contents), new ChangedStorage(contents)];
    const [one, other] = await Promise.all(storages.map(opened));
    const { revision } = await other.createWorld({ slug: 'w' });
    await write(other, 0);
    await one.catchUp();
    const feed = one.changes({ after: revision + 1 });
    const received: WorldChange[] = [];
    const reading = (async () => {
      for await (const change of feed) {
        received.push(change);
        if (received.length === 2) return;
      }
    })();
    // The first read is that of the engine, the second that of the feed, which begins late.
    let reads = 0;
    const isRead = gate();
    const isWritten = gate();
    storages[0].change = ({ read }) => ({
      async *read(after, signal) {
        if (++reads === 2) {
          isRead.open();
          await isWritten.isOpen;
        }
        yield* read(after, signal);
      },
    });
    await write(other, 1);
    storages[0].notify();
    await isRead.isOpen;
    await other.write({ source: 'w', delete: [quadOf(0)], insert: [quadOf(2)] });
    expect((await other.compact({})).terms).toBe(0);
    await other.write({ source: 'w', delete: [quadOf(2)] });
    await other.write({ source: 'w', insert: [quadOf(3)] });
    isWritten.open();
    await sleep(0);
    await other.compact({ forgetChanges: true });
    storages[0].notify();
    await reading.catch((error: unknown) => expect(error).toMatchObject({ code: 'TRUNCATED' }));
    for (const { inserted } of received) expect([...inserted]).toHaveLength(1);
    for (const engine of [one, other]) await engine.close();
  });
});

/** A storage that tells of heads like a database: when it looks, of those that it has not told. */
class LookingStorage extends ChangedStorage {
  look: () => void = () => undefined;
  /** Position of the last head that it has told. */
  told = -1;

  override namespace(name: string): NamespaceStorage {
    const changed = super.namespace(name);
    const { look } = this;
    if (name === '_') return changed;
    const storage = this;
    changed.watch = async function* (signal) {
      let last: Head | undefined;
      while (!signal.aborted) {
        const head = await changed.head();
        if (!last || !sameHead(last, head)) {
          storage.told = head.position;
          yield head;
        }
        last = head;
        await new Promise<void>((resolve) => {
          storage.look = resolve;
          signal.addEventListener('abort', () => resolve());
        });
      }
      storage.look = look;
    };
    return changed;
  }
}

it('a namespace that this process has created and another one soon deletes is gone', async () => {
  const contents = new MemoryContents();
  const storage = new LookingStorage(contents);
  const [one, other] = await Promise.all([storage, new ChangedStorage(contents)].map(opened));
  await one.createWorld({ slug: 'w' });
  await other.deleteNamespace({ namespace: 'default' });
  while ((await one.listWorlds()).length > 0) {
    storage.look();
    await sleep(5);
  }
  for (const engine of [one, other]) await engine.close();
});

it('a commit of another process is seen that was reported during an append with a late answer', async () => {
  const contents = new MemoryContents();
  const storage = new LookingStorage(contents);
  const [one, other] = await Promise.all([storage, new ChangedStorage(contents)].map(opened));
  await one.createWorld({ slug: 'w' });
  while (storage.told < 1) await sleep(5);
  const isAppended = gate();
  const answer = gate();
  storage.change = ({ append }) => ({
    append: async (expected, records) => {
      const head = await append(expected, records);
      isAppended.open();
      await answer.isOpen;
      return head;
    },
  });
  const slow = write(one, 1);
  await isAppended.isOpen;
  await other.catchUp();
  await write(other, 2);
  // The head of the second commit is told now, and not again.
  storage.look();
  while (storage.told < 3) await sleep(5);
  storage.change = () => ({});
  answer.open();
  await slow;
  while ((await valuesOf(one)).length < 2) await sleep(5);
  for (const engine of [one, other]) await engine.close();
});

it('a namespace is seen that another process creates after its creation here has failed', async () => {
  const contents = new MemoryContents();
  const storage = new LookingStorage(contents);
  const [one, other] = await Promise.all([storage, new ChangedStorage(contents)].map(opened));
  const refuse = async () => {
    throw new WorldsError('INTERNAL', 'The connection was lost.');
  };
  let heads = 0;
  storage.change = ({ head }) => ({
    append: refuse,
    // The first call looks whether the namespace exists, the second one what became of it.
    head: () => (++heads === 2 ? refuse() : head()),
  });
  await expect(one.createWorld({ slug: 'w' })).rejects.toMatchObject({ code: 'INTERNAL' });
  expect(heads).toBe(2);
  storage.change = () => ({});
  // A write that finds nothing resolves the doubt.
  await expect(write(one, 1)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await other.createWorld({ slug: 'w' });
  await write(other, 2);
  // A list reads no head.
  while ((await one.listWorlds()).length === 0) await sleep(20);
  for (const engine of [one, other]) await engine.close();
});

it('the creation of a namespace is not called absent if others have deleted and created it since', async () => {
  const contents = new MemoryContents();
  const storage = new ChangedStorage(contents);
  const [engine, other] = [await opened(storage), await opened(new ChangedStorage(contents))];
  storage.change = inDoubt;
  const error = await engine.createWorld({ slug: 'w' }).catch((cause: WorldsError) => cause);
  storage.change = () => ({});
  expect(error).toMatchObject({ code: 'IN_DOUBT' });
  await other.deleteNamespace({ namespace: 'default' });
  await other.createWorld({ slug: 'w' });
  const { commit } = error as WorldsError;
  await expect(engine.commitStatus({ commit: commit! })).rejects.toMatchObject({ code: 'TRUNCATED' });
  for (const one of [engine, other]) await one.close();
});

it('a change feed yields the commits of others that were followed before the rest could not be read', async () => {
  const contents = new MemoryContents();
  const storage = new ChangedStorage(contents);
  const [engine, other] = [await opened(storage), await opened(new ChangedStorage(contents))];
  const { revision } = await engine.createWorld({ slug: 'w' });
  const feed = engine.changes({ after: revision });
  const next = feed.next();
  const failed = gate();
  storage.change = ({ read }) => ({
    async *read(after, signal) {
      yield* read(after, signal);
      failed.open();
      throw new Error('The connection was lost.');
    },
  });
  await write(other, 1);
  storage.notify();
  await failed.isOpen;
  storage.change = () => ({});
  expect((await next).value).toMatchObject({ revision: revision + 1 });
  await feed.return(undefined);
  for (const one of [engine, other]) await one.close();
});
