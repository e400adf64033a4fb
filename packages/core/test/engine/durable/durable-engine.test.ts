import type * as RDF from '@rdfjs/types';
import { describe, expect, it } from 'vitest';
import { dataFactory, MemoryStorage, WorldsEngine } from '../../../src/index.ts';
import { dataOf, linesOf, stateOf } from '../world-state.ts';
import { FaultyStorage } from './faulty-storage.ts';

const { quad, namedNode, literal, blankNode } = dataFactory;

const one = (n: number) => quad(namedNode(`urn:s${n}`), namedNode('urn:p'), literal(String(n)));
const opened = (storage: MemoryStorage, checkpointLogBytes = 1e9) =>
  WorldsEngine.open({ storage, textIndex: null, checkpointLogBytes });
const again = (storage: FaultyStorage) => new FaultyStorage(storage.contents);

/** Lets everything run that does not wait for a storage. */
async function turns(): Promise<void> {
  for (let i = 0; i < 40; i++) await new Promise((resolve) => setImmediate(resolve));
}

/** A promise and the means to keep it. */
function gate() {
  let open!: () => void;
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { passed, open };
}

describe('opening again', () => {
  for (const how of ['from the log', 'from a checkpoint', 'from both'] as const) {
    it(`gives everything back, byte for byte, ${how}`, async () => {
      const storage = new MemoryStorage();
      const engine = await opened(storage);
      await engine.createWorld({ slug: 'a', label: 'A "label"', description: null });
      await engine.createWorld({ slug: 'b', namespace: 'other', description: 'é' });
      await engine.import({
        source: 'a',
        contentType: 'text/turtle',
        data: '@prefix : <urn:x:> . :s :p [ :q "x"@en, "01"^^<urn:dt>, 1.50 ] ; :r << :a :b _:c >> .'.replace(
          ':r << :a :b _:c >>',
          ':r _:c',
        ),
      });
      await engine.update({
        sources: ['a'],
        query: 'CREATE GRAPH <urn:empty>; INSERT DATA { GRAPH <urn:g> { <urn:s> <urn:p> _:x } }',
      });
      if (how !== 'from the log') await engine.checkpoint();
      if (how !== 'from a checkpoint') {
        await engine.update({ sources: ['a'], query: 'DELETE WHERE { ?s <urn:x:q> 1.50 }' });
        await engine.updateWorld({ source: 'other/b', label: 'B' });
      }
      const before = [await stateOf(engine, 'a'), await stateOf(engine, 'other/b')];
      const reopened = await opened(new MemoryStorage(storage.contents));
      expect([await stateOf(reopened, 'a'), await stateOf(reopened, 'other/b')]).toEqual(before);
      expect(await reopened.hasGraph({ source: 'a', graph: 'urn:empty' })).toBe(true);
      expect(await reopened.listNamespaces()).toEqual(['default', 'other']);
      // Blank nodes are the same nodes: their labels mean them still.
      const nodes: RDF.Term[] = [];
      for await (const { subject } of reopened.quads({ source: 'a', predicate: namedNode('urn:x:q') }))
        nodes.push(subject);
      expect(nodes[0].termType).toBe('BlankNode');
      const { inserted } = await reopened.write({
        source: 'a',
        insert: [quad(nodes[0] as RDF.BlankNode, namedNode('urn:x:q'), literal('x', 'en'))],
      });
      expect(inserted).toBe(0);
      const revision = (await reopened.getWorld({ source: 'a' }))!.revision;
      await expect(reopened.write({ source: 'a', insert: [one(1)], ifRevision: revision - 1 })).rejects.toMatchObject({
        code: 'CONFLICT',
      });
      expect(
        (
          await reopened.write({
            source: 'a',
            insert: [one(1), quad(blankNode('n'), namedNode('urn:p'), literal('y'))],
            ifRevision: revision,
          })
        ).revision,
      ).toBe(revision + 1);
    });
  }

  it('reads a namespace when it is first named, once for everyone who names it, and no other', async () => {
    const storage = new MemoryStorage();
    const engine = await opened(storage);
    for (const namespace of ['one', 'two']) {
      await engine.createWorld({ namespace, slug: 'w' });
      await engine.write({ source: `${namespace}/w`, insert: [one(1)] });
    }
    const read: string[] = [];
    class Counting extends MemoryStorage {
      override namespace(name: string) {
        if (name !== '_') read.push(name);
        return super.namespace(name);
      }
    }
    const reopened = await opened(new Counting(storage.contents));
    expect(await reopened.listNamespaces()).toEqual(['one', 'two']);
    expect(read).toEqual([]);
    const answers = await Promise.all([
      dataOf(reopened, 'one/w'),
      reopened.getWorld({ source: 'one/w' }),
      reopened.write({ source: 'one/w', insert: [one(1)] }),
      reopened.ask({ namespace: 'one', query: 'ASK { <urn:s1> ?p ?o }' }),
      reopened.createWorld({ namespace: 'one', slug: 'w', ifExists: 'return' }),
    ]);
    expect(answers).toMatchObject(['<urn:s1> <urn:p> "1" .\n', { slug: 'w' }, { inserted: 0 }, true, { slug: 'w' }]);
    expect(read).toEqual(['one']);
  });

  it('after the last world was deleted, the engine is empty and no old data reappears', async () => {
    const storage = new MemoryStorage();
    const engine = await opened(storage);
    await engine.createWorld({ slug: 'w' });
    const { revision } = await engine.write({ source: 'w', insert: [one(1)] });
    await engine.checkpoint();
    await engine.deleteWorld({ source: 'w' });
    const reopened = await opened(new MemoryStorage(storage.contents));
    expect(await reopened.listNamespaces()).toEqual([]);
    expect(await reopened.getWorld({ source: 'w' })).toBeNull();
    const world = await engine.createWorld({ slug: 'w' });
    expect(world.revision).toBeGreaterThan(revision);
    const third = await opened(new MemoryStorage(storage.contents));
    expect(await stateOf(third, 'w')).toEqual({ record: world, data: '' });
  });

  it('refuses a damaged record, naming the commit', async () => {
    const storage = new MemoryStorage();
    const engine = await opened(storage);
    await engine.createWorld({ slug: 'w' });
    await engine.write({ source: 'w', insert: [one(1)] });
    class Damaged extends MemoryStorage {
      override namespace(name: string) {
        const real = super.namespace(name);
        const read = real.read.bind(real);
        real.read = async function* (after, signal) {
          for await (const record of read(after, signal)) {
            if (record.head.position === 2) record.data[70] ^= 1;
            yield record;
          }
        };
        return real;
      }
    }
    const reopened = await opened(new Damaged(storage.contents));
    await expect(reopened.getWorld({ source: 'w' })).rejects.toMatchObject({
      code: 'CORRUPT',
      message: expect.stringContaining('the namespace default, commit 2'),
    });
  });
});

describe('commits in flight', () => {
  it('go to the log together, and are seen when they are durable and not before', async () => {
    const storage = new FaultyStorage();
    const engine = await opened(storage);
    await engine.createWorld({ slug: 'w' });
    const disk = gate();
    storage.delay = () => disk.passed;
    storage.appends.length = 0;
    let done = 0;
    const writes = Array.from({ length: 64 }, async (_, n) => {
      const result = await engine.write({ source: 'w', insert: [one(n)] });
      done++;
      return result;
    });
    await turns();
    expect(done).toBe(0);
    expect(await dataOf(engine, 'w')).toBe('');
    expect(await engine.ask({ query: 'ASK { ?s ?p ?o }' })).toBe(false);
    disk.open();
    const results = await Promise.all(writes);
    expect(new Set(results.map(({ revision }) => revision)).size).toBe(64);
    expect(storage.appends.reduce((sum, records) => sum + records, 0)).toBe(64);
    expect(storage.appends.length).toBeLessThan(4);
    expect(await linesOf(engine, 'w')).toHaveLength(64);
    expect(await linesOf(await opened(again(storage)), 'w')).toHaveLength(64);
  });

  it('of writers that write again once they are answered go to the log together each time', async () => {
    const storage = new FaultyStorage();
    const engine = await opened(storage);
    await engine.createWorld({ slug: 'w' });
    storage.delay = turns;
    storage.appends.length = 0;
    const writer = async (_: unknown, n: number) => {
      for (let round = 0; round < 5; round++) await engine.write({ source: 'w', insert: [one(100 * round + n)] });
    };
    await Promise.all(Array.from({ length: 16 }, writer));
    expect(storage.appends.reduce((sum, records) => sum + records, 0)).toBe(80);
    // The first writer cannot know of the others.
    expect(storage.appends.length).toBeLessThanOrEqual(7);
    // A writer that is alone again waits for nobody.
    storage.delay = () => undefined;
    await engine.write({ source: 'w', insert: [one(1000)] });
    await engine.write({ source: 'w', insert: [one(1001)] });
    expect(storage.appends.slice(-2)).toEqual([1, 1]);
    await engine.close();
  });

  it('see each other, and a refusal waits for the commits that it depends on', async () => {
    const storage = new FaultyStorage();
    const engine = await opened(storage);
    await engine.createWorld({ slug: 'w' });
    const { revision } = (await engine.getWorld({ source: 'w' }))!;
    const disk = gate();
    storage.delay = () => disk.passed;
    const ended: string[] = [];
    const note = (name: string) => (outcome: unknown) => {
      ended.push(name);
      return outcome;
    };
    const first = engine.write({ source: 'w', insert: [one(1)] }).then(note('first'));
    const second = engine
      .update({ sources: ['w'], query: 'DELETE { ?s ?p "1" } INSERT { ?s ?p "2" } WHERE { ?s ?p "1" }' })
      .then(note('second'));
    await turns();
    const nothing = engine.write({ source: 'w', insert: [] }).then(note('nothing'));
    const refused = engine.write({ source: 'w', insert: [one(3)], ifRevision: revision }).catch(note('refused'));
    await turns();
    expect(ended).toEqual([]);
    disk.open();
    expect(await Promise.all([first, second, nothing, refused])).toMatchObject([
      { inserted: 1, revision: revision + 1 },
      { inserted: 1, deleted: 1, revision: revision + 2 },
      { inserted: 0, revision: revision + 2 },
      { code: 'CONFLICT' },
    ]);
    expect(await dataOf(engine, 'w')).toBe('<urn:s1> <urn:p> "2" .\n');
  });

  it('all fail when one does that they rest on; memory and log stay as they were, and the next one works', async () => {
    const storage = new FaultyStorage();
    const engine = await opened(storage);
    await engine.createWorld({ slug: 'w' });
    const before = await stateOf(engine, 'w');
    const disk = gate();
    storage.delay = () => disk.passed;
    storage.fate = () => 'fails';
    const doomed = [
      engine.write({ source: 'w', insert: [one(1)] }),
      engine.import({ source: 'w', data: '<urn:a> <urn:b> <urn:c> <urn:g> .' }),
      engine.update({ sources: ['w'], query: 'INSERT { ?s ?p "x" } WHERE { ?s ?p ?o }' }),
      engine.createWorld({ slug: 'v' }),
      engine.createWorld({ slug: 'v', ifExists: 'return' }),
      engine.updateWorld({ source: 'w', label: 'new' }),
      engine.write({ source: 'w', delete: [one(9)] }),
    ];
    await turns();
    disk.open();
    for (const outcome of await Promise.allSettled(doomed)) {
      expect(outcome).toMatchObject({
        status: 'rejected',
        reason: { code: 'INTERNAL', message: expect.stringContaining('The disk is broken') },
      });
    }
    storage.fate = () => 'works';
    expect(await stateOf(engine, 'w')).toEqual(before);
    expect(await engine.getWorld({ source: 'v' })).toBeNull();
    expect(await engine.write({ source: 'w', insert: [one(1)] })).toMatchObject({
      inserted: 1,
      revision: before.record!.revision + 1,
    });
    const after = await stateOf(engine, 'w');
    expect(await stateOf(await opened(again(storage)), 'w')).toEqual(after);
  });
});

describe('a checkpoint', () => {
  it('writes new segments, keeps unchanged ones, and truncates the log', async () => {
    const storage = new MemoryStorage();
    const engine = await WorldsEngine.open({ storage, textIndex: null, retainChangesBytes: 0 });
    await engine.createWorld({ slug: 'w' });
    await engine.import({ source: 'w', data: Array.from({ length: 20_000 }, (_, n) => one(n)) });
    await engine.checkpoint();
    const names = async () => {
      const { segments } = (await storage.namespace('default').checkpoint())!;
      return segments.map(({ name }) => name);
    };
    const first = await names();
    expect(await storage.namespace('default').stats()).toMatchObject({ logRecords: 0, segments: 3 });
    await engine.write({ source: 'w', insert: [one(100_000)] });
    await engine.checkpoint();
    await engine.checkpoint();
    const second = await names();
    const kept = second.filter((name) => first.includes(name));
    expect(kept.map((name) => name.split('-')[0]).sort()).toEqual(['run', 'terms']);
    expect(second).toHaveLength(5);
    expect(await linesOf(await opened(new MemoryStorage(storage.contents)), 'w')).toHaveLength(20_001);
  });

  it('is written in the background when the log grows, while commits continue', async () => {
    const storage = new MemoryStorage();
    const engine = await opened(storage, 50_000);
    await engine.createWorld({ slug: 'w' });
    for (let n = 0; n < 300; n++) {
      await engine.write({ source: 'w', insert: [one(n)], delete: [one(n - 50)] });
      await new Promise((resolve) => setImmediate(resolve));
    }
    await engine.settle();
    const checkpoint = await storage.namespace('default').checkpoint();
    expect(checkpoint!.at.position).toBeGreaterThan(200);
    expect(await linesOf(await opened(new MemoryStorage(storage.contents)), 'w')).toEqual(await linesOf(engine, 'w'));
  });

  it('that fails affects no request', async () => {
    const storage = new FaultyStorage();
    const errors: object[] = [];
    const logger = { debug: () => {}, warn: () => {}, error: (details: object) => errors.push(details) };
    const engine = await WorldsEngine.open({ storage, textIndex: null, checkpointLogBytes: 5000, logger });
    storage.checkpointFails = true;
    await engine.createWorld({ slug: 'w' });
    for (let n = 0; n < 30; n++) await engine.write({ source: 'w', insert: [one(n)] });
    // Not at every commit: it waits until there is more to save.
    expect(errors.length).toBeGreaterThan(1);
    expect(errors.length).toBeLessThan(20);
    expect(errors[0]).toMatchObject({ namespace: 'default' });
    await expect(engine.checkpoint()).rejects.toThrow('The disk is broken');
    storage.checkpointFails = false;
    await engine.checkpoint();
    expect(await linesOf(await opened(again(storage)), 'w')).toHaveLength(30);
  });
});
