import { afterEach, describe, expect, it } from 'vitest';
import { dataFactory, type WorldChange, WorldsEngine, type WorldsEngineOptions } from '../../src/index.ts';

const { quad, namedNode, literal } = dataFactory;
const one = (n: number) => quad(namedNode(`urn:s${n}`), namedNode('urn:p'), literal(String(n)), namedNode('urn:g'));

const engines: WorldsEngine[] = [];
afterEach(async () => {
  for (const engine of engines.splice(0)) await engine.close();
});

async function opened(options: WorldsEngineOptions = {}): Promise<WorldsEngine> {
  const engine = await WorldsEngine.open({ textIndex: null, ...options });
  engines.push(engine);
  await engine.createWorld({ slug: 'a' });
  return engine;
}

const text = ({ kind, world, revision, inserted, deleted }: WorldChange) => ({
  kind,
  slug: world.slug,
  revision,
  inserted: Array.from(inserted, ({ object, graph }) => `${object.value} ${graph.value}`),
  deleted: Array.from(deleted, ({ object, graph }) => `${object.value} ${graph.value}`),
});

async function take(changes: AsyncIterator<WorldChange>, count: number) {
  const taken = [];
  for (let i = 0; i < count; i++) taken.push(text((await changes.next()).value));
  return taken;
}

const insert = (engine: WorldsEngine, n: number) => engine.write({ source: 'a', insert: [one(n)] });

describe('the changes of a namespace without storage', () => {
  it('are the commits since the first feed, in order', async () => {
    const engine = await opened();
    const changes = engine.changes();
    const coming = take(changes, 4);
    await insert(engine, 1);
    await engine.write({ source: 'a', insert: [one(2)], delete: [one(1)] });
    await engine.createWorld({ slug: 'b' });
    await engine.deleteWorld({ source: 'b' });
    const expected = [
      { kind: 'changed', slug: 'a', revision: 2, inserted: ['1 urn:g'], deleted: [] },
      { kind: 'changed', slug: 'a', revision: 3, inserted: ['2 urn:g'], deleted: ['1 urn:g'] },
      { kind: 'created', slug: 'b', revision: 4, inserted: [], deleted: [] },
      { kind: 'deleted', slug: 'b', revision: 5, inserted: [], deleted: [] },
    ];
    expect(await coming).toEqual(expected);
    expect(await take(engine.changes({ after: 2 }), 3)).toEqual(expected.slice(1));
  });

  it('do not reach back before the first feed, nor into the future', async () => {
    const engine = await opened();
    await insert(engine, 1);
    await engine.changes({ after: 2 }).return(undefined);
    for (const after of [0, 1, 3]) {
      await expect(engine.changes({ after }).next()).rejects.toMatchObject({
        code: 'TRUNCATED',
        revision: 2,
        oldestRevision: 2,
      });
    }
  });

  it('are kept up to a size, and the newest in any case', async () => {
    const engine = await opened({ retainChangesBytes: 1 });
    const changes = engine.changes();
    const first = changes.next();
    await insert(engine, 1);
    expect(text((await first).value)).toMatchObject({ revision: 2 });
    await insert(engine, 2);
    await insert(engine, 3);
    await expect(changes.next()).rejects.toMatchObject({ code: 'TRUNCATED', revision: 4, oldestRevision: 3 });
    expect(await take(engine.changes({ after: 3 }), 1)).toMatchObject([{ revision: 4 }]);
  });

  it('count as memory', async () => {
    const engine = await opened();
    const { memoryBytes: before } = await engine.stats();
    void engine
      .changes()
      .next()
      .catch(() => undefined);
    await engine.settle();
    const quads = Array.from({ length: 1000 }, (_, n) => one(n));
    await engine.write({ source: 'a', insert: quads });
    const plain = await opened();
    await plain.write({ source: 'a', insert: quads });
    const { memoryBytes: after } = await engine.stats();
    const { memoryBytes: without } = await plain.stats();
    expect(after - before).toBeGreaterThan(without - before);
  });

  it('are no longer kept once nobody has followed them for an hour', async () => {
    let now = 0;
    const engine = await opened({ clock: () => now });
    await engine.changes().return(undefined);
    await insert(engine, 1);
    const first = engine.changes({ after: 1 });
    expect(await take(first, 1)).toMatchObject([{ revision: 2 }]);
    await first.return(undefined);
    now += 3_600_001;
    await insert(engine, 2);
    await expect(engine.changes({ after: 1 }).next()).rejects.toMatchObject({ code: 'TRUNCATED' });
    const changes = engine.changes();
    await insert(engine, 3);
    expect(await take(changes, 1)).toMatchObject([{ revision: 4 }]);
  });

  it('end when the engine closes, and with the namespace', async () => {
    const engine = await opened();
    const ended = engine.changes().next();
    await engine.createWorld({ slug: 'a', namespace: 'other' });
    const gone = expect(engine.changes({ namespace: 'other' }).next()).rejects.toMatchObject({ code: 'TRUNCATED' });
    await engine.deleteNamespace({ namespace: 'other' });
    await gone;
    await engine.close();
    expect(await ended).toMatchObject({ done: true });
  });

  it('end with ABORTED when the signal fires', async () => {
    const engine = await opened();
    const controller = new AbortController();
    const next = engine.changes({ signal: controller.signal }).next();
    controller.abort();
    await expect(next).rejects.toMatchObject({ code: 'ABORTED' });
  });
});
