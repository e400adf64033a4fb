import { fileStorage } from '@rdf-worlds/storage-file';
import { expect, it } from 'vitest';
import { SimulatedFileSystem } from '../../../../storage-file/test/power-cut/simulated-file-system.ts';
import { dataFactory, WorldsEngine, WorldsError } from '../../../src/index.ts';
import { dataOf } from '../world-state.ts';
import { asError, pathsOf, put, readAll } from './data-files.ts';

const { quad, namedNode, literal } = dataFactory;
const one = (n: number, graph = 'urn:g') =>
  quad(namedNode(`urn:s${n}`), namedNode('urn:p'), literal(`text ${n}`), namedNode(graph));

// DAMAGE_STRIDE=1 damages each byte; without it some.
const STRIDE = Number(process.env.DAMAGE_STRIDE ?? 37);

const SOURCES = ['one/w', 'two/w'];

const open = (fileSystem: SimulatedFileSystem, readOnly = false) =>
  WorldsEngine.open({
    storage: fileStorage({ path: '/data', fileSystem, maxLogFileBytes: 700 }),
    textIndex: null,
    ...(readOnly ? {} : { retainChangesBytes: 0 }),
  });

/**
 * Two namespaces, each with a checkpoint and a log behind it; and a namespace that was deleted, so
 * that there is a revision to go on from.
 */
async function filled(): Promise<SimulatedFileSystem> {
  const fileSystem = new SimulatedFileSystem(() => 0);
  const engine = await open(fileSystem);
  await engine.createWorld({ namespace: 'gone', slug: 'w' });
  await engine.deleteNamespace({ namespace: 'gone' });
  for (const source of SOURCES) {
    const [namespace, slug] = source.split('/');
    await engine.createWorld({ namespace, slug, label: 'A label' });
    await engine.write({ source, insert: [one(1), one(2), one(3)] });
    await engine.checkpoint({ namespace });
    await engine.write({ source, insert: [one(4)], delete: [one(2)] });
    await engine.write({ source, insert: [one(5, 'urn:h')] });
  }
  await engine.close();
  return fileSystem;
}

type Found = string | WorldsError;

/** What a caller gets of each world; an error that is none of ours fails the test. */
async function foundIn(fileSystem: SimulatedFileSystem): Promise<Found[]> {
  const engine = await open(fileSystem, true).catch(asError);
  if (engine instanceof WorldsError) return SOURCES.map(() => engine);
  const found: Found[] = [];
  for (const source of SOURCES) {
    const world = await engine.getWorld({ source }).catch(asError);
    const data = await dataOf(engine, source).catch(asError);
    if (world instanceof WorldsError || data instanceof WorldsError) {
      expect(data).toBeInstanceOf(WorldsError);
      expect(world).toBeInstanceOf(WorldsError);
      found.push(data as WorldsError);
    } else found.push(`${JSON.stringify(world)}\n${data}`);
  }
  await engine.close().catch(asError);
  return found;
}

/** Which of the two worlds a path belongs to: -1 for none of them, undefined for a file of all. */
async function ownerOf(fileSystem: SimulatedFileSystem, path: string): Promise<number | undefined> {
  const manifest = await readAll(fileSystem, `${path.slice(0, path.lastIndexOf('/'))}/manifest`).catch(() => undefined);
  return manifest && SOURCES.findIndex((source) => manifest.includes(`"${source.split('/')[0]}"`));
}

const DAMAGES: Readonly<Record<string, (bytes: Buffer, at: number) => Uint8Array>> = {
  'a flipped bit': (bytes, at) => {
    const flipped = Buffer.from(bytes);
    flipped[at] ^= 1 << (at % 8);
    return flipped;
  },
  'a byte of zeros': (bytes, at) => {
    const zeroed = Buffer.from(bytes);
    zeroed[at] = zeroed[at] === 0 ? 255 : 0;
    return zeroed;
  },
  'an end that was cut off': (bytes, at) => bytes.subarray(0, at),
};

for (const [damage, spoil] of Object.entries(DAMAGES)) {
  it(`${damage} anywhere in any file: an error that says where and what to do, or the right data; the other namespace goes on`, async () => {
    const fileSystem = await filled();
    const whole = (await foundIn(fileSystem)) as string[];
    for (const found of whole) expect(found).toMatch(/"text 4"/);
    let errors = 0;
    for (const path of await pathsOf(fileSystem, '/data')) {
      const bytes = await readAll(fileSystem, path);
      const owner = await ownerOf(fileSystem, path);
      for (let at = bytes.length % STRIDE; at < bytes.length; at += STRIDE) {
        await put(fileSystem, path, spoil(bytes, at));
        const found = await foundIn(fileSystem);
        const where = `${path} at byte ${at}`;
        for (const [i, one] of found.entries()) {
          if (typeof one === 'string') expect(one, where).toBe(whole[i]);
          else {
            errors++;
            expect(['CORRUPT', 'UNSUPPORTED'], `${where}: ${one.message}`).toContain(one.code);
            expect(one.message, where).toContain(path.slice(path.lastIndexOf('/') + 1));
            expect(one.message, where).toMatch(/backup|release/i);
            // What is wrong with one namespace is not wrong with the other.
            if (owner !== undefined) expect(owner, `${where}: ${one.message}`).toBe(i);
          }
        }
      }
      await put(fileSystem, path, bytes);
    }
    expect(errors).toBeGreaterThan(3000 / STRIDE);
    expect(await foundIn(fileSystem)).toEqual(whole);
  }, 1_200_000);
}

it('a missing file: the error names it; the other namespace is unaffected', async () => {
  const fileSystem = await filled();
  const whole = await foundIn(fileSystem);
  for (const path of await pathsOf(fileSystem, '/data')) {
    const bytes = await readAll(fileSystem, path);
    const owner = await ownerOf(fileSystem, path);
    await fileSystem.unlink(path);
    const found = await foundIn(fileSystem);
    for (const [i, one] of found.entries()) {
      if (typeof one === 'string') expect(one, path).toBe(whole[i]);
      else {
        expect(one.message, path).toContain(path.slice(path.lastIndexOf('/') + 1));
        if (owner !== undefined) expect(owner, path).toBe(i);
      }
    }
    const isOld = found.every((one) => typeof one === 'string');
    if (owner !== undefined && owner >= 0 && isOld) expect(path).toMatch(/segment/);
    await put(fileSystem, path, bytes);
  }
});

it('if the name of a namespace is unreadable, no namespace is reported as absent; requests get an error', async () => {
  const fileSystem = await filled();
  const path = (await pathsOf(fileSystem, '/data')).find((one) => /one-.*manifest/.test(one))!;
  await put(fileSystem, path, Buffer.from('something else'));
  const engine = await open(fileSystem);
  const corrupt = { code: 'CORRUPT', message: expect.stringContaining(path) };
  await expect(engine.getWorld({ source: 'one/w' })).rejects.toMatchObject(corrupt);
  await expect(engine.createWorld({ namespace: 'one', slug: 'v' })).rejects.toMatchObject(corrupt);
  await expect(engine.deleteNamespace({ namespace: 'one' })).rejects.toMatchObject(corrupt);
  await expect(engine.search({ namespace: 'one', query: 'text' })).rejects.toMatchObject(corrupt);
  await expect(engine.listNamespaces()).rejects.toMatchObject(corrupt);
  await expect(engine.backupStream().next()).rejects.toMatchObject(corrupt);
  expect(await engine.check()).toEqual({
    namespaces: 1,
    problems: [{ namespace: null, problem: expect.stringContaining(path) }],
  });
  // The others go on.
  expect(await engine.getWorld({ source: 'three/w' })).toBeNull();
  await engine.createWorld({ namespace: 'three', slug: 'w' });
  await engine.write({ source: 'two/w', insert: [one(9)] });
  await engine.close();
  const again = await open(fileSystem);
  expect(await dataOf(again, 'two/w')).toContain('"text 9"');
  expect(await again.getWorld({ source: 'three/w' })).not.toBeNull();
  await again.close();
});

it('if earlier revisions are unknown, no namespace can be created; existing ones keep working', async () => {
  const fileSystem = await filled();
  const path = (await pathsOf(fileSystem, '/data')).find((one) => /_-.*log/.test(one))!;
  await put(fileSystem, path, Buffer.from('something else'));
  const engine = await open(fileSystem);
  await engine.write({ source: 'one/w', insert: [one(9)] });
  const corrupt = { code: 'CORRUPT', message: expect.stringContaining(path) };
  await expect(engine.createWorld({ namespace: 'three', slug: 'w' })).rejects.toMatchObject(corrupt);
  await expect(engine.deleteNamespace({ namespace: 'two' })).rejects.toMatchObject(corrupt);
  expect(await dataOf(engine, 'two/w')).toContain('"text 4"');
  expect((await engine.check()).problems).toEqual([{ namespace: null, problem: expect.stringContaining(path) }]);
  await engine.close();
});
