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

it('a search of a namespace waits for its worlds, not for those that are created meanwhile', async () => {
  const most = 400;
  await using engine = await WorldsEngine.open();
  let created = 0;
  const create = async () => {
    const source = `w${created++}`;
    await engine.createWorld({ slug: source });
    const data = Array.from({ length: 500 }, (_, at) => `<urn:${source}:${at}> <urn:p> "lantern ${source} ${at}" .`);
    await engine.import({ source, data: data.join('\n') });
  };
  while (created < 6) await create();
  // So that the index does not hold all worlds, and new ones are not added to it in the background.
  await engine.search({ query: 'lantern', sources: ['w0'] });
  let ended = false;
  const creating = (async () => {
    while (!ended && created < most) await create();
  })();
  expect(await engine.search({ query: 'w5', limit: 1000 })).toHaveLength(500);
  ended = true;
  await creating;
  expect(created).toBeLessThan(most);
});
