import { expect, it } from 'vitest';
import { MemoryContents, MemoryStorage, WorldsEngine } from '../../src/index.ts';

it('counts commits, checkpoints, and commits without a checkpoint', async () => {
  let now = 1_000_000;
  const contents = new MemoryContents();
  const open = () =>
    WorldsEngine.open({
      storage: new MemoryStorage(contents),
      textIndex: null,
      clock: () => now,
      checkpointLogBytes: 1e9,
    });
  const engine = await open();
  await engine.createWorld({ slug: 'a', namespace: 'one' });
  now += 500;
  await engine.update({ sources: ['one/a'], query: 'INSERT DATA { <urn:a> <urn:p> 1 }' });
  now += 500;
  const before = engine.metrics();
  expect(before).toMatchObject({
    namespaces: 1,
    namespacesInMemory: 1,
    worldsInMemory: 1,
    commits: 2,
    checkpoints: 0,
    uncheckpointedMs: 1_000,
    problems: 0,
  });
  expect(before.uncheckpointedBytes).toBeGreaterThan(0);
  expect(Object.values(before.backgroundFailures).every((count) => count === 0)).toBe(true);
  const { memoryBytes } = await engine.stats();
  expect(Object.values(before.memoryBytes).reduce((sum, bytes) => sum + bytes)).toBe(memoryBytes);
  await engine.checkpoint();
  expect(engine.metrics()).toMatchObject({ checkpoints: 1, uncheckpointedBytes: 0, uncheckpointedMs: 0 });
  await engine.update({ sources: ['one/a'], query: 'INSERT DATA { <urn:a> <urn:p> 2 }' });
  await engine.close();
  expect(() => engine.metrics()).toThrow(/closed/);

  // What another engine committed is no commit of this one.
  await using again = await open();
  expect(again.metrics()).toMatchObject({ namespaces: 1, namespacesInMemory: 0, commits: 0 });
  await again.getWorld({ source: 'one/a' });
  expect(again.metrics()).toMatchObject({ namespacesInMemory: 1, commits: 0 });
});

it('reports the memory of running queries', async () => {
  await using engine = await WorldsEngine.open({ textIndex: null });
  const { requestMemory, waitingTurns } = engine.metrics();
  expect(requestMemory.usedBytes).toBeGreaterThanOrEqual(0);
  expect(requestMemory.maxBytes).toBeGreaterThan(1 << 20);
  expect(waitingTurns).toBe(0);
});
