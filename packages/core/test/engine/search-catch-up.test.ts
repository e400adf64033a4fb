import { expect, it, vi } from 'vitest';
import { WorldsEngine } from '../../src/index.ts';
import { Run } from '../../src/quads/run.ts';

const MOST_COMMITS = 20_000;

it('a search waits for commits before it, not for later ones', async () => {
  await using engine = await WorldsEngine.open();
  await engine.createWorld({ slug: 'w' });
  await engine.import({ source: 'w', data: '<urn:first> <urn:p> "lantern" .' });
  expect(await engine.search({ query: 'lantern' })).toHaveLength(1);
  // Commits in memory come faster than they are indexed.
  let commits = 0;
  let ended = false;
  const writing = (async () => {
    for (; !ended && commits < MOST_COMMITS; commits++)
      await engine.import({ source: 'w', data: `<urn:s${commits}> <urn:p> "lantern ${commits}" .` });
  })();
  while (commits < 100) await new Promise<void>((resolve) => setImmediate(resolve));
  const committed = commits;
  const hits = await engine.search({ query: `${committed - 1}` });
  ended = true;
  await writing;
  expect(hits.map(({ subject }) => subject)).toContain(`urn:s${committed - 1}`);
  expect(commits).toBeLessThan(MOST_COMMITS);
  // What came meanwhile is found as well.
  expect((await engine.search({ query: `${commits - 1}` }))[0]?.subject).toBe(`urn:s${commits - 1}`);
});

it('a commit does not look at those before it that wait to be indexed', async () => {
  const looks: number[] = [];
  for (const commits of [50, 200, 800]) {
    await using engine = await WorldsEngine.open();
    await engine.createWorld({ slug: 'w' });
    await engine.import({ source: 'w', data: '<urn:first> <urn:p> "lantern" .' });
    await engine.search({ query: 'lantern' });
    const bytes = vi.spyOn(Run.prototype, 'byteLength', 'get');
    for (let i = 0; i < commits; i++)
      await engine.import({ source: 'w', data: `<urn:s${i}> <urn:p> "lantern ${i}" .` });
    looks.push(bytes.mock.calls.length / commits);
    bytes.mockRestore();
  }
  expect(looks[2]).toBeLessThan(2 * looks[0]);
});
