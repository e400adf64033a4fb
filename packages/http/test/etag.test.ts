import { MemoryContents, MemoryStorage, WorldsEngine } from '@rdf-worlds/core';
import { expect, it } from 'vitest';
import { matchesEtag, stateTags } from '../src/etag.ts';

const openEngine = (contents = new MemoryContents()) => WorldsEngine.open({ storage: new MemoryStorage(contents) });
const stateOf = async (engine: WorldsEngine, source = 'n/a') =>
  stateTags({ engine }, (await engine.getWorld({ source }))!);

it('names a state of a world, and a representation of it', async () => {
  const engine = await openEngine();
  const world = await engine.createWorld({ slug: 'a', namespace: 'n' });
  const tagOf = async (changed: object) => (await stateTags({ engine }, { ...world, ...changed })).record;
  const { record, ofData, match } = await stateTags({ engine }, world);
  expect(record).toMatch(/^"[^"]+"$/);
  expect(await tagOf({})).toBe(record);
  expect(await tagOf({ revision: world.revision + 1 })).not.toBe(record);
  expect(await tagOf({ createdAt: world.createdAt + 1 })).not.toBe(record);
  expect(await tagOf({ slug: 'b' })).not.toBe(record);
  // Revisions count the commits of all worlds of the namespace.
  expect(await tagOf({ revision: 1000 })).not.toMatch(/\b1000\b/);
  expect(ofData('text/turtle')).toMatch(/^W\/"[^"]+"$/);
  expect(ofData('text/turtle')).not.toBe(ofData('text/n3'));
  for (const tag of [record, ofData('text/n3'), `"x", ${ofData('')}`]) expect(match(tag)).toBe(true);
  for (const tag of ['', '"x"', 'x', record.replaceAll('"', ''), await tagOf({ revision: 1000 })])
    expect(match(tag)).toBe(false);
  await engine.close();
});

it('outlives the process, but not the namespace', async () => {
  const contents = new MemoryContents();
  const engine = await openEngine(contents);
  await engine.createWorld({ slug: 'a', namespace: 'n' });
  await engine.createWorld({ slug: 'a', namespace: 'other' });
  const { record } = await stateOf(engine);
  expect(await stateOf(engine, 'other/a')).not.toMatchObject({ record });
  const backup: Uint8Array[] = [];
  await engine.backup(new WritableStream({ write: (chunk) => void backup.push(chunk) }));
  await engine.close();

  const reopened = await openEngine(contents);
  expect(await stateOf(reopened)).toMatchObject({ record });
  const world = (await reopened.getWorld({ source: 'n/a' }))!;
  await reopened.deleteNamespace({ namespace: 'n' });
  await reopened.createWorld({ slug: 'a', namespace: 'n' });
  // Of all that is hashed, only the key differs.
  expect((await stateTags({ engine: reopened }, world)).record).not.toBe(record);
  await reopened.close();

  const restored = await WorldsEngine.restore(Buffer.concat(backup), { storage: new MemoryStorage() });
  expect(await restored.getWorld({ source: 'n/a' })).toMatchObject({ revision: world.revision });
  expect((await stateOf(restored)).record).not.toBe(record);
  await restored.close();
});

it('without storage, is that of one engine', async () => {
  const engines = [await WorldsEngine.open(), await WorldsEngine.open()];
  const world = await engines[0]!.createWorld({ slug: 'a', namespace: 'n' });
  const [first, again, other] = await Promise.all(
    [engines[0]!, engines[0]!, engines[1]!].map(async (engine) => (await stateTags({ engine }, world)).record),
  );
  expect(again).toBe(first);
  expect(other).not.toBe(first);
  for (const engine of engines) await engine.close();
});

it.each([
  [null, false],
  ['"a"', true],
  ['W/"a"', true],
  ['"b", "a"', true],
  ['*', true],
  ['"b"', false],
  ['a', false],
  ['', false],
])('If-None-Match: %s', (header, expected) => {
  expect(matchesEtag(header, '"a"')).toBe(expected);
  expect(matchesEtag(header, 'W/"a"')).toBe(expected);
});
