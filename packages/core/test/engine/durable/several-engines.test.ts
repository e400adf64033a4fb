import { setImmediate as nextTurn } from 'node:timers/promises';
import { SeededRandom } from '@rdf-worlds/testkit';
import { describe, expect, it } from 'vitest';
import { MemoryContents, WorldsEngine, WorldsError } from '../../../src/index.ts';
import { dataFactory } from '../../../src/model/term.ts';
import { SharedMemoryStorage } from './shared-memory-storage.ts';

// SEVERAL_ENGINES_SEEDS=500 runs 500 random programs; SEVERAL_ENGINES_SEED is the first.
const SEEDS = Number(process.env.SEVERAL_ENGINES_SEEDS ?? 12);
const FIRST_SEED = Number(process.env.SEVERAL_ENGINES_SEED ?? 1);

const { namedNode, literal, quad } = dataFactory;
const quadOf = (n: number) => quad(namedNode(`urn:s:${n % 7}`), namedNode('urn:p'), literal(`value ${n}`));

/** An engine as in a process of its own, over contents that others share. */
async function opened(contents: MemoryContents, delay?: () => Promise<void> | undefined, options = {}) {
  const storage = new SharedMemoryStorage(contents);
  if (delay) storage.delay = delay;
  return WorldsEngine.open({ storage, textIndex: undefined, compaction: 'manual', ...options });
}

async function linesOf(engine: WorldsEngine, source: string): Promise<string[]> {
  const text = Buffer.from(await engine.export({ source })).toString();
  return text.split('\n').filter(Boolean).sort();
}

/** Waits for a few turns of the event loop, at random. */
function turns(random: SeededRandom, most: number) {
  return async () => {
    for (let left = random.below(most + 1); left > 0; left--) await nextTurn();
  };
}

describe('engines of several processes over one storage', () => {
  it('count exactly, by SPARQL update and by reading and ifRevision', async () => {
    const contents = new MemoryContents();
    const random = new SeededRandom(1);
    const engines = await Promise.all([1, 2, 3, 4].map(() => opened(contents, turns(random, 3))));
    await engines[0].createWorld({ slug: 'w' });
    await engines[0].update({ sources: ['w'], query: 'INSERT DATA { <urn:c> <urn:n> 0 . <urn:c> <urn:m> 0 }' });
    const increment = (engine: WorldsEngine) =>
      engine.update({
        sources: ['w'],
        query:
          'DELETE { <urn:c> <urn:n> ?n } INSERT { <urn:c> <urn:n> ?m } WHERE { <urn:c> <urn:n> ?n BIND(?n + 1 AS ?m) }',
      });
    const incrementIf = async (engine: WorldsEngine) => {
      for (;;) {
        const { revision } = (await engine.getWorld({ source: 'w' }))!;
        const rows = await (await engine.select({ sources: ['w'], query: 'SELECT ?m { <urn:c> <urn:m> ?m }' })).array();
        const now = Number(rows[0].get('m')!.value);
        const query = `DELETE DATA { <urn:c> <urn:m> ${now} } ; INSERT DATA { <urn:c> <urn:m> ${now + 1} }`;
        try {
          return await engine.update({ sources: ['w'], query, ifRevision: revision });
        } catch (error) {
          if (!(error instanceof WorldsError && error.code === 'CONFLICT')) throw error;
          expect(error.message).toContain('is at revision');
        }
      }
    };
    const each = 25;
    await Promise.all(
      engines.flatMap((engine) => [
        (async () => {
          for (let n = 0; n < each; n++) await increment(engine);
        })(),
        (async () => {
          for (let n = 0; n < each; n++) await incrementIf(engine);
        })(),
      ]),
    );
    const integer = (n: number) => `"${n}"^^<http://www.w3.org/2001/XMLSchema#integer> .`;
    const expected = ['m', 'n'].map((name) => `<urn:c> <urn:${name}> ${integer(engines.length * each)}`);
    const again = await opened(contents);
    expect(await linesOf(again, 'w')).toEqual(expected);
    expect((await again.check()).problems).toEqual([]);
    for (const engine of [...engines, again]) await engine.close();
  });

  it('a write sees what others have written, created and deleted, also where it changes nothing', async () => {
    const contents = new MemoryContents();
    const [one, other] = [await opened(contents), await opened(contents)];
    await one.createWorld({ slug: 'w' });
    await other.write({ source: 'w', insert: [quadOf(1)] });
    await one.write({ source: 'w', delete: [quadOf(1)] });
    // The other still has it: on the state that it has read, the insertion changes nothing.
    expect(await other.write({ source: 'w', insert: [quadOf(1)] })).toMatchObject({ inserted: 1 });
    expect(await one.write({ source: 'w', insert: [quadOf(1)] })).toMatchObject({ inserted: 0 });
    const { revision } = (await one.getWorld({ source: 'w' }))!;
    await other.write({ source: 'w', insert: [quadOf(2)] });
    await expect(one.write({ source: 'w', insert: [quadOf(3)], ifRevision: revision })).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('is at revision'),
    });
    await one.write({ source: 'w', insert: [quadOf(4)] });
    await other.fork({ source: 'w', slug: 'copy' });
    expect(await linesOf(other, 'copy')).toEqual(await linesOf(one, 'w'));
    await expect(one.fork({ source: 'w', slug: 'copy' })).rejects.toMatchObject({ code: 'ALREADY_EXISTS' });
    await other.createWorld({ slug: 'x' });
    await expect(one.createWorld({ slug: 'x' })).rejects.toMatchObject({ code: 'ALREADY_EXISTS' });
    await other.deleteWorld({ source: 'x' });
    await expect(one.updateWorld({ source: 'x', label: 'l' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await one.createWorld({ slug: 'x', namespace: 'n' });
    expect(await other.listNamespaces()).toEqual(['default', 'n']);
    await other.deleteNamespace({ namespace: 'n' });
    await expect(one.deleteWorld({ source: 'n/x' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await one.listNamespaces()).toEqual(['default']);
    for (const engine of [one, other]) await engine.close();
  });

  it('readers follow what others write, create and delete; change feeds too', async () => {
    const contents = new MemoryContents();
    const storages = [new SharedMemoryStorage(contents), new SharedMemoryStorage(contents)];
    for (const storage of storages) storage.watches = true;
    const [one, other] = await Promise.all(
      storages.map((storage) => WorldsEngine.open({ storage, compaction: 'manual' })),
    );
    const seen = async (isSeen: () => Promise<boolean>) => {
      storages[1].notify();
      for (let turn = 0; turn < 2000; turn++) {
        if (await isSeen()) return;
        await nextTurn();
      }
      expect.fail('The other engine does not see it.');
    };
    const { revision } = await one.createWorld({ slug: 'w' });
    expect(await linesOf(other, 'w')).toEqual([]);
    const changes = other.changes({ after: revision });
    const next = changes.next();
    for (let n = 1; n <= 5; n++) {
      await one.write({ source: 'w', insert: [quadOf(n)] });
      await seen(async () => (await linesOf(other, 'w')).length === n);
      if (n === 3) await one.compact({ forgetChanges: true });
    }
    expect((await next).value).toMatchObject({ kind: 'changed', revision: revision + 1 });
    // What follows only reads the head where it has moved: nothing is read while nothing happens.
    const { heads } = storages[1];
    for (let turn = 0; turn < 50; turn++) {
      await linesOf(other, 'w');
      await nextTurn();
    }
    expect(storages[1].heads).toBe(heads);
    await one.createWorld({ slug: 'x' });
    await seen(async () => (await other.listWorlds()).length === 2);
    await one.deleteNamespace({ namespace: 'default' });
    await seen(async () => (await other.listWorlds()).length === 0);
    await one.createWorld({ slug: 'y' });
    expect((await other.listWorlds()).length).toBe(1);
    await other.write({ source: 'y', insert: [quadOf(1)] });
    storages[0].notify();
    await one.close();
    expect(await linesOf(other, 'y')).toHaveLength(1);
    await other.close();
  });

  it('a read that asks for the latest state sees what others had written before it, and others may not', async () => {
    const contents = new MemoryContents();
    const [one, other] = [await opened(contents), await opened(contents)];
    await one.createWorld({ slug: 'w' });
    const query = 'SELECT ?o { ?s ?p ?o }';
    expect(await linesOf(other, 'w')).toEqual([]);
    const latest = { consistency: 'latest' } as const;
    const reads: ((consistency: object) => Promise<number>)[] = [
      async (asked) => (await (await other.select({ sources: ['w'], query, ...asked })).array()).length,
      async (asked) => (await other.export({ source: 'w', ...asked })).toString().split('\n').length - 1,
      async (asked) => {
        let count = 0;
        for await (const _ of other.quads({ source: 'w', ...asked })) count++;
        return count;
      },
      async (asked) => (await other.search({ sources: ['w'], query: 'value', limit: 1000, ...asked })).length,
      async (asked) => (await other.getWorld({ source: 'w', ...asked }))!.revision - created,
      async (asked) => (await other.listWorlds(asked))[0].revision - created,
    ];
    const created = (await one.getWorld({ source: 'w' }))!.revision;
    for (const [at, read] of reads.entries()) {
      await one.write({ source: 'w', insert: [quadOf(at)] });
      expect(await read({}), `${at}`).toBe(at);
      expect(await read(latest), `${at}`).toBe(at + 1);
      // From then on, every read sees it.
      expect(await read({ consistency: 'bounded' }), `${at}`).toBe(at + 1);
    }
    await expect(other.select({ sources: ['w'], query, consistency: 'x' as never })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
    });
    for (const engine of [one, other]) await engine.close();
  });

  it('deleting the last world of a namespace keeps what another process creates meanwhile', async () => {
    for (let seed = 1; seed <= 20; seed++) {
      const contents = new MemoryContents();
      const random = new SeededRandom(seed);
      const [one, other] = [await opened(contents, turns(random, 4)), await opened(contents, turns(random, 4))];
      await one.createWorld({ slug: 'a' });
      await other.getWorld({ source: 'a' });
      await Promise.all([one.deleteWorld({ source: 'a' }), other.createWorld({ slug: 'b' })]);
      for (const engine of [one, other]) expect(await engine.getWorld({ source: 'b' }), `${seed}`).not.toBeNull();
      const again = await opened(contents);
      expect((await again.listWorlds()).map(({ slug }) => slug)).toEqual(['b']);
      for (const engine of [one, other, again]) await engine.close();
    }
  });

  it('compaction keeps the terms of the changes that another process has kept', async () => {
    const contents = new MemoryContents();
    const [one, other] = [await opened(contents), await opened(contents)];
    await one.createWorld({ slug: 'w' });
    await one.write({ source: 'w', insert: [quadOf(1)] });
    // Knows the log from its beginning, which is gone soon.
    expect(await linesOf(other, 'w')).toHaveLength(1);
    await one.compact({ forgetChanges: true });
    const { revision } = await one.write({ source: 'w', insert: [quadOf(2)] });
    await one.write({ source: 'w', delete: [quadOf(2)] });
    await other.compact();
    const feed = one.changes({ after: revision - 1 });
    const { value } = await feed.next();
    expect([...value!.inserted].map(({ object }) => object.value)).toEqual(['value 2']);
    await feed.return(undefined);
    for (const engine of [one, other]) await engine.close();
  });

  it('an import of a stream that was overtaken is applied again, without reading again, graphs included', async () => {
    for (let seed = 1; seed <= 10; seed++) {
      const contents = new MemoryContents();
      const random = new SeededRandom(seed);
      const engines = [await opened(contents, turns(random, 3)), await opened(contents, turns(random, 3))];
      await engines[0].createWorld({ slug: 'v' });
      await engines[0].createWorld({ slug: 'w' });
      const expected: string[][] = [[], []];
      const work = engines.map(async (engine, at) => {
        const source = 'vw'[at];
        for (let n = 0; n < 12; n++) {
          const lines = [0, 1, 2].map((line) => `<urn:s:${line}> <urn:p> "${(n * 3 + line) % 11}" <urn:g:${n % 5}> .`);
          expected[at].push(...lines);
          let reads = 0;
          const stream = async function* () {
            reads++;
            for (const line of lines) {
              await nextTurn();
              yield `${line}\n`;
            }
          };
          await engine.import({ source, data: stream(), contentType: 'application/n-quads' });
          expect(reads).toBe(1);
          if (n % 4 === 3) await engine.compact({ forgetChanges: true }).catch(ignoreConflict);
        }
      });
      await Promise.all(work);
      const again = await opened(contents);
      for (const at of [0, 1])
        expect(await linesOf(again, 'vw'[at]), `${seed}`).toEqual([...new Set(expected[at])].sort());
      expect((await again.check()).problems).toEqual([]);
      for (const engine of [...engines, again]) await engine.close();
    }
  });

  it.each(Array.from({ length: SEEDS }, (_, at) => FIRST_SEED + at))(
    'do the same as one engine, whatever they do at the same time (seed %i)',
    async (seed) => {
      const random = new SeededRandom(seed);
      const contents = new MemoryContents();
      const open = () =>
        opened(contents, turns(random, 2), {
          checkpointLogBytes: random.pick([4000, 20_000]),
          retainChangesBytes: random.pick([0, 2000, 1e6]),
          retainChangesMs: 1e9,
        });
      const engines = [await open(), await open(), await open()];
      // Each worker owns a world, so that the model is exact; all share the namespace.
      const workers = engines.map(async (_, own) => {
        const slug = `w${own}`;
        let lines: Map<number, ReturnType<typeof quadOf>> | undefined;
        for (let step = 0; step < 40; step++) {
          const engine = random.pick(engines);
          const choice = random.below(100);
          const n = random.below(60);
          if (!lines) {
            await engine.createWorld({ slug });
            lines = new Map();
          } else if (choice < 4) {
            await engine.deleteWorld({ source: slug });
            lines = undefined;
          } else if (choice < 10) await engine.checkpoint();
          else if (choice < 18) {
            await engine.compact({ forgetChanges: choice < 14 }).catch(ignoreConflict);
          } else if (choice < 26) {
            const text = `<urn:s:${n % 7}> <urn:p> "value ${n}" .`;
            await engine.import({ source: slug, data: text, contentType: 'text/turtle' });
            lines.set(n, quadOf(n));
          } else if (choice < 34) {
            // Terms that are in the dictionary of this engine and in no log.
            const query = `INSERT DATA { <urn:lost${step}> <urn:p> 1 } ; CREATE GRAPH <urn:g${n}> ; CREATE GRAPH <urn:g${n}>`;
            await expect(engine.update({ query, sources: [slug] })).rejects.toThrow();
          } else if (choice < 60) {
            const isNew = !lines.has(n);
            const result = await engine.write({ source: slug, insert: [quadOf(n)] });
            expect(result.inserted, `${seed}`).toBe(isNew ? 1 : 0);
            lines.set(n, quadOf(n));
          } else if (choice < 80) {
            const query = `DELETE WHERE { <urn:s:${n % 7}> <urn:p> "value ${n}" }`;
            const result = await engine.update({ sources: [slug], query });
            expect(result.deleted, `${seed}`).toBe(lines.has(n) ? 1 : 0);
            lines.delete(n);
          } else {
            // Reads of any engine: what it returns is some state, and whole.
            await linesOf(engine, slug);
          }
        }
        return { slug, lines };
      });
      const models = await Promise.all(workers);
      const again = await open();
      for (const engine of [...engines, again]) {
        for (const { slug, lines } of models) {
          // Brings an engine that is behind to the head.
          if (lines) await engine.write({ source: slug, insert: [] });
          const expected =
            lines &&
            [...lines.values()]
              .map(({ subject, predicate, object }) => `<${subject.value}> <${predicate.value}> "${object.value}" .`)
              .sort();
          expect(lines ? await linesOf(engine, slug) : undefined, `${seed} ${slug}`).toEqual(expected);
        }
        expect((await engine.check()).problems, `${seed}`).toEqual([]);
      }
      for (const engine of [...engines, again]) await engine.close();
    },
  );
});

function ignoreConflict(error: unknown): void {
  if (!(error instanceof WorldsError && error.code === 'CONFLICT')) throw error;
}
