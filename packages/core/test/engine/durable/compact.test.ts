import { SeededRandom } from '@rdf-worlds/testkit';
import { describe, expect, it } from 'vitest';
import type { Embedder } from '../../../src/embedders.ts';
import {
  type CheckProgress,
  dataFactory,
  MemoryStorage,
  QuadsResult,
  WorldsEngine,
  type WorldsEngineOptions,
} from '../../../src/index.ts';
import type { SparqlEngine } from '../../../src/plugin.ts';
import { nativeEngine } from '../../../src/sparql/native-engine.ts';
import { Pending } from '../pending.ts';
import { linesOf } from '../world-state.ts';
import { FaultyStorage } from './faulty-storage.ts';

const { quad, namedNode, literal } = dataFactory;

const MANY = 400;
const textOf = (round: number, n: number) => `the text ${n} of round ${round}`;
const one = (round: number, n: number) => quad(namedNode(`urn:s${n}`), namedNode('urn:p'), literal(textOf(round, n)));
const roundOf = (round: number, count = MANY) => Array.from({ length: count }, (_, n) => one(round, n));
const replace = (engine: WorldsEngine, round: number, count?: number) =>
  engine.import({ source: 'w', mode: 'replace', data: roundOf(round, count) });
const linesOfRound = (round: number, count = MANY) =>
  roundOf(round, count)
    .map(({ subject, object }) => `<${subject.value}> <urn:p> "${object.value}" .`)
    .sort();

async function opened(options: WorldsEngineOptions = {}): Promise<WorldsEngine> {
  const engine = await WorldsEngine.open({ textIndex: null, compaction: 'manual', retainChangesBytes: 0, ...options });
  await engine.createWorld({ slug: 'w', ifExists: 'return' });
  return engine;
}

const countOf = async (engine: WorldsEngine, text: string) => {
  const query = 'SELECT ?s { ?s ?p ?text }';
  return (await (await engine.select({ sources: ['w'], query, bindings: { text: literal(text) } })).array()).length;
};

const SETTINGS: readonly [string, () => WorldsEngineOptions][] = [
  ['without storage', () => ({})],
  ['with storage', () => ({ storage: new MemoryStorage() })],
];

describe.each(SETTINGS)('compaction %s', (_, settings) => {
  it('reports the namespace that is next, and ends if that throws', async () => {
    await using engine = await opened(settings());
    await engine.createWorld({ namespace: 'other', slug: 'w' });
    const told: CheckProgress[] = [];
    await engine.compact({ onProgress: (progress) => told.push(progress) });
    const names = await engine.listNamespaces();
    expect(told).toEqual(names.map((namespace, done) => ({ namespace, done, total: 2 })));
    const onProgress = () => {
      throw new Error('enough');
    };
    await expect(engine.compact({ onProgress })).rejects.toThrow('enough');
  });

  it('frees the terms that nothing mentions, keeps the others, and ids go on', async () => {
    await using engine = await opened(settings());
    await replace(engine, 0);
    const once = await engine.stats();
    for (let round = 1; round <= 20; round++) await replace(engine, round);
    const grown = await engine.stats();
    expect(grown.terms).toBe(once.terms + 20 * MANY);
    const bytes = Array.from({ length: 20 }, (_, round) => roundOf(round))
      .flat()
      .reduce((sum, { object }) => sum + object.value.length, 0);
    expect(await engine.compact()).toEqual({ namespaces: 1, terms: 20 * MANY, bytes });
    const compacted = await engine.stats();
    expect(compacted.terms).toBe(once.terms);
    expect(compacted.bytes).toBeLessThan(grown.bytes / 2);
    expect(await linesOf(engine, 'w')).toEqual(linesOfRound(20));
    expect((await engine.check()).problems).toEqual([]);
    expect(await engine.compact()).toEqual({ namespaces: 1, terms: 0, bytes: 0 });
    // What was freed is not found, and comes again as if it had never been there.
    expect(await countOf(engine, textOf(3, 7))).toBe(0);
    await engine.write({ source: 'w', insert: [one(3, 7)] });
    expect(await countOf(engine, textOf(3, 7))).toBe(1);
    expect(await countOf(engine, textOf(20, 7))).toBe(1);
    expect((await engine.stats()).terms).toBe(once.terms + 1);
    expect((await engine.check()).problems).toEqual([]);
  });

  it('keeps what terms consist of: datatypes, languages, scopes of blank nodes, parts of triple terms, names of empty graphs', async () => {
    await using engine = await opened(settings());
    const rest = `
      <urn:a> <urn:typed> "1"^^<urn:datatype> .
      <urn:a> <urn:spoken> "one"@en-gb .
      _:b <urn:knows> _:c .
      <urn:a> <urn:says> <<( <urn:only-here> <urn:in> "a triple term"@fr )>> .`;
    await engine.import({ source: 'w', data: rest });
    await engine.update({ sources: ['w'], query: 'CREATE GRAPH <urn:empty>' });
    const before = await linesOf(engine, 'w');
    await engine.import({
      source: 'w',
      data:
        `${rest.replaceAll('urn:', 'urn:x').replaceAll('@', '@x')}\n` +
        roundOf(1)
          .map((each) => `<urn:s> <urn:p> "${each.object.value}" .`)
          .join('\n'),
    });
    await engine.update({
      sources: ['w'],
      query: 'DELETE { ?s ?p ?o } WHERE { ?s ?p ?o FILTER (STRSTARTS(STR(?p), "urn:x") || ?p = <urn:p>) }',
    });
    expect((await engine.compact()).terms).toBeGreaterThan(MANY);
    expect(await linesOf(engine, 'w')).toEqual(before);
    expect(await engine.hasGraph({ source: 'w', graph: 'urn:empty' })).toBe(true);
    expect((await engine.check()).problems).toEqual([]);
  });

  it('leaves those alone who read', async () => {
    await using engine = await opened(settings());
    await replace(engine, 0);
    const query = 'SELECT ?s ?o { ?s <urn:p> ?o }';
    const result = await engine.select({ sources: ['w'], query });
    const rows = result[Symbol.asyncIterator]();
    const first = (await rows.next()).value!;
    const quads = engine.quads({ source: 'w' });
    const firstQuad = (await quads.next()).value!;
    const stream = engine.exportStream({ source: 'w' })[Symbol.asyncIterator]();
    const constructed = await engine.construct({ sources: ['w'], query: 'CONSTRUCT WHERE { ?s <urn:p> ?o }' });
    expect(constructed).toBeInstanceOf(QuadsResult);

    await replace(engine, 1);
    expect((await engine.compact()).terms).toBe(MANY);
    await replace(engine, 2);

    const seen = [first];
    for (let row = await rows.next(); !row.done; row = await rows.next()) seen.push(row.value);
    const expected = linesOfRound(0);
    expect(seen.map((row) => `<${row.get('s')!.value}> <urn:p> "${row.get('o')!.value}" .`).sort()).toEqual(expected);
    const all = [firstQuad];
    for await (const each of quads) all.push(each);
    const lineOf = ({ subject, object }: (typeof all)[number]) => `<${subject.value}> <urn:p> "${object.value}" .`;
    expect(all.map(lineOf).sort()).toEqual(expected);
    let text = '';
    for (let chunk = await stream.next(); !chunk.done; chunk = await stream.next()) text += Buffer.from(chunk.value);
    expect(text.split('\n').slice(0, -1).sort()).toEqual(expected);
    const made: string[] = [];
    for await (const each of constructed) made.push(lineOf(each as never));
    expect(made.sort()).toEqual(expected);
  });

  it('leaves a query alone that has opened its worlds and not begun to read them', async () => {
    const native = nativeEngine();
    let preparing = async () => {};
    const sparql: SparqlEngine = {
      name: 'slow',
      prepare: async (text, options) => {
        await preparing();
        return native.prepare(text, options);
      },
    };
    await using engine = await opened({ ...settings(), sparql });
    await engine.createWorld({ slug: 'x' });
    await engine.import({ source: 'x', data: roundOf(9, 20) });
    await replace(engine, 0, 20);
    preparing = async () => {
      preparing = async () => {};
      await replace(engine, 1, 20);
      expect((await engine.compact()).terms).toBe(20);
    };
    const result = await engine.select({ sources: ['w', 'x'], query: 'SELECT ?o { ?s <urn:p> ?o }' });
    const expected = [...roundOf(0, 20), ...roundOf(9, 20)].map(({ object }) => object.value).sort();
    expect((await result.array()).map((row) => row.get('o')!.value).sort()).toEqual(expected);
  });

  it('goes together with imports that began before it', async () => {
    await using engine = await opened(settings());
    const known = `
      <urn:s1> <urn:gone> "gone"^^<urn:gone-datatype> <urn:gone-graph> .
      <urn:s2> <urn:gone> "gone"@xx <urn:gone-graph> .
      <urn:s3> <urn:gone> <<( <urn:gone-s> <urn:gone-p> <<( <urn:gone-s> <urn:gone-p> "deep"^^<urn:gone-datatype> )>> )>> .
      <urn:s4> <urn:gone> "new to it, of a type that it knows"^^<urn:stays> .
      <urn:s5> <urn:p> <urn:o> .`;
    await engine.import({ source: 'w', data: known });
    const expected = await linesOf(engine, 'w');
    const goOn = new Pending();
    const hasBegun = new Pending();
    const importing = engine.import({
      source: 'w',
      data: (async function* () {
        yield Buffer.from(known);
        hasBegun.resolve();
        await goOn.promise;
        yield Buffer.from('\n<urn:s6> <urn:p> "last"^^<urn:gone-datatype> .\n');
      })(),
    });
    await hasBegun.promise;
    await engine.update({ sources: ['w'], query: 'DROP ALL' });
    expect((await engine.compact()).terms).toBeGreaterThan(10);
    // Some are brought by others meanwhile, under other ids.
    await engine.write({ source: 'w', insert: [quad(namedNode('urn:gone-s'), namedNode('urn:gone'), literal('x'))] });
    await engine.compact();
    goOn.resolve();
    await importing;
    expect(await linesOf(engine, 'w')).toEqual(
      [...expected, '<urn:gone-s> <urn:gone> "x" .', '<urn:s6> <urn:p> "last"^^<urn:gone-datatype> .'].sort(),
    );
    const found = await engine.select({ sources: ['w'], query: 'SELECT ?s { ?s <urn:gone> ?o }' });
    expect(await found.array()).toHaveLength(3);
    const named = await engine.select({ sources: ['w'], query: 'SELECT ?s { GRAPH <urn:gone-graph> { ?s ?p ?o } }' });
    expect(await named.array()).toHaveLength(2);
    expect((await engine.check()).problems).toEqual([]);
  });

  it('goes together with writers', async () => {
    await using engine = await opened(settings());
    for (let round = 0; round < 6; round++) await replace(engine, round, 3000);
    let isDone = false;
    const compacting = engine.compact().finally(() => {
      isDone = true;
    });
    const expected = new Set(linesOfRound(5, 3000));
    let commits = 0;
    // The clock ends the slices of compaction, and commits come between them: the busier the
    // machine, the more slices there are, and the more commits without the upper limit.
    for (let n = 0; n < 20 || (!isDone && n < 100); n++) {
      // Terms that were dead when it began, and are mentioned again, and terms that are new; some
      // of them only for a moment.
      const insert = [one(n % 5, n), one(n + 100, n)];
      await engine.write({ source: 'w', insert });
      for (const { subject, object } of insert) expected.add(`<${subject.value}> <urn:p> "${object.value}" .`);
      const passing = one(n % 4, 100 + n);
      await engine.write({ source: 'w', insert: [passing] });
      await engine.write({ source: 'w', delete: [passing] });
      commits += 3;
    }
    expect(commits).toBeGreaterThanOrEqual(60);
    await compacting;
    expect(await linesOf(engine, 'w')).toEqual([...expected].sort());
    expect((await engine.check()).problems).toEqual([]);
    // On a busy machine, all commits above may be over before the compaction is.
    const last = one(4, 1_000);
    await engine.write({ source: 'w', insert: [last] });
    await engine.write({ source: 'w', delete: [last] });
    expect((await engine.compact()).terms).toBeGreaterThan(0);
    expect(await linesOf(engine, 'w')).toEqual([...expected].sort());
    expect((await engine.check()).problems).toEqual([]);
  });

  it('keeps search correct: indexed texts that are deleted and added again are found', async () => {
    await using engine = await opened({ ...settings(), textIndex: undefined });
    const found = async (query: string) => (await engine.search({ query, limit: 1000 })).map(({ object }) => object);
    await replace(engine, 0, 50);
    expect(await found('round')).toHaveLength(50);
    await replace(engine, 1, 50);
    // The index has not heard of that yet.
    await engine.compact();
    expect((await found('round')).every((text) => text.endsWith('round 1'))).toBe(true);
    await engine.createWorld({ slug: 'other' });
    await engine.import({ source: 'other', data: roundOf(0, 20) });
    expect(await found('round')).toHaveLength(70);
    await engine.deleteWorld({ source: 'other' });
    const [searched] = await Promise.all([found('round'), engine.compact(), replace(engine, 2, 50)]);
    expect(searched.length).toBeGreaterThanOrEqual(50);
    expect((await found('round')).sort()).toEqual(
      roundOf(2, 50)
        .map(({ object }) => object.value)
        .sort(),
    );
    const inSparql = await engine.select({
      sources: ['w'],
      query: `PREFIX ws: <urn:rdf-worlds:search#>
        SELECT ?o { SERVICE <urn:rdf-worlds:search> { [] ws:query "round" ; ws:subject ?s ; ws:object ?o ; ws:limit 100 } }`,
    });
    expect((await inSparql.array()).map((row) => row.get('o')!.value).sort()).toEqual((await found('round')).sort());
    expect((await engine.check()).problems).toEqual([]);
  });

  it('stops when it is aborted, and changes nothing', async () => {
    await using engine = await opened(settings());
    for (let round = 0; round < 3; round++) await replace(engine, round);
    const aborted = AbortSignal.abort();
    await expect(engine.compact({ signal: aborted })).rejects.toMatchObject({ code: 'ABORTED' });
    expect(await linesOf(engine, 'w')).toEqual(linesOfRound(2));
    expect((await engine.compact()).terms).toBe(2 * MANY);
  });

  it('runs by itself when much is dead, and then only', async () => {
    await using engine = await opened({ ...settings(), compaction: 'automatic' });
    const terms: number[] = [];
    for (let round = 0; round < 30; round++) {
      await replace(engine, round, 2500);
      await engine.settle();
      terms.push((await engine.stats()).terms);
    }
    expect(Math.max(...terms)).toBeLessThan(30_000);
    expect(terms.filter((count, i) => count < terms[i - 1]).length).toBeGreaterThan(1);
    expect(terms.filter((count, i) => count < terms[i - 1]).length).toBeLessThan(6);
    expect(await linesOf(engine, 'w')).toEqual(linesOfRound(29, 2500));
  });
});

describe('compaction and the log', () => {
  // COMPACTION_SEEDS=1000 for a campaign.
  const SEEDS = Number(process.env.COMPACTION_SEEDS ?? 3);
  let all = 0;

  it('keeps terms of retained changes, unless forgetChanges is set', async () => {
    await using engine = await opened({ storage: new MemoryStorage(), retainChangesBytes: 1 << 24 });
    for (let round = 0; round < 3; round++) await replace(engine, round, 10);
    await engine.checkpoint();
    expect((await engine.compact()).terms).toBe(0);
    const seen: string[] = [];
    const follow = async (after: number) => {
      for await (const { revision, inserted, deleted } of engine.changes({ after })) {
        for (const { object } of inserted) seen.push(`+${object.value}`);
        for (const { object } of deleted) seen.push(`-${object.value}`);
        if (revision === 4) return;
      }
    };
    await follow(1);
    expect(seen.filter((text) => text === `+${textOf(1, 4)}` || text === `-${textOf(1, 4)}`)).toHaveLength(2);
    expect(seen).toHaveLength(50);
    const late = engine.changes({ after: 1 });
    await late.next();
    expect(await engine.compact({ forgetChanges: true })).toMatchObject({ terms: 20 });
    await expect(follow(1)).rejects.toMatchObject({ code: 'TRUNCATED' });
    // A reader that was too slow gets an error, never the wrong changes.
    await expect(late.next()).rejects.toMatchObject({ code: 'TRUNCATED' });
    await replace(engine, 3, 10);
    const next = engine.changes({ after: 4 });
    expect((await next.next()).value!.inserted).toHaveLength(10);
    await next.return(undefined);
  });

  it('that fails to be written frees memory all the same, and the disk later', async () => {
    const storage = new FaultyStorage();
    const engine = await opened({ storage });
    for (let round = 0; round < 5; round++) await replace(engine, round);
    await engine.checkpoint();
    storage.checkpointFails = true;
    await replace(engine, 5);
    await expect(engine.compact()).rejects.toThrow('The disk is broken.');
    expect(await linesOf(engine, 'w')).toEqual(linesOfRound(5));
    storage.checkpointFails = false;
    const { storage: before } = await engine.stats();
    await engine.compact();
    const { storage: after } = await engine.stats();
    expect(after!.segmentBytes).toBeLessThan(before!.segmentBytes / 2);
    await engine.close();
    const again = await opened({ storage: new MemoryStorage(storage.contents) });
    expect(await linesOf(again, 'w')).toEqual(linesOfRound(5));
    expect((await again.check()).problems).toEqual([]);
    await again.close();
  });

  it('keeps the terms of a commit that failed, which the next record brings', async () => {
    const storage = new FaultyStorage();
    const engine = await opened({ storage });
    await replace(engine, 0, 20);
    storage.fate = () => 'fails';
    await expect(engine.write({ source: 'w', insert: roundOf(1, 5) })).rejects.toThrow('The disk is broken.');
    storage.fate = () => 'works';
    expect(await engine.compact()).toMatchObject({ terms: 0 });
    await engine.write({ source: 'w', insert: [one(1, 3), one(2, 3)] });
    // From now on they are in the log, and may go.
    expect(await engine.compact()).toMatchObject({ terms: 4 });
    await engine.write({ source: 'w', insert: [one(1, 4)] });
    storage.die();
    const again = await opened({ storage: new MemoryStorage(storage.contents) });
    expect((await again.check()).problems).toEqual([]);
    for (const each of [one(1, 3), one(2, 3), one(1, 4)]) expect(await countOf(again, each.object.value)).toBe(1);
    expect((await again.stats()).quads).toBe(23);
    await again.close();
  });

  it('keeps terms of a pending commit, even if a later one deletes them', async () => {
    const storage = new FaultyStorage();
    const engine = await opened({ storage });
    for (let round = 0; round < 2; round++) await replace(engine, round, 20);
    // Both are on their way when the compaction looks at what there is; then the process dies
    // between them.
    const gate = new Pending();
    let appends = 0;
    storage.delay = () => {
      if (++appends > 1) storage.die();
      return gate.promise;
    };
    let first: Promise<unknown> | undefined;
    storage.step = async () => {
      if (first) return;
      first = engine.write({ source: 'w', insert: [one(0, 7)] });
      void engine.write({ source: 'w', delete: [one(0, 7)] });
      for (let n = 0; n < 5; n++) await new Promise((resolve) => setImmediate(resolve));
    };
    expect((await engine.compact()).terms).toBe(19);
    gate.resolve();
    await first;
    await storage.death.promise;
    const again = await opened({ storage: new MemoryStorage(storage.contents) });
    expect((await again.check()).problems).toEqual([]);
    expect(await linesOf(again, 'w')).toEqual([...linesOfRound(1, 20), `<urn:s7> <urn:p> "${textOf(0, 7)}" .`].sort());
    await again.close();
  });

  it('waits until the outcome of an append is known', async () => {
    const storage = new FaultyStorage();
    const engine = await opened({ storage });
    for (let round = 0; round < 2; round++) await replace(engine, round, 20);
    await engine.checkpoint();
    storage.fate = () => 'fails, and nobody knows';
    await expect(engine.write({ source: 'w', insert: [one(0, 7)] })).rejects.toThrow('cannot be read');
    storage.fate = () => 'works';
    // It was: so the namespace is read again before anything else.
    expect(await engine.compact()).toMatchObject({ namespaces: 0, terms: 0 });
    expect(await countOf(engine, textOf(0, 7))).toBe(1);
    expect((await engine.compact()).terms).toBe(19);
    expect(await countOf(engine, textOf(0, 7))).toBe(1);
    expect((await engine.check()).problems).toEqual([]);
    await engine.close();
  });

  it('goes together with appends on their way, be it that they fail, and with a crash in the middle', async () => {
    for (let seed = 1; seed <= SEEDS; seed++) {
      const random = new SeededRandom(seed);
      const storage = new FaultyStorage();
      const options = { checkpointLogBytes: 30_000, retainChangesBytes: random.below(2) ? 0 : 1 << 16 };
      const engine = await WorldsEngine.open({ storage, textIndex: null, compaction: 'manual', ...options });
      const worlds = ['a', 'b', 'c'];
      for (const slug of worlds) await engine.createWorld({ slug });
      storage.delay = async () => {
        for (let n = random.below(4); n > 0; n--) await new Promise((resolve) => setImmediate(resolve));
      };
      storage.fate = () => (random.below(12) === 0 ? random.pick(['fails', 'fails, but is there'] as const) : 'works');
      let isOver = false;
      const isBroken = (error: Error): undefined => {
        expect(error.message).toContain('The disk is broken.');
      };
      const lineOf = (n: number) => `<urn:s${n % 5}> <urn:p> "value ${n}" .`;
      const quadOf = (n: number) => quad(namedNode(`urn:s${n % 5}`), namedNode('urn:p'), literal(`value ${n}`));
      const lines = new Map(worlds.map((slug) => [slug, new Set<string>()]));
      /** What the step does that a worker is at: done or not when the process is gone. */
      const atWork = new Map<string, Set<string>>();
      const work = async (slug: string) => {
        for (let step = 0; step < 40 && !isOver; step++) {
          const some = () => Array.from({ length: 1 + random.below(6) }, () => random.below(60));
          const [insert, remove] = [some(), some()];
          const next = new Set(lines.get(slug));
          for (const n of remove) next.delete(lineOf(n));
          for (const n of insert) next.add(lineOf(n));
          atWork.set(slug, next);
          await engine
            .write({ source: slug, insert: insert.map(quadOf), delete: remove.map(quadOf) })
            .then(() => lines.set(slug, next), isBroken);
          atWork.delete(slug);
        }
      };
      let freed = 0;
      const compacting = (async () => {
        while (!isOver) {
          const result = await engine.compact().catch(isBroken);
          freed += result?.terms ?? 0;
          await new Promise((resolve) => setImmediate(resolve));
        }
      })();
      const working = Promise.all(worlds.map(work));
      const crash = (async () => {
        for (let n = random.below(400); n > 0; n--) await new Promise((resolve) => setImmediate(resolve));
      })();
      const isDone = await Promise.race([working.then(() => true), crash.then(() => false)]);
      storage.die();
      isOver = true;
      void compacting;
      const before = isDone ? new Map<string, Set<string>>() : new Map(atWork);
      const again = await WorldsEngine.open({ storage: new MemoryStorage(storage.contents), textIndex: null });
      for (const slug of worlds) {
        const found = (await linesOf(again, slug)).join();
        const allowed = [lines.get(slug)!, before.get(slug) ?? lines.get(slug)!].map((set) => [...set].sort().join());
        expect(allowed, `seed ${seed}, world ${slug}`).toContain(found);
        for (const line of found === '' ? [] : found.split(',')) {
          const value = /"(.*)"/.exec(line)![1];
          const query = 'ASK { ?s ?p ?value }';
          expect(await again.ask({ sources: [slug], query, bindings: { value: literal(value) } })).toBe(true);
        }
      }
      expect((await again.check()).problems).toEqual([]);
      await again.close();
      all += freed;
    }
    expect(all).toBeGreaterThan(SEEDS);
  });

  it('a crash at any step of the storage leaves a whole', async () => {
    for (let steps = 0; ; steps++) {
      const storage = new FaultyStorage();
      const engine = await opened({ storage, retainChangesBytes: steps % 2 ? 0 : 1 << 20 });
      for (let round = 0; round < 3; round++) await replace(engine, round, 20);
      await engine.checkpoint();
      await replace(engine, 3, 20);
      let done = 0;
      storage.step = () => {
        if (done++ === steps) storage.die();
      };
      const compacting = engine.compact().then(() => engine.write({ source: 'w', insert: [one(0, 0), one(9, 9)] }));
      const isDone = await Promise.race([compacting.then(() => true), storage.death.promise.then(() => false)]);
      const again = await opened({ storage: new MemoryStorage(storage.contents) });
      const added = isDone ? [one(0, 0), one(9, 9)] : [];
      const lines = added.map(({ subject, object }) => `<${subject.value}> <urn:p> "${object.value}" .`);
      expect(await linesOf(again, 'w')).toEqual([...linesOfRound(3, 20), ...lines].sort());
      // Terms that were freed are there again, or not; either way each has one id.
      await again.write({ source: 'w', insert: [one(1, 1), one(0, 0)] });
      expect(await countOf(again, textOf(0, 0))).toBe(1);
      expect(await countOf(again, textOf(1, 1))).toBe(1);
      expect((await again.check()).problems).toEqual([]);
      await again.close();
      if (isDone) {
        expect(steps).toBeGreaterThan(5);
        return;
      }
    }
  });

  it('a term that comes again behind a checkpoint that has it still gets its newest id when the log is read', async () => {
    const storage = new FaultyStorage();
    const engine = await opened({ storage });
    for (let round = 0; round < 3; round++) await replace(engine, round, 20);
    await engine.checkpoint();
    await replace(engine, 3, 20);
    storage.checkpointFailsFrom = 1;
    // In memory the terms are freed; what is on disk has them.
    await expect(engine.compact()).rejects.toThrow('The disk is broken.');
    await replace(engine, 1, 20);
    storage.die();
    const again = await opened({ storage: new MemoryStorage(storage.contents) });
    expect(await linesOf(again, 'w')).toEqual(linesOfRound(1, 20));
    for (const { object } of roundOf(1, 20)) expect(await countOf(again, object.value)).toBe(1);
    expect((await again.check()).problems).toEqual([]);
    await again.checkpoint();
    await again.close();
    const third = await opened({ storage: new MemoryStorage(storage.contents) });
    for (const { object } of roundOf(1, 20)) expect(await countOf(third, object.value)).toBe(1);
    expect((await third.check()).problems).toEqual([]);
    await third.close();
  });

  it('vectors of deleted texts are removed from the storage', async () => {
    const embedded: string[] = [];
    const embedder: Embedder = {
      ...{ id: 'lengths', dimensions: 8, batchSize: 64 },
      embed: async (texts, { kind }) => {
        if (kind === 'document') embedded.push(...texts);
        return texts.map((text) => Float32Array.from({ length: 8 }, (_, i) => text.charCodeAt(i % text.length)));
      },
    };
    const storage = new MemoryStorage();
    const engine = await opened({ storage, embedder });
    for (let round = 0; round < 3; round++) {
      await replace(engine, round, 50);
      await engine.flush();
      await engine.checkpoint();
    }
    await engine.createWorld({ slug: 'kept' });
    await engine.write({ source: 'kept', insert: [one(0, 7)] });
    await engine.flush();
    const vectorBytes = async () => {
      const checkpoint = await storage.namespace('default').checkpoint();
      return checkpoint!.segments
        .filter(({ name }) => name.startsWith('vectors-'))
        .reduce((sum, { byteLength }) => sum + byteLength, 0);
    };
    await engine.checkpoint();
    const before = await vectorBytes();
    await engine.compact();
    const after = await vectorBytes();
    expect(after).toBeLessThan(before * 0.4);
    expect(after).toBeGreaterThan(51 * 36);
    const hits = await engine.search({ query: 'text', limit: 60 });
    await engine.close();
    embedded.length = 0;
    const again = await opened({ storage: new MemoryStorage(storage.contents), embedder });
    expect(await again.search({ query: 'text', limit: 60 })).toEqual(hits);
    await again.flush();
    expect(embedded).toEqual([]);
    await again.close();
  });

  it('lets namespaces be evicted and reloaded', async () => {
    const storage = new MemoryStorage();
    const engine = await opened({ storage, maxMemoryBytes: 200_000 });
    for (let n = 0; n < 6; n++) {
      await engine.createWorld({ namespace: `n${n}`, slug: 'w' });
      for (let round = 0; round < 3; round++)
        await engine.import({ source: `n${n}/w`, mode: 'replace', data: roundOf(round) });
    }
    expect(await engine.compact()).toMatchObject({ namespaces: 7, terms: 6 * 2 * MANY });
    for (let n = 0; n < 6; n++) expect(await linesOf(engine, `n${n}/w`)).toEqual(linesOfRound(2));
    expect((await engine.check()).problems).toEqual([]);
    await engine.close();
  });
});
