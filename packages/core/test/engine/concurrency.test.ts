import { SeededRandom } from '@rdf-worlds/testkit';
import { describe, expect, it } from 'vitest';
import { dataFactory, WorldsEngine } from '../../src/index.ts';
import { dataOf, linesOf } from './world-state.ts';

const { namedNode, literal, quad, defaultGraph } = dataFactory;
const SOURCES = ['default/a', 'default/b', 'one/a', 'one/b', 'two/a'];
const GRAPHS = [defaultGraph(), namedNode('urn:g0'), namedNode('urn:g1')];

/** Lets other callers run, for a time that nobody can foresee. */
async function pause(random: SeededRandom): Promise<void> {
  const turns = random.below(4);
  for (let i = 0; i < turns; i++)
    await (random.chance(0.5) ? undefined : new Promise((resolve) => setImmediate(resolve)));
}

function randomQuad(random: SeededRandom, nodes: number) {
  const object = random.chance(0.5)
    ? literal(`value ${random.below(nodes)}`)
    : namedNode(`urn:n${random.below(nodes)}`);
  return quad(
    namedNode(`urn:n${random.below(nodes)}`),
    namedNode(`urn:p${random.below(3)}`),
    object,
    random.pick(GRAPHS),
  );
}

describe('writers side by side', () => {
  it('200 concurrent ones, each with its own quads: none are lost or duplicated', async () => {
    await using engine = await WorldsEngine.open({ textIndex: null });
    for (const source of SOURCES) {
      const [namespace, slug] = source.split('/');
      await engine.createWorld({ namespace, slug });
    }
    const counts = new Map(SOURCES.map((source) => [source, 0]));
    const writer = async (n: number) => {
      const random = new SeededRandom(n);
      const source = SOURCES[n % SOURCES.length];
      const mine = Array.from({ length: 20 }, (_, i) =>
        quad(namedNode(`urn:writer${n}`), namedNode(`urn:p${i % 3}`), literal(String(i)), GRAPHS[i % 3]),
      );
      await pause(random);
      const imported = await engine.import({
        source,
        data: random.chance(0.5)
          ? mine
          : (async function* () {
              for (const one of mine) {
                await pause(random);
                yield one;
              }
            })(),
      });
      expect(imported).toMatchObject({ quads: 20, inserted: 20 });
      let [inserted, deleted] = [20, 0];
      await pause(random);
      const { revision } = await engine.write({ source, delete: mine.slice(0, 5), insert: mine.slice(3, 5) });
      expect(revision).toBeGreaterThan(imported.revision);
      deleted += 3;
      await pause(random);
      const again = await engine.write({ source, insert: mine, delete: mine.slice(10) });
      expect(again).toMatchObject({ inserted: 3, deleted: 0 });
      inserted += 3;
      await pause(random);
      expect(await engine.write({ source, delete: [...mine.slice(15), ...mine.slice(15)] })).toMatchObject({
        inserted: 0,
        deleted: 5,
      });
      deleted += 5;
      counts.set(source, counts.get(source)! + inserted - deleted);
    };
    await Promise.all(Array.from({ length: 200 }, (_, n) => writer(n)));
    for (const source of SOURCES) {
      const lines = await linesOf(engine, source);
      expect(lines).toHaveLength(counts.get(source)!);
      expect(lines).toHaveLength(15 * 40);
    }
    expect((await engine.stats()).quads).toBe(15 * 200);
    await engine.settle();
    for (const source of SOURCES) expect(await linesOf(engine, source)).toHaveLength(600);
  });

  it('of the same quads: the counts returned add up to the quads stored', async () => {
    await using engine = await WorldsEngine.open({ textIndex: null });
    await engine.createWorld({ slug: 'w' });
    let net = 0;
    const writer = async (n: number) => {
      const random = new SeededRandom(1000 + n);
      for (let i = 0; i < 5; i++) {
        await pause(random);
        const some = () => Array.from({ length: random.below(12) }, () => randomQuad(random, 6));
        if (random.chance(0.3)) {
          const { inserted } = await engine.import({ source: 'w', data: some() });
          net += inserted;
        } else {
          const { inserted, deleted } = await engine.write({ source: 'w', insert: some(), delete: some() });
          net += inserted - deleted;
        }
      }
    };
    await Promise.all(Array.from({ length: 60 }, (_, n) => writer(n)));
    const lines = await linesOf(engine, 'w');
    expect(lines).toHaveLength(net);
    expect(new Set(lines).size).toBe(net);
  });

  it('and readers: each reader sees the world between two commits', async () => {
    await using engine = await WorldsEngine.open({ textIndex: null });
    await engine.createWorld({ slug: 'w' });
    // Every commit moves one token from graph to graph: a reader that sees two states at once sees
    // none or two.
    const token = (graph: number) =>
      quad(namedNode('urn:token'), namedNode('urn:in'), literal('x'), namedNode(`urn:g${graph}`));
    await engine.write({ source: 'w', insert: [token(0)] });
    let moving = true;
    const mover = (async () => {
      for (let i = 0; i < 300; i++) {
        await engine.write({ source: 'w', delete: [token(i % 50)], insert: [token((i + 1) % 50)] });
        if (i % 10 === 0) await new Promise((resolve) => setImmediate(resolve));
      }
      moving = false;
    })();
    let reads = 0;
    const reader = async (n: number) => {
      const random = new SeededRandom(n);
      while (moving) {
        await pause(random);
        if (random.chance(0.5)) {
          expect((await dataOf(engine, 'w')).split('\n')).toHaveLength(2);
        } else {
          let found = 0;
          for await (const _ of engine.quads({ source: 'w', subject: namedNode('urn:token') })) {
            found++;
            await pause(random);
          }
          expect(found).toBe(1);
        }
        reads++;
        await new Promise((resolve) => setImmediate(resolve));
      }
    };
    await Promise.all([mover, ...[1, 2, 3, 4].map(reader)]);
    expect(reads).toBeGreaterThan(10);
  });

  it('take their turns in the order of the calls, whatever they do', async () => {
    await using engine = await WorldsEngine.open({ textIndex: null });
    const { revision } = await engine.createWorld({ slug: 'w' });
    const value = (n: number) => quad(namedNode('urn:s'), namedNode('urn:p'), literal(String(n)));
    const replace = 'DELETE { ?s ?p "1" } INSERT { ?s ?p "2" } WHERE { ?s ?p "1" }';
    const results = await Promise.all([
      engine.write({ source: 'w', insert: [value(1)] }),
      engine.update({ sources: ['w'], query: replace }),
      engine.createWorld({ slug: 'v' }),
      engine.write({ source: 'w', delete: [value(2)], insert: [value(3)] }),
      engine.deleteGraph({ source: 'w', graph: defaultGraph() }),
      engine.updateWorld({ source: 'w', label: 'again' }),
      engine.update({ sources: ['w'], query: 'INSERT DATA { <urn:s> <urn:p> "4" }' }),
      engine.write({ source: 'w', delete: [value(3)], insert: [value(5)] }),
    ]);
    expect(results.map((result) => result.revision)).toEqual(results.map((_, at) => revision + 1 + at));
    expect(await dataOf(engine, 'w')).toBe('<urn:s> <urn:p> "4" .\n<urn:s> <urn:p> "5" .\n');
  });

  it('of worlds: one of many creators wins, and revisions never repeat', async () => {
    await using engine = await WorldsEngine.open({ textIndex: null });
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => engine.createWorld({ slug: 'w' })));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') expect(outcome.reason.code).toBe('ALREADY_EXISTS');
    const same = await Promise.all(
      Array.from({ length: 20 }, () => engine.createWorld({ slug: 'v', ifExists: 'return' })),
    );
    expect(new Set(same.map((world) => JSON.stringify(world))).size).toBe(1);
    const revisions = await Promise.all([
      ...Array.from(
        { length: 20 },
        async (_, i) =>
          (await engine.write({ source: i % 2 ? 'v' : 'w', insert: [randomQuad(new SeededRandom(i), 1000)] })).revision,
      ),
      ...Array.from(
        { length: 20 },
        async (_, i) => (await engine.updateWorld({ source: 'v', label: String(i) })).revision,
      ),
    ]);
    expect(new Set(revisions).size).toBe(40);
  });

  it('that delete and make worlds while others write to them: every call ends as it says', async () => {
    await using engine = await WorldsEngine.open({ textIndex: null });
    const random = new SeededRandom(7);
    const worker = async (n: number) => {
      const own = new SeededRandom(n);
      for (let i = 0; i < 30; i++) {
        const slug = `w${own.below(3)}`;
        try {
          await pause(own);
          if (n % 4 === 0) await engine.deleteWorld({ source: slug });
          else if (n % 4 === 1) await engine.createWorld({ slug });
          else if (n % 4 === 2) await engine.import({ source: slug, data: [randomQuad(own, 20), randomQuad(own, 20)] });
          else await engine.write({ source: slug, insert: [randomQuad(own, 20)], delete: [randomQuad(own, 20)] });
        } catch (error) {
          expect(['NOT_FOUND', 'ALREADY_EXISTS']).toContain((error as { code: string }).code);
        }
      }
    };
    await Promise.all(Array.from({ length: 16 }, (_, n) => worker(n)));
    await engine.settle();
    let quads = 0;
    for (const { slug } of await engine.listWorlds()) quads += (await linesOf(engine, slug)).length;
    expect((await engine.stats()).quads).toBe(quads);
    // Whatever is left, a world that is made now is empty.
    for (const slug of ['w0', 'w1', 'w2']) {
      if (await engine.getWorld({ source: slug })) await engine.deleteWorld({ source: slug });
      await engine.createWorld({ slug });
      expect(await linesOf(engine, slug)).toEqual([]);
      expect(await engine.write({ source: slug, insert: [randomQuad(random, 20)] })).toMatchObject({ inserted: 1 });
    }
  });
});
