import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { fileStorage } from '@rdf-worlds/storage-file';
import { SeededRandom } from '@rdf-worlds/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SimulatedFileSystem } from '../../../../storage-file/test/power-cut/simulated-file-system.ts';
import { dataFactory, WorldsEngine, WorldsError } from '../../../src/index.ts';
import { linesOf } from '../world-state.ts';

const { quad, namedNode, literal } = dataFactory;
const quadOf = (n: number) => quad(namedNode(`urn:s${n}`), namedNode('urn:p'), literal(`text ${n}`));
const lineOf = (n: number) => `<urn:s${n}> <urn:p> "text ${n}" .`;

/** `SHARED_DIRECTORY_SEEDS=200` for the long form. */
const SEEDS = Number(process.env.SHARED_DIRECTORY_SEEDS ?? 1);

let path = '';
beforeEach(async () => {
  path = await mkdtemp(join(tmpdir(), 'rdf-worlds-shared-'));
});
afterEach(() => rm(path, { recursive: true, force: true }));

const open = (options = {}) => WorldsEngine.open({ storage: fileStorage({ path }), textIndex: null, ...options });

describe('two engines on one directory in one process', () => {
  it('see the commits of the other as soon as they are acknowledged', async () => {
    const [one, other] = [await open({ textIndex: undefined }), await open({ textIndex: undefined })];
    await one.createWorld({ slug: 'w', label: 'Made by one' });
    expect(await other.getWorld({ source: 'w' })).toMatchObject({ label: 'Made by one', revision: 1 });
    await other.write({ source: 'w', insert: [quadOf(1)] });
    expect(await linesOf(one, 'w')).toEqual([lineOf(1)]);
    await one.update({
      query: 'DELETE WHERE { ?s ?p ?o } ; INSERT DATA { <urn:s2> <urn:p> "text 2" }',
      sources: ['w'],
    });
    expect(await other.select({ query: 'SELECT ?o { ?s ?p ?o }', sources: ['w'] }).then((r) => r.array())).toHaveLength(
      1,
    );
    expect(await other.search({ query: 'text', sources: ['w'] })).toMatchObject([{ object: 'text 2' }]);
    await one.write({ source: 'w', insert: [quadOf(3)] });
    expect(await other.search({ query: 'text', sources: ['w'] })).toHaveLength(2);
    await other.createWorld({ namespace: 'second', slug: 'v' });
    expect(await one.listNamespaces()).toEqual(['default', 'second']);
    expect(await one.listWorlds({ namespace: 'second' })).toMatchObject([{ slug: 'v' }]);
    const last = (await one.getWorld({ source: 'second/v' }))!.revision;
    await one.deleteNamespace({ namespace: 'second' });
    expect(await other.listNamespaces()).toEqual(['default']);
    expect(await other.getWorld({ source: 'second/v' })).toBeNull();
    // A revision never stands for two worlds, whichever engine deleted the first or made the
    // second.
    expect((await other.createWorld({ namespace: 'second', slug: 'v' })).revision).toBeGreaterThan(last);
    await other.deleteNamespace({ namespace: 'second' });
    expect(await one.listNamespaces()).toEqual(['default']);
    for (const engine of [one, other]) expect((await engine.check()).problems).toEqual([]);
    await one.close();
    await other.close();
  });

  it('delete namespaces, however many the other has deleted', async () => {
    const fileSystem = new SimulatedFileSystem(() => 0);
    const opened = () => WorldsEngine.open({ storage: fileStorage({ path: '/data', fileSystem }), textIndex: null });
    const [one, other] = [await opened(), await opened()];
    await other.createWorld({ namespace: 'mine', slug: 'w' });
    // More than the records after which the log of deletions begins again.
    for (let n = 0; n < 210; n++) {
      await one.createWorld({ namespace: 'theirs', slug: 'w' });
      await one.deleteNamespace({ namespace: 'theirs' });
    }
    const { revision } = (await one.createWorld({ namespace: 'theirs', slug: 'w' }))!;
    for (let n = 0; n < 210; n++) await other.write({ source: 'mine/w', insert: [quadOf(n)] });
    await other.deleteNamespace({ namespace: 'theirs' });
    await other.deleteNamespace({ namespace: 'mine' });
    expect(await one.listNamespaces()).toEqual([]);
    expect((await one.createWorld({ namespace: 'theirs', slug: 'w' })).revision).toBeGreaterThan(revision);
    await one.close();
    await other.close();
  });

  it('report the commits of the other to their change feeds', async () => {
    const [one, other] = [await open(), await open()];
    await one.createWorld({ slug: 'w' });
    const changes = other.changes({ after: 1 });
    const first = changes.next();
    await one.write({ source: 'w', insert: [quadOf(1)] });
    expect((await first).value).toMatchObject({ kind: 'changed', revision: 2 });
    const second = changes.next();
    await one.write({ source: 'w', insert: [quadOf(2)] });
    expect((await second).value).toMatchObject({ revision: 3 });
    // Written before anybody waits for it.
    await one.write({ source: 'w', insert: [quadOf(3)] });
    expect((await changes.next()).value).toMatchObject({ revision: 4 });
    await one.close();
    await other.close();
  });

  it('behave as one engine under any calls, each on any of the three', { timeout: 60_000 + SEEDS * 3000 }, async () => {
    for (let seed = 1; seed <= SEEDS; seed++) {
      await rm(path, { recursive: true, force: true });
      const random = new SeededRandom(seed);
      const make = () => open({ checkpointLogBytes: random.pick([3000, 20_000, undefined]) });
      const engines = [await make(), await make(), await make()];
      const model = new Map<string, Set<string>>();
      for (let n = 0; n < 100; n++) {
        const engine = random.pick(engines);
        const source = random.pick(['a/v', 'a/w', 'b/v']);
        const [namespace, slug] = source.split('/');
        const lines = model.get(source);
        const choice = random.below(100);
        if (!lines) {
          await engine.createWorld({ namespace, slug });
          model.set(source, new Set());
        } else if (choice < 5) {
          await engine.deleteWorld({ source });
          model.delete(source);
        } else if (choice < 15) {
          await engine.checkpoint();
        } else if (choice < 25) {
          // Terms that are in the dictionary of this engine and in no log.
          const query = `INSERT DATA { <urn:lost${n}> <urn:p> 1 } ; CREATE GRAPH <urn:g${n}> ; CREATE GRAPH <urn:g${n}>`;
          await expect(engine.update({ query, sources: [source] })).rejects.toThrow();
        } else if (choice < 30) {
          const at = engines.indexOf(engine);
          await engine.close();
          engines[at] = await make();
        } else if (choice < 80) {
          await engine.write({ source, insert: [quadOf(n)] });
          lines.add(lineOf(n));
        } else {
          const gone = [...lines].slice(0, 2);
          const deleted = gone.map((line) => quadOf(Number(/\d+/.exec(line)![0])));
          await engine.write({ source, delete: deleted });
          for (const line of gone) lines.delete(line);
        }
        const reader = random.pick(engines);
        for (const [known, there] of model)
          expect(await linesOf(reader, known), `${seed}, ${n}`).toEqual([...there].sort());
      }
      for (const engine of engines) {
        expect((await engine.check()).problems).toEqual([]);
        await engine.close();
      }
    }
  });

  it('lose no commit when both write concurrently: the one that comes second repeats its write', async () => {
    const engines = [await open({ checkpointLogBytes: 4000 }), await open({ checkpointLogBytes: 9000 })];
    await engines[0].createWorld({ slug: 'w' });
    const acknowledged: string[] = [];
    const write = async (engine: WorldsEngine, n: number) => {
      await engine.write({ source: 'w', insert: [quadOf(n)] });
      acknowledged.push(lineOf(n));
    };
    for (let round = 0; round < 60; round++) {
      await Promise.all(
        engines.flatMap((engine, i) => [write(engine, round * 4 + i), write(engine, round * 4 + 2 + i)]),
      );
      for (const engine of engines) expect(await linesOf(engine, 'w')).toEqual([...acknowledged].sort());
    }
    for (const engine of engines) await engine.close();
    const again = await open();
    expect(await linesOf(again, 'w')).toEqual(acknowledged.sort());
    expect((await again.check()).problems).toEqual([]);
    await again.close();
  });

  it('are compacted by any of them; the other reloads, and defines the freed terms again', async () => {
    const [one, other] = [await open(), await open()];
    await one.createWorld({ slug: 'w' });
    await one.write({ source: 'w', insert: [quadOf(1), quadOf(2)] });
    await one.write({ source: 'w', delete: [quadOf(1)] });
    expect(await linesOf(other, 'w')).toEqual([lineOf(2)]);
    expect((await one.compact({ forgetChanges: true })).terms).toBeGreaterThan(0);
    await other.write({ source: 'w', insert: [quadOf(1)] });
    for (const engine of [one, other]) {
      expect(await linesOf(engine, 'w')).toEqual([lineOf(1), lineOf(2)]);
      expect((await engine.check()).problems).toEqual([]);
    }
    await other.close();
    await one.write({ source: 'w', delete: [quadOf(2)] });
    expect(await one.compact({ forgetChanges: true })).toMatchObject({ namespaces: 1 });
    const third = await open();
    await third.write({ source: 'w', insert: [quadOf(2)] });
    expect(await linesOf(one, 'w')).toEqual([lineOf(1), lineOf(2)]);
    await one.close();
    await third.close();
  });

  it('delete namespaces and make them again, each as it may', async () => {
    const engines = [await open(), await open()];
    const ends = new Map<string, boolean>();
    const random = new SeededRandom(4);
    for (let n = 0; n < 120; n++) {
      const engine = engines[random.below(2)];
      const namespace = random.pick(['a', 'b', 'c']);
      const isMade = random.chance(0.5);
      const call = isMade ? engine.createWorld({ namespace, slug: 'w' }) : engine.deleteNamespace({ namespace });
      const outcome = await call.then(
        () => 'done',
        (error: unknown) => error,
      );
      if (outcome === 'done') ends.set(namespace, isMade);
      else expect(outcome).toBeInstanceOf(WorldsError);
    }
    for (const engine of engines) await engine.close();
    const again = await open();
    expect(await again.listNamespaces()).toEqual(
      [...ends]
        .filter(([, isThere]) => isThere)
        .map(([name]) => name)
        .sort(),
    );
    for (const namespace of ['a', 'b', 'c']) {
      await again.createWorld({ namespace, slug: 'again' });
      await again.deleteNamespace({ namespace });
    }
    await again.close();
  });
});

describe('closing', () => {
  it('during commits: each commit is present, or its caller got an error', async () => {
    for (const turns of [0, 1, 3, 10, 30]) {
      const engine = await open({ checkpointLogBytes: 5000 });
      const source = `n${turns}/w`;
      await engine.createWorld({ namespace: `n${turns}`, slug: 'w' });
      const acknowledged: string[] = [];
      const writers = Promise.allSettled(
        Array.from({ length: 40 }, async (_, n) => {
          for (let i = 0; i < 5; i++) {
            await engine.write({ source, insert: [quadOf(n * 10 + i)] });
            acknowledged.push(lineOf(n * 10 + i));
          }
        }),
      );
      for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve));
      await engine.close();
      for (const outcome of await writers) {
        if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(WorldsError);
      }
      const again = await open();
      const there = new Set(await linesOf(again, source));
      for (const line of acknowledged) expect(there).toContain(line);
      expect((await again.check()).problems).toEqual([]);
      await again.close();
    }
  });

  it('twice concurrently during loads, deletions and backups: every call settles', async () => {
    const filling = await open();
    for (const namespace of ['a', 'b', 'c']) {
      await filling.createWorld({ namespace, slug: 'w' });
      await filling.import({ source: `${namespace}/w`, data: Array.from({ length: 3000 }, (_, n) => quadOf(n)) });
    }
    await filling.close();
    for (const turns of [0, 1, 2, 5]) {
      const engine = await WorldsEngine.open({ storage: fileStorage({ path }) });
      const calls = Promise.allSettled([
        linesOf(engine, 'a/w'),
        engine.search({ namespace: 'a', query: 'text' }),
        engine.deleteWorld({ source: 'b/w' }),
        engine.createWorld({ namespace: 'b', slug: `w${turns}` }),
        engine.check(),
        engine.compact(),
        engine.checkpoint(),
        (async () => {
          for await (const chunk of engine.backupStream()) expect(chunk).toBeInstanceOf(Uint8Array);
        })(),
        (async () => {
          for await (const change of engine.changes({ namespace: 'c', after: 0 })) expect(change.kind).toBeDefined();
        })(),
      ]);
      for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve));
      await Promise.all([engine.close(), engine.close()]);
      for (const outcome of await calls) {
        if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(WorldsError);
      }
    }
    const again = await open();
    expect((await again.check()).problems).toEqual([]);
    expect(await linesOf(again, 'c/w')).toHaveLength(3000);
    await again.close();
  });
});

it('a directory of a newer release is refused as such, and left as it is', async () => {
  await (await open()).close();
  await writeFile(join(path, 'format'), 'rdf-worlds-storage 3\n');
  const before = (await readdir(path)).filter((name) => !name.startsWith('lock-'));
  await expect(open()).rejects.toMatchObject({
    code: 'UNSUPPORTED',
    message: expect.stringMatching(/format has format version 3.*release/s),
  });
  expect((await readdir(path)).filter((name) => !name.startsWith('lock-'))).toEqual(before);
  await writeFile(join(path, 'format'), 'rdf-worlds-storage 1\n');
  await (await open()).close();
});

it('a backup that was cut short leaves no namespace in part, wherever it was cut', async () => {
  const engine = await WorldsEngine.open({ textIndex: null });
  for (const namespace of ['a', 'b']) {
    await engine.createWorld({ namespace, slug: 'w' });
    await engine.import({ source: `${namespace}/w`, data: Array.from({ length: 20 }, (_, n) => quadOf(n)) });
  }
  const chunks: Uint8Array[] = [];
  for await (const chunk of engine.backupStream()) chunks.push(Buffer.from(chunk));
  const backup = Buffer.concat(chunks);
  let whole = 0;
  for (let length = 0; length < backup.length; length += 211) {
    const storage = fileStorage({ path: join(path, `${length}`) });
    // Of bytes, the end is looked at first.
    const stream = Readable.from([backup.subarray(0, length)]);
    await expect(WorldsEngine.restore(stream, { storage })).rejects.toMatchObject({
      code: 'CORRUPT',
    });
    const found = await WorldsEngine.open({ storage: fileStorage({ path: join(path, `${length}`) }), textIndex: null });
    for (const namespace of await found.listNamespaces()) {
      expect(await linesOf(found, `${namespace}/w`)).toHaveLength(20);
      whole++;
    }
    await found.close();
  }
  expect(whole).toBeGreaterThan(0);
  await expect(
    WorldsEngine.restore(backup, { storage: fileStorage({ path: join(path, 'all') }) }),
  ).resolves.toBeDefined();
});
