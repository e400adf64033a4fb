import { type FileSystem, fileStorage } from '@rdf-worlds/storage-file';
import { expect, it } from 'vitest';
import { type History, powerCuts, recordHistory } from '../../../../../storage-file/test/power-cut/power-cuts.ts';
import { SimulatedFileSystem } from '../../../../../storage-file/test/power-cut/simulated-file-system.ts';
import { WorldsEngine } from '../../../../src/index.ts';
import type { Storage } from '../../../../src/plugin.ts';
import { checkAfterCrash, NOTHING_DONE, progressOf } from './crash-expectation.ts';
import { checkShown, followAll, isShown } from './crash-feed.ts';
import type { CrashMark } from './crash-job.ts';
import { type Content, makeShared, type Scale, stepOf, WORKERS } from './crash-program.ts';
import { acknowledgingAfter, lateSyncs, withEarlyFeeds } from './early-feed.ts';

// Whether the check of what change feeds showed can fail at all.

const SCALE: Scale = { quads: 60, many: 25, some: 4 };
const STEPS = 3;
const SEED = 3;

const storageOn = (fileSystem: FileSystem): Storage =>
  fileStorage({ path: '/data', fileSystem, maxLogFileBytes: 6000 });

/** All workers side by side, followed by feeds, of an engine on a storage. */
async function program(storage: Storage, tell: (mark: CrashMark) => void): Promise<void> {
  const shown = new Set<string>();
  const mark = (each: CrashMark) => {
    if (isShown(each)) shown.add(each.source);
    tell(each);
  };
  const engine = await WorldsEngine.open({ storage, textIndex: null, checkpointLogBytes: 10_000 });
  let isOver = false;
  const pause = () => new Promise((resolve) => setImmediate(resolve));
  const following = followAll(engine, { mark, pause, isOver: () => isOver });
  await makeShared(engine);
  mark({ is: 'shared' });
  await Promise.all(
    WORKERS.map(async (source, worker) => {
      let content: Content = null;
      for (let step = 0; step < STEPS; step++) {
        const { run, apply } = stepOf(SEED, worker, step, SCALE);
        mark({ worker, is: 'begun' });
        mark({ worker, is: 'done', revision: await run(engine, source, content !== null) });
        content = apply(content);
      }
    }),
  );
  // On a storage that never makes anybody wait, the feeds would have nothing to show before the
  // engine closes.
  for (let turns = 0; turns < 1_000 && !WORKERS.every((source) => shown.has(source)); turns++) await pause();
  isOver = true;
  await engine.close();
  await following;
}

interface Findings {
  readonly cuts: number;
  /** Disks on which what was acknowledged, or what was under way, is not as it must be. */
  readonly lostCommits: number;
  /** What the check of the feeds throws. */
  readonly shown: readonly string[];
}

/**
 * Checks the commits, and for itself what the feeds showed, after power cuts all along a history.
 */
async function findingsOf(history: History, stride: number): Promise<Findings> {
  let cuts = 0;
  let lostCommits = 0;
  const shown: string[] = [];
  const reasonOf = (check: Promise<unknown>) =>
    check.then(
      () => undefined,
      (error: Error) => error.message,
    );
  for (const { fileSystem, marks } of powerCuts<CrashMark>(history, { stride, byChance: 0 })) {
    cuts++;
    const engine = await WorldsEngine.open({ storage: storageOn(fileSystem), textIndex: null });
    const expectation = {
      ...{ seed: SEED, scale: SCALE, before: NOTHING_DONE, words: 0 },
      progress: progressOf(marks, NOTHING_DONE),
      isSharedMade: marks.some(({ is }) => is === 'shared'),
    };
    // Without the marks of the feeds.
    if (await reasonOf(checkAfterCrash(engine, expectation))) lostCommits++;
    const reason = await reasonOf(checkShown(engine, marks));
    if (reason) shown.push(reason);
    await engine.close();
  }
  return { cuts, lostCommits, shown };
}

it('finds commits that a feed showed before they were durable, where everything else is right', async () => {
  const history = await withEarlyFeeds(() =>
    recordHistory<CrashMark>(SEED, async (fileSystem, mark) => {
      const late = lateSyncs(fileSystem);
      await program(acknowledgingAfter(storageOn(late.fileSystem), late.settle), mark);
    }),
  );
  const { cuts, lostCommits, shown } = await findingsOf(history, 7);
  expect(cuts).toBeGreaterThan(40);
  expect(lostCommits).toBe(0);
  expect(shown.length).toBeGreaterThan(2);
  for (const reason of shown) expect(reason).toMatch(/a feed showed revision \d+ of \w+, which is at \d+/);
}, 600_000);

it('finds nothing when either part of the engine that prevents this is as it is', async () => {
  const onlyFeeds = await withEarlyFeeds(() =>
    recordHistory<CrashMark>(SEED, (fileSystem, mark) => program(storageOn(fileSystem), mark)),
  );
  const onlyStorage = await recordHistory<CrashMark>(SEED, async (fileSystem, mark) => {
    const late = lateSyncs(fileSystem);
    await program(acknowledgingAfter(storageOn(late.fileSystem), late.settle), mark);
  });
  for (const history of [onlyFeeds, onlyStorage]) {
    expect(await findingsOf(history, 23)).toMatchObject({ lostCommits: 0, shown: [] });
  }
}, 600_000);

it('finds a change that was shown otherwise, twice, or that the log does not have', async () => {
  const fileSystem = new SimulatedFileSystem(() => 0);
  const marks: CrashMark[] = [];
  await program(storageOn(fileSystem), (mark) => marks.push(mark));
  const engine = await WorldsEngine.open({ storage: storageOn(fileSystem), textIndex: null, checkpointLogBytes: 1e9 });
  expect(await checkShown(engine, marks)).toBeGreaterThan(0);
  const shown = marks.filter(isShown);
  const last = shown.findLast(({ source }) => source === 'one/a')!;
  const { revision } = (await engine.getNamespace({ namespace: 'one' }))!;
  const replaced = (change: object) => marks.map((mark) => (mark === last ? { ...last, ...change } : mark));
  await expect(checkShown(engine, replaced({ digest: 'another' }))).rejects.toThrow(/what a feed showed as revision/);
  await expect(checkShown(engine, replaced({ kind: 'deleted' }))).rejects.toThrow(/what a feed showed as revision/);
  await expect(checkShown(engine, [...marks, last])).rejects.toThrow(/twice/);
  await expect(checkShown(engine, [...marks, { ...last, revision: revision + 1 }])).rejects.toThrow(/which is at/);
  await engine.close();
});
