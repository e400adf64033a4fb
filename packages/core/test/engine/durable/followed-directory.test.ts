import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileStorage } from '@rdf-worlds/storage-file';
import { SeededRandom } from '@rdf-worlds/testkit';
import { describe, expect, it, onTestFinished } from 'vitest';
import { dataFactory, WorldsEngine, type WorldsEngineOptions } from '../../../src/index.ts';
import { dataOf } from '../world-state.ts';

const { quad, namedNode, literal } = dataFactory;
const one = (n: number) => quad(namedNode(`urn:s${n % 7}`), namedNode(`urn:p${n % 3}`), literal(`text ${n}`));

async function directory(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'rdf-worlds-followed-'));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

async function opened(path: string, readOnly: boolean, options: WorldsEngineOptions = {}): Promise<WorldsEngine> {
  const storage = readOnly ? fileStorage({ path, readOnly }) : fileStorage({ path, maxLogFileBytes: 3000 });
  const engine = await WorldsEngine.open({ embedder: null, ...options, storage });
  onTestFinished(() => engine.close());
  return engine;
}

const answers = async (engine: WorldsEngine, query: string, consistency?: 'latest') =>
  (await (await engine.select({ sources: ['w'], query, consistency })).array()).map((row) => row.get('o')!.value);

describe('an engine with a read-only directory', () => {
  it('sees the commits of the process that writes, without being asked', async () => {
    const path = await directory();
    const writing = await opened(path, false);
    await writing.createWorld({ slug: 'w' });
    const reading = await opened(path, true);
    expect(await reading.listWorlds()).toMatchObject([{ slug: 'w' }]);
    await writing.write({ source: 'w', insert: [one(1)] });
    await expect.poll(() => dataOf(reading, 'w')).toContain('"text 1"');
    await writing.createWorld({ namespace: 'new', slug: 'v' });
    expect((await reading.getWorld({ source: 'new/v' }))?.slug).toBe('v');
    expect((await reading.search({ query: 'text 1' }))[0]).toMatchObject({ subject: 'urn:s1' });
    await writing.deleteWorld({ source: 'w' });
    await expect.poll(() => reading.getWorld({ source: 'w' })).toBeNull();
  });

  it('has read what was acknowledged before a call with consistency latest', async () => {
    const path = await directory();
    const writing = await opened(path, false);
    await writing.createWorld({ slug: 'w' });
    const reading = await opened(path, true);
    for (let n = 0; n < 50; n++) {
      await writing.write({ source: 'w', insert: [one(n)], delete: [one(n - 1)] });
      if (n % 9 === 0) await writing.checkpoint();
      if (n % 20 === 0) await writing.compact({ forgetChanges: true });
      expect(await answers(reading, 'SELECT ?o { ?s ?p ?o }', 'latest')).toEqual([`text ${n}`]);
    }
  });

  it('finds a term that was freed and added again by its new number', async () => {
    const path = await directory();
    const writing = await opened(path, false);
    await writing.createWorld({ slug: 'w' });
    await writing.write({ source: 'w', insert: [one(1), one(2)] });
    const reading = await opened(path, true);
    const before = await reading.select({ sources: ['w'], query: 'SELECT ?o { ?s ?p ?o } ORDER BY ?o' });
    await writing.write({ source: 'w', delete: [one(1)] });
    // The answer that is under way is that of before.
    await reading.catchUp();
    await writing.compact({ forgetChanges: true });
    await writing.write({ source: 'w', insert: [one(1)] });
    await reading.catchUp();
    expect(await answers(reading, 'SELECT ?o { <urn:s1> ?p ?o }')).toEqual(['text 1']);
    expect((await before.array()).map((row) => row.get('o')!.value)).toEqual(['text 1', 'text 2']);
  });

  it('continues a feed of changes over compactions, and ends it with TRUNCATED if it is left behind', async () => {
    const path = await directory();
    const writing = await opened(path, false);
    await writing.createWorld({ slug: 'w' });
    const reading = await opened(path, true);
    await reading.listWorlds();
    const feed = reading.changes({ after: 1 })[Symbol.asyncIterator]();
    for (let n = 0; n < 30; n++) {
      await writing.write({ source: 'w', insert: [one(n)], delete: [one(n - 1)] });
      if (n % 10 === 5) await writing.compact();
      expect((await feed.next()).value).toMatchObject({ revision: n + 2 });
    }
    for (let n = 30; n < 60; n++) await writing.write({ source: 'w', insert: [one(n)], delete: [one(n - 1)] });
    await writing.compact({ forgetChanges: true });
    await reading.catchUp();
    const rest = async () => {
      for (let at = 0; at < 31; at++) await feed.next();
    };
    await expect(rest()).rejects.toMatchObject({ code: 'TRUNCATED' });
  });

  it('ends its following when it is closed, and lets the process that writes go on', async () => {
    const path = await directory();
    const writing = await opened(path, false);
    await writing.createWorld({ slug: 'w' });
    const reading = await opened(path, true);
    await dataOf(reading, 'w');
    await reading.close();
    await writing.write({ source: 'w', insert: [one(1)] });
    expect(await writing.check()).toEqual({ namespaces: 1, problems: [] });
  });

  // FOLLOWED_SEEDS=500 for a campaign.
  it.each(Array.from({ length: Number(process.env.FOLLOWED_SEEDS ?? 6) }, (_, seed) => seed))(
    'agrees with the one that writes after every step of a random program: seed %i',
    async (seed) => {
      const random = new SeededRandom(seed);
      const path = await directory();
      const options: WorldsEngineOptions = { checkpointLogBytes: 2000, retainChangesBytes: random.below(2) * 5000 };
      let writing = await opened(path, false, options);
      const reading = await opened(path, true);
      for (let step = 0; step < 60; step++) {
        const kind = random.below(20);
        const n = random.below(40);
        const isThere = (await writing.getWorld({ source: 'w' })) !== null;
        if (!isThere) await writing.createWorld({ slug: 'w' });
        else if (kind < 9) {
          const quads = Array.from({ length: 1 + random.below(20) }, (_, i) => one(n + i));
          await writing.write({ source: 'w', [random.below(3) > 0 ? 'insert' : 'delete']: quads });
        } else if (kind < 12) {
          await writing.update({ sources: ['w'], query: `DELETE WHERE { <urn:s${n % 7}> ?p ?o }` });
        } else if (kind < 14) await writing.compact({ forgetChanges: random.below(2) === 0 });
        else if (kind < 16) await writing.checkpoint();
        else if (kind === 16) await writing.deleteWorld({ source: 'w' });
        else if (kind === 17) await writing.deleteNamespace({ namespace: 'default' });
        else if (kind === 18) {
          await writing.close();
          writing = await opened(path, false, options);
        }
        if (random.below(3) === 0) continue;
        const where = `seed ${seed}, step ${step}`;
        await reading.catchUp();
        const isSeen = (await reading.getWorld({ source: 'w' })) !== null;
        expect(isSeen, where).toBe((await writing.getWorld({ source: 'w' })) !== null);
        if (!isSeen) continue;
        expect(await dataOf(reading, 'w'), where).toBe(await dataOf(writing, 'w'));
        const query = `text ${n}`;
        const found = async (engine: WorldsEngine) =>
          (await engine.search({ query, sources: ['w'], limit: 1000 })).map(({ object }) => object).sort();
        expect(await found(reading), where).toEqual(await found(writing));
      }
      expect((await reading.check()).problems).toEqual([]);
    },
  );
});
