import assert from 'node:assert/strict';
import { WorldsError } from '@rdf-worlds/core';
import { type Head, type NamespaceStorage, NO_HEAD, type Storage } from '@rdf-worlds/core/plugin';
import { all, append, checkpointText, fails, record, type StorageProbe, segment, textsOf } from './storage-probe.ts';

type Case = (name: string, test: (probe: StorageProbe) => Promise<void>, options?: { open: boolean }) => void;

/** Every call of a namespace. */
const NAMESPACE_CALLS: readonly ((namespace: NamespaceStorage, head: Head) => Promise<unknown>)[] = [
  (namespace) => namespace.head(),
  (namespace, head) => namespace.append(head, [record('late')]),
  (namespace) => all(namespace.read(NO_HEAD)),
  (namespace) => namespace.checkpoint(),
  (namespace, head) => namespace.writeCheckpoint(head, [segment('late', 'x')]),
  (namespace, head) => namespace.truncate(head),
  (namespace) => namespace.stats(),
  (namespace) => namespace.drop(),
];

async function refusesEverything(storage: Storage): Promise<void> {
  await fails('INVALID_ARGUMENT', () => all(storage.namespaces()));
  for (const call of NAMESPACE_CALLS)
    await fails('INVALID_ARGUMENT', async () =>
      call(storage.namespace('n'), { incarnation: 'x', position: 1, generation: 0 }),
    );
}

/** Cases for opening, closing and persistence. */
export function lifecycleCases(it: Case): void {
  it('declares its capabilities', async ({ storage }) => {
    assert.equal(typeof storage.capabilities.durable, 'boolean');
    assert.equal(typeof storage.capabilities.shared, 'boolean');
  });

  it('rejects every call before it is opened', ({ storage }) => refusesEverything(storage), { open: false });

  it('can be opened only once', async ({ storage }) => {
    await fails('INVALID_ARGUMENT', () => storage.open());
    await append(storage.namespace('n'), 'a');
  });

  it(
    'can be closed without having been opened, and cannot be opened then',
    async ({ storage }) => {
      await storage.close();
      await fails('INVALID_ARGUMENT', () => storage.open());
    },
    { open: false },
  );

  it('a second close does nothing', async ({ storage }) => {
    await append(storage.namespace('n'), 'a');
    await Promise.all([storage.close(), storage.close()]);
    await storage.close();
  });

  it('rejects every use after close, including earlier handles and segments', async (probe) => {
    const namespace = probe.namespace();
    const head = await append(namespace, 'a', 'b');
    await namespace.writeCheckpoint(head, [segment('s', 'content')]);
    const [stored] = (await namespace.checkpoint())!.segments;
    await probe.storage.close();
    await refusesEverything(probe.storage);
    for (const call of NAMESPACE_CALLS) await fails('INVALID_ARGUMENT', () => call(namespace, head));
    await fails('INVALID_ARGUMENT', () => stored.read());
  });

  it('a read in progress at close fails at its next record', async (probe) => {
    await append(probe.namespace(), 'a', 'b');
    const reader = probe.namespace().read(NO_HEAD)[Symbol.asyncIterator]();
    await reader.next();
    await probe.storage.close();
    await fails('INVALID_ARGUMENT', () => reader.next());
  });

  it('a checkpoint in progress at close fails and is not stored', async (probe) => {
    const namespace = probe.namespace();
    const head = await append(namespace, 'a');
    await namespace.writeCheckpoint(head, [segment('old', 'old')]);
    let closed: Promise<void> | undefined;
    const writing = namespace.writeCheckpoint(head, [
      {
        name: 'new',
        async *write() {
          yield Buffer.from('n');
          closed = probe.storage.close();
          yield Buffer.from('ew');
        },
      },
    ]);
    await fails('INVALID_ARGUMENT', () => writing);
    await closed;
    await probe.reopen();
    assert.equal(await checkpointText(probe.namespace()), '1: old=old');
  });

  it('has everything that was acknowledged after it is reopened', async (probe) => {
    const head = await append(probe.namespace(), 'a', 'b', 'c');
    await probe.namespace().writeCheckpoint({ ...head, position: 2 }, [segment('s1', 'one'), segment('s2', 'two')]);
    await probe.namespace().truncate({ ...head, position: 1 });
    await append(probe.namespace('other'), 'x');
    for (let round = 0; round < 2; round++) {
      await probe.reopen();
      assert.deepEqual(await probe.namespaces(), ['n', 'other']);
      assert.deepEqual(await probe.namespace().head(), head);
      assert.deepEqual(await textsOf(probe.namespace(), { ...head, position: 1 }), ['b', 'c']);
      await fails('TRUNCATED', () => textsOf(probe.namespace()));
      assert.equal(await checkpointText(probe.namespace()), '2: s1=one s2=two');
    }
    assert.deepEqual(await probe.namespace().append(head, [record('d')]), { ...head, position: 4 });
  });

  it('continues where it was when it is reopened after every append', async (probe) => {
    const texts: string[] = [];
    for (let round = 0; round < 8; round++) {
      const more = Array.from({ length: (round % 3) + 1 }, (_, at) => `${round}.${at}`);
      await append(probe.namespace(), ...more);
      texts.push(...more);
      await probe.reopen();
      assert.deepEqual(await textsOf(probe.namespace()), texts);
    }
  });

  it('an append whose outcome is unknown is present in full or not at all, and is found by its id', async (probe) => {
    const before = await append(probe.namespace(), 'a');
    const unseen = Array.from({ length: 3 }, (_, at) => record(`unseen ${at}`));
    const appending = probe
      .namespace()
      .append(before, unseen)
      .catch((error: unknown) => error);
    await probe.reopen();
    const outcome = await appending;
    const found = (await all(probe.namespace().read(before))).map(({ id }) => id);
    if (!(outcome instanceof Error))
      assert.deepEqual(
        found,
        unseen.map(({ id }) => id),
        'it was acknowledged',
      );
    else assert.ok(outcome instanceof WorldsError, `it was refused with ${outcome}`);
    if (found.length === 0) await probe.namespace().append(before, unseen);
    assert.deepEqual(await textsOf(probe.namespace(), before), ['unseen 0', 'unseen 1', 'unseen 2']);
  });
}
