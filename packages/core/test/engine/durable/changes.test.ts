import { describe, expect, it } from 'vitest';
import { dataFactory, MemoryStorage, type WorldChange, WorldsEngine, type WorldsError } from '../../../src/index.ts';

const { quad, namedNode, literal } = dataFactory;
const one = (n: number, graph?: string) =>
  quad(namedNode(`urn:s${n}`), namedNode('urn:p'), literal(String(n)), graph ? namedNode(graph) : undefined);
const opened = (storage: MemoryStorage, options = {}) => WorldsEngine.open({ storage, textIndex: null, ...options });

const text = (change: WorldChange) => ({
  kind: change.kind,
  slug: change.world.slug,
  revision: change.revision,
  inserted: [...change.inserted].map(({ subject, graph }) => `${subject.value} ${graph.value}`),
  deleted: [...change.deleted].map(({ subject, graph }) => `${subject.value} ${graph.value}`),
});

/** The next `count` changes. */
async function take(changes: AsyncIterator<WorldChange>, count: number) {
  const taken = [];
  for (let i = 0; i < count; i++) taken.push(text((await changes.next()).value));
  return taken;
}

describe('the change feed', () => {
  it('gives every commit in order, those of the log and those that come', async () => {
    const storage = new MemoryStorage();
    const engine = await opened(storage, { clock: () => 1000 });
    await engine.createWorld({ slug: 'a' });
    await engine.createWorld({ slug: 'keeps the namespace'.replaceAll(' ', '-') });
    await engine.write({ source: 'a', insert: [one(1), one(2, 'urn:g')] });
    const reopened = await opened(new MemoryStorage(storage.contents));
    const changes = reopened.changes({ after: 0 });
    expect(await take(changes, 3)).toEqual([
      { kind: 'created', slug: 'a', revision: 1, inserted: [], deleted: [] },
      { kind: 'created', slug: 'keeps-the-namespace', revision: 2, inserted: [], deleted: [] },
      { kind: 'changed', slug: 'a', revision: 3, inserted: ['urn:s1 ', 'urn:s2 urn:g'], deleted: [] },
    ]);
    const coming = take(changes, 4);
    await reopened.write({ source: 'a', insert: [one(3)], delete: [one(1)] });
    await reopened.updateWorld({ source: 'a', label: 'A' });
    await reopened.update({ sources: ['a'], query: 'DROP GRAPH <urn:g>' });
    await reopened.deleteWorld({ source: 'a' });
    expect(await coming).toEqual([
      { kind: 'changed', slug: 'a', revision: 4, inserted: ['urn:s3 '], deleted: ['urn:s1 '] },
      { kind: 'changed', slug: 'a', revision: 5, inserted: [], deleted: [] },
      { kind: 'changed', slug: 'a', revision: 6, inserted: [], deleted: ['urn:s2 urn:g'] },
      { kind: 'deleted', slug: 'a', revision: 7, inserted: [], deleted: [] },
    ]);
  });

  it('without a revision starts with the next commit', async () => {
    const engine = await opened(new MemoryStorage());
    await engine.createWorld({ slug: 'a' });
    const changes = engine.changes();
    await engine.write({ source: 'a', insert: [one(1)] });
    expect(await take(changes, 1)).toMatchObject([{ revision: 2, inserted: ['urn:s1 '] }]);
  });

  it('built up from the beginning is the world', async () => {
    const engine = await opened(new MemoryStorage());
    await engine.createWorld({ slug: 'a' });
    for (let n = 0; n < 40; n++) {
      await engine.write({ source: 'a', insert: [one(n), one(n, 'urn:g')], delete: [one(n - 7), one(n - 3, 'urn:g')] });
    }
    const copy = new Set<string>();
    let last = 0;
    const { revision } = (await engine.getWorld({ source: 'a' }))!;
    for await (const change of engine.changes({ after: 0 })) {
      for (const { subject, graph } of change.deleted)
        expect(copy.delete(`${subject.value} ${graph.value}`)).toBe(true);
      for (const { subject, graph } of change.inserted) copy.add(`${subject.value} ${graph.value}`);
      expect(change.revision).toBe(++last);
      if (last === revision) break;
    }
    const there = [];
    for await (const { subject, graph } of engine.quads({ source: 'a' })) there.push(`${subject.value} ${graph.value}`);
    expect([...copy].sort()).toEqual(there.sort());
  });

  it('throws TRUNCATED if the log was truncated, and continues from where it starts', async () => {
    const storage = new MemoryStorage();
    const engine = await opened(storage, { retainChangesBytes: 0 });
    await engine.createWorld({ slug: 'a' });
    await engine.write({ source: 'a', insert: [one(1)] });
    await engine.checkpoint();
    await engine.write({ source: 'a', insert: [one(2)] });
    await engine.write({ source: 'a', insert: [one(3)] });
    for (const after of [0, 1, 99]) {
      const refusal = { code: 'TRUNCATED', revision: 4, oldestRevision: 2 };
      await expect(engine.changes({ after }).next()).rejects.toMatchObject(refusal);
    }
    expect(await take(engine.changes({ after: 2 }), 2)).toMatchObject([{ revision: 3 }, { revision: 4 }]);
  });

  it('keeps the log through checkpoints, by age', async () => {
    const storage = new MemoryStorage();
    let now = 0;
    const engine = await opened(storage, { retainChangesMs: 100, clock: () => now });
    await engine.createWorld({ slug: 'a' });
    for (now = 1; now < 10; now++) {
      await engine.write({ source: 'a', insert: [one(now)] });
      await engine.checkpoint();
    }
    expect(await take(engine.changes({ after: 0 }), 10)).toHaveLength(10);
    now = 105;
    await engine.write({ source: 'a', insert: [one(105)] });
    await engine.checkpoint();
    const refusal = (await engine
      .changes({ after: 4 })
      .next()
      .catch((error: unknown) => error)) as WorldsError;
    expect(refusal).toMatchObject({ code: 'TRUNCATED', revision: 11 });
    const oldest = refusal.oldestRevision!;
    expect(await take(engine.changes({ after: oldest }), 1)).toMatchObject([{ revision: oldest + 1 }]);
    await expect(engine.changes({ after: oldest - 1 }).next()).rejects.toMatchObject({ oldestRevision: oldest });
  });

  it('ends with the engine, by its signal, and with TRUNCATED when the namespace is deleted', async () => {
    const engine = await opened(new MemoryStorage());
    await engine.createWorld({ slug: 'a' });
    await engine.createWorld({ namespace: 'other', slug: 'a' });
    const aborting = new AbortController();
    const aborted = engine.changes({ signal: aborting.signal }).next();
    const deleted = engine.changes({ namespace: 'other' }).next();
    const ended = engine.changes().next();
    await new Promise((resolve) => setImmediate(resolve));
    aborting.abort();
    await expect(aborted).rejects.toMatchObject({ code: 'ABORTED' });
    const gone = expect(deleted).rejects.toMatchObject({ code: 'TRUNCATED' });
    await engine.deleteNamespace({ namespace: 'other' });
    await gone;
    await engine.close();
    expect(await ended).toMatchObject({ done: true });
  });

  it('needs a namespace', async () => {
    const durable = await opened(new MemoryStorage());
    await expect(durable.changes().next()).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(durable.changes({ after: -1 }).next()).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  });
});
