import { SeededRandom } from '@rdf-worlds/testkit';
import { describe, expect, it } from 'vitest';
import { bm25TextIndex, WorldsEngine, WorldsError } from '../../src/index.ts';
import type { TextIndex } from '../../src/plugin.ts';
import { LearningEmbedder } from '../search/learning-embedder.ts';

/** An engine that counts the texts that were added to its index, and can fail to add one. */
async function countingEngine(options: Parameters<typeof WorldsEngine.open>[0] = {}) {
  const seen = { added: 0, failsOn: undefined as string | undefined, beforeAdd: (_text: string) => {} };
  const textIndex = async () => {
    const index = await bm25TextIndex()();
    const add: TextIndex['add'] = (doc, text, ...rest) => {
      seen.beforeAdd(text);
      if (text === seen.failsOn) throw new Error('The index failed.');
      seen.added++;
      index.add(doc, text, ...rest);
    };
    return Object.assign(Object.create(index), { add }) as TextIndex;
  };
  const engine = await WorldsEngine.open({ ...options, textIndex });
  const fill = async (slug: string, texts: number) => {
    await engine.createWorld({ slug });
    const data = Array.from({ length: texts }, (_, at) => `<urn:${slug}:${at}> <urn:p> "lantern ${slug} ${at}" .`);
    await engine.import({ source: slug, data: data.join('\n') });
  };
  const slugs = async (sources?: readonly string[], query = 'lantern') => {
    const hits = await engine.search({ query, limit: 1000, ...(sources && { sources }) });
    return [...new Set(hits.map(({ world }) => world.slug))].sort();
  };
  return { engine, seen, fill, slugs };
}

describe('the first search in a world', () => {
  it('indexes only the worlds that it includes', async () => {
    const { engine, seen, fill, slugs } = await countingEngine();
    for (let world = 0; world < 30; world++) await fill(`w${world}`, 10);
    expect(await slugs(['w3'])).toEqual(['w3']);
    expect(seen.added).toBe(10);
    expect(await slugs(['w3', 'w7'])).toEqual(['w3', 'w7']);
    expect(seen.added).toBe(20);
    const found = await engine.select({
      query: `PREFIX ws: <urn:rdf-worlds:search#>
        SELECT ?s { SERVICE <urn:rdf-worlds:search> { [] ws:query "lantern" ; ws:subject ?s ; ws:limit 100 } }`,
      sources: ['w9'],
    });
    expect(await found.array()).toHaveLength(10);
    expect(seen.added).toBe(30);
    // Neither a commit nor a deletion elsewhere is indexed.
    await engine.import({ source: 'w20', data: '<urn:x> <urn:p> "sextant" .' });
    await engine.deleteWorld({ source: 'w21' });
    expect(await slugs(['w3'])).toEqual(['w3']);
    expect(seen.added).toBe(30);
    expect(await slugs()).toHaveLength(29);
    expect(seen.added).toBe(291);
    expect(await slugs(undefined, 'sextant')).toEqual(['w20']);
    expect((await engine.check()).problems).toEqual([]);
    await engine.close();
  });

  it('leaves commits in a world to the background from then on, and in new worlds once all are indexed', async () => {
    const { engine, seen, fill, slugs } = await countingEngine();
    for (const slug of ['a', 'b']) await fill(slug, 5);
    await slugs(['a']);
    await engine.import({ source: 'a', data: '<urn:x> <urn:p> "more" .' });
    await fill('c', 5);
    await engine.settle();
    while (seen.added < 6) await new Promise((resolve) => setImmediate(resolve));
    expect(seen.added).toBe(6);
    await slugs();
    expect(seen.added).toBe(16);
    await fill('d', 5);
    while (seen.added < 21) await new Promise((resolve) => setImmediate(resolve));
    expect(await slugs(['d'])).toEqual(['d']);
    expect(seen.added).toBe(21);
    await engine.close();
  });

  it('that is aborted keeps what it indexed, and sees what changed meanwhile', async () => {
    const { engine, seen, fill, slugs } = await countingEngine();
    await fill('a', 5);
    await fill('b', 30_000);
    await slugs(['a']);
    const abort = new AbortController();
    let texts = 0;
    seen.beforeAdd = () => {
      if (++texts === 9_000) abort.abort();
    };
    await expect(engine.search({ query: 'lantern', sources: ['b'], signal: abort.signal })).rejects.toThrow();
    expect(texts).toBeGreaterThanOrEqual(9_000);
    expect(texts).toBeLessThan(30_000);
    expect(await slugs(['a'])).toEqual(['a']);
    await engine.update({ query: 'DELETE DATA { <urn:b:1> <urn:p> "lantern b 1" }', sources: ['b'] });
    await engine.update({ query: 'INSERT DATA { <urn:b:new> <urn:p> "sextant" }', sources: ['b'] });
    expect(await slugs(['b'], 'sextant')).toEqual(['b']);
    // No text was added twice.
    expect(seen.added).toBe(5 + 30_000 + 1);
    expect(await engine.search({ query: 'lantern', sources: ['b'], subjects: ['urn:b:1'] })).toEqual([]);
    expect((await engine.check()).problems).toEqual([]);
    await engine.close();
  });

  it('that never gets the time it needs succeeds when it is repeated, and says how far it is', async () => {
    const { engine, seen, fill } = await countingEngine();
    await fill('b', 30_000);
    let deadline = new AbortController();
    let left = 0;
    seen.beforeAdd = () => {
      if (--left === 0) deadline.abort(new WorldsError('TIMEOUT', 'too late'));
    };
    const shares: number[] = [];
    for (;;) {
      deadline = new AbortController();
      left = 7_000;
      const found = await engine
        .search({ query: 'lantern', limit: 1, signal: deadline.signal })
        .catch((error: WorldsError) => error);
      if (Array.isArray(found)) break;
      expect(found.code).toBe('TIMEOUT');
      // The signal came too late to stop the indexing: the next search finds it done.
      if (found.message === 'too late') continue;
      expect(found.message).toContain('Search again');
      shares.push(Number(/(\d+)% are indexed/.exec(found.message)![1]));
    }
    expect(shares.length).toBeGreaterThan(0);
    expect(shares).toEqual([...shares].sort((a, b) => a - b));
    expect(shares.at(-1)).toBeLessThan(100);
    expect(seen.added).toBe(30_000);
    await engine.close();
  });

  it('that is aborted and not repeated continues in the background', async () => {
    const { engine, seen, fill } = await countingEngine();
    await fill('b', 20_000);
    const abort = new AbortController();
    seen.beforeAdd = () => abort.abort();
    await expect(engine.search({ query: 'lantern', signal: abort.signal })).rejects.toThrow();
    while (seen.added < 20_000) await new Promise((resolve) => setImmediate(resolve));
    expect(await engine.search({ query: 'lantern', limit: 1 })).toHaveLength(1);
    expect(seen.added).toBe(20_000);
    await engine.close();
  });

  it('that is aborted leaves nothing of a world that is then deleted', async () => {
    const { engine, seen, fill, slugs } = await countingEngine();
    await fill('a', 5);
    await fill('b', 20_000);
    const abort = new AbortController();
    seen.beforeAdd = () => abort.abort();
    await expect(engine.search({ query: 'lantern', sources: ['b'], signal: abort.signal })).rejects.toThrow();
    await engine.deleteWorld({ source: 'b' });
    expect(await slugs()).toEqual(['a']);
    expect((await engine.check()).problems).toEqual([]);
    await engine.close();
  });

  it('that fails leaves an index that works', async () => {
    const { engine, seen, fill, slugs } = await countingEngine();
    for (const slug of ['a', 'b', 'c']) await fill(slug, 20);
    await slugs(['a']);
    seen.failsOn = 'lantern b 7';
    await expect(slugs(['b'])).rejects.toThrow('The index failed.');
    expect(await slugs(['a', 'c'])).toEqual(['a', 'c']);
    await expect(slugs()).rejects.toThrow('The index failed.');
    seen.failsOn = undefined;
    expect(await slugs()).toEqual(['a', 'b', 'c']);
    expect((await engine.check()).problems).toEqual([]);
    await engine.close();
  });

  it('gives others their turn while it indexes many', async () => {
    const { engine, seen, fill, slugs } = await countingEngine();
    await fill('first', 3);
    for (let world = 0; world < 6; world++) await fill(`w${world}`, 30_000);
    await slugs(['first']);
    const order: string[] = [];
    const all = slugs().then(() => order.push('all'));
    await new Promise((resolve) => setImmediate(resolve));
    const one = slugs(['first']).then(() => order.push('one'));
    await Promise.all([all, one]);
    expect(order).toEqual(['one', 'all']);
    expect(seen.added).toBe(180_003);
    await engine.close();
  });

  it('indexes all worlds if the embedder learns from them', async () => {
    const { engine, seen, fill, slugs } = await countingEngine({ embedder: new LearningEmbedder(3) });
    for (const slug of ['a', 'b', 'c']) await fill(slug, 4);
    expect(await slugs(['a'])).toEqual(['a']);
    expect(seen.added).toBe(12);
    await engine.close();
  });
});

/** LONG_TESTS=1 tries more orders. */
const ORDERS = process.env['LONG_TESTS'] ? 8 : 4;

it('any order of first searches, commits and compactions finds what a new engine finds', async () => {
  for (let seed = 1; seed <= ORDERS; seed++) {
    const random = new SeededRandom(seed);
    const slugs = Array.from({ length: 6 }, (_, at) => `w${at}`);
    await using engine = await WorldsEngine.open();
    for (const slug of slugs) await engine.createWorld({ slug });
    const shown = async (one: WorldsEngine, sources: readonly string[]) =>
      (await one.search({ query: 'lantern river kettle', sources, limit: 1000, canonicalOrder: true })).map(
        ({ subject, object, world, score }) => [world.slug, subject, object, score],
      );
    for (let step = 0; step < 60; step++) {
      const source = random.pick(slugs);
      const sources = slugs.filter((slug) => slug === source || random.chance(0.3));
      const text = () =>
        Array.from({ length: 4 }, () => random.pick(['lantern', 'river', 'kettle', 'stone'])).join(' ');
      const roll = random.below(10);
      if (roll < 5) {
        await engine.import({ source, data: `<urn:${random.below(9)}> <urn:p> "${text()} ${step}" .` });
      } else if (roll < 7) {
        await engine.update({ query: `DELETE WHERE { <urn:${random.below(9)}> ?p ?o }`, sources: [source] });
      } else if (roll === 7) {
        await engine.compact();
      } else if (roll === 8) {
        await engine.deleteWorld({ source });
        await engine.createWorld({ slug: source });
      }
      if (random.chance(0.4)) {
        await using fresh = await WorldsEngine.open();
        for (const slug of sources) {
          await fresh.createWorld({ slug });
          await fresh.import({ source: slug, data: await engine.export({ source: slug }) });
        }
        expect(await shown(engine, sources), `seed ${seed}, step ${step}`).toEqual(await shown(fresh, sources));
      }
    }
  }
});
