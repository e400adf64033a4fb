import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileStorage } from '@rdf-worlds/storage-file';
import { SeededRandom } from '@rdf-worlds/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dataFactory, WorldsEngine, WorldsError } from '../../../src/index.ts';
import { linesOf } from '../world-state.ts';

const { quad, namedNode, literal } = dataFactory;
const one = (n: number) => quad(namedNode(`urn:s${n}`), namedNode('urn:p'), literal(`text ${n}`));

let path = '';
beforeEach(async () => {
  path = await mkdtemp(join(tmpdir(), 'rdf-worlds-shared-'));
});
afterEach(() => rm(path, { recursive: true, force: true }));

const open = (options = {}) => WorldsEngine.open({ storage: fileStorage({ path }), textIndex: null, ...options });

describe('two engines on one directory in one process', () => {
  it('lose nothing that they acknowledged: the one that is behind is told CONFLICT, and reads anew', async () => {
    const engines = [await open({ checkpointLogBytes: 4000 }), await open({ checkpointLogBytes: 9000 })];
    await engines[0].createWorld({ slug: 'w' });
    const random = new SeededRandom(3);
    const acknowledged: string[] = [];
    let conflicts = 0;
    for (let n = 0; n < 200; n++) {
      const engine = engines[random.below(2)];
      try {
        await engine.write({ source: 'w', insert: [one(n)] });
        acknowledged.push(`<urn:s${n}> <urn:p> "text ${n}" .`);
      } catch (error) {
        expect(error).toMatchObject({ code: expect.stringMatching(/^(CONFLICT|NOT_FOUND)$/) });
        conflicts++;
      }
      if (n % 37 === 36) await engine.checkpoint().catch((error) => expect(error).toMatchObject({ code: 'CONFLICT' }));
    }
    expect(conflicts).toBeGreaterThan(20);
    for (const engine of engines) await engine.close();
    const again = await open();
    expect(await linesOf(again, 'w')).toEqual(acknowledged.sort());
    expect((await again.check()).problems).toEqual([]);
    await again.close();
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
  it('while commits are under way: each is there, or its caller was told', async () => {
    for (const turns of [0, 1, 3, 10, 30]) {
      const engine = await open({ checkpointLogBytes: 5000 });
      const source = `n${turns}/w`;
      await engine.createWorld({ namespace: `n${turns}`, slug: 'w' });
      const acknowledged: string[] = [];
      const writers = Promise.allSettled(
        Array.from({ length: 40 }, async (_, n) => {
          for (let i = 0; i < 5; i++) {
            await engine.write({ source, insert: [one(n * 10 + i)] });
            acknowledged.push(`<urn:s${n * 10 + i}> <urn:p> "text ${n * 10 + i}" .`);
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

  it('while namespaces are read, worlds deleted, backups taken, twice at once: all come to an end', async () => {
    const filling = await open();
    for (const namespace of ['a', 'b', 'c']) {
      await filling.createWorld({ namespace, slug: 'w' });
      await filling.import({ source: `${namespace}/w`, data: Array.from({ length: 3000 }, (_, n) => one(n)) });
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
  await writeFile(join(path, 'format'), 'rdf-worlds-storage 2\n');
  const before = (await readdir(path)).filter((name) => !name.startsWith('lock-'));
  await expect(open()).rejects.toMatchObject({
    code: 'UNSUPPORTED',
    message: expect.stringMatching(/format has format version 2.*release/s),
  });
  expect((await readdir(path)).filter((name) => !name.startsWith('lock-'))).toEqual(before);
  await writeFile(join(path, 'format'), 'rdf-worlds-storage 1\n');
  await (await open()).close();
});

it('a backup that was cut short leaves no namespace in part, wherever it was cut', async () => {
  const engine = await WorldsEngine.open({ textIndex: null });
  for (const namespace of ['a', 'b']) {
    await engine.createWorld({ namespace, slug: 'w' });
    await engine.import({ source: `${namespace}/w`, data: Array.from({ length: 20 }, (_, n) => one(n)) });
  }
  const chunks: Uint8Array[] = [];
  for await (const chunk of engine.backupStream()) chunks.push(Buffer.from(chunk));
  const backup = Buffer.concat(chunks);
  let whole = 0;
  for (let length = 0; length < backup.length; length += 211) {
    const storage = fileStorage({ path: join(path, `${length}`) });
    await expect(WorldsEngine.restore(backup.subarray(0, length), { storage })).rejects.toMatchObject({
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
