import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type FileSystem, fileStorage } from '@rdf-worlds/storage-file';
import { SeededRandom } from '@rdf-worlds/testkit';
import { expect, it } from 'vitest';
import {
  type AfterCut,
  type History,
  kills,
  powerCuts,
  recordHistory,
} from '../../../../../storage-file/test/power-cut/power-cuts.ts';
import type { SimulatedFileSystem } from '../../../../../storage-file/test/power-cut/simulated-file-system.ts';
import { withoutSyncs } from '../../../../../storage-file/test/power-cut/without-syncs.ts';
import { dataFactory, WorldsEngine } from '../../../../src/index.ts';
import { smallTextIndex, type TextIndexWork } from '../small-text-index.ts';
import { backupsIn, checkBackup, checkNextBackup, takeBackups } from './crash-backups.ts';
import { checkAfterCrash, type Known, NOTHING_DONE, progressOf } from './crash-expectation.ts';
import { followAll, isShown } from './crash-feed.ts';
import type { CrashMark } from './crash-job.ts';
import { checkPast } from './crash-past.ts';
import { makeShared, type Scale, stepOf, WORKERS } from './crash-program.ts';

// ENGINE_POWER_CUT_HISTORIES=200 cuts the power after every event of 200 histories, or after every
// ENGINE_POWER_CUT_STRIDE-th. The default is a few cuts in a few histories.
const ALL = Number(process.env.ENGINE_POWER_CUT_HISTORIES ?? 0);
const HISTORIES = ALL || 2;
const STRIDE = Number(process.env.ENGINE_POWER_CUT_STRIDE ?? (ALL ? 1 : 149));
const FIRST_SEED = Number(process.env.ENGINE_POWER_CUT_SEED ?? 2);

const SCALE: Scale = { quads: 60, many: 25, some: 4 };
/** Number of steps of each worker. */
const STEPS = 4;
/** One disk in this many is also searched, and used for further work. */
const FURTHER = ALL ? 7 : 5;

/**
 * Small files and frequent checkpoints, by chance of the seed: so that all of them happen in a
 * short history.
 */
function open(fileSystem: FileSystem, seed: number, isLooking = false): Promise<WorldsEngine> {
  const random = new SeededRandom(seed);
  return WorldsEngine.open({
    storage: fileStorage({
      path: '/data',
      fileSystem,
      maxLogFileBytes: random.pick([1, 1500, 6000]),
      maxOpenFiles: random.pick([1, 256]),
    }),
    textIndex: smallTextIndex(texts),
    // Of one that only looks, a checkpoint would cut the log that is compared with the feeds.
    checkpointLogBytes: isLooking ? 2 ** 30 : random.pick([3000, 10_000, 20_000]),
    retainChangesBytes: random.pick([0, 4000]),
    history: random.pick([undefined, { keepRevisions: 6 }, { keepMs: 1e12 }]),
  });
}

/** What the text indexes of all engines did. */
const texts: TextIndexWork = { added: 0, restored: 0 };

/** How many backups are taken of a history at most. */
const BACKUPS = 5;
type Backups = ReadonlyMap<number, Uint8Array>;
const turn = () => new Promise((resolve) => setImmediate(resolve));

/**
 * All workers side by side, some steps each, followed by feeds and backed up, with checkpoints as
 * the log grows, and some compactions.
 */
async function program(
  seed: number,
  fileSystem: FileSystem,
  mark: (mark: CrashMark) => void,
  before: readonly Known[] = NOTHING_DONE,
): Promise<Backups> {
  const engine = await open(fileSystem, seed);
  const sharing = makeShared(engine).then(() => mark({ is: 'shared' }));
  const backups = new Map<number, Uint8Array>();
  let isOver = false;
  const beside = { mark, pause: turn, isOver: () => isOver };
  const following = followAll(engine, beside);
  const keep = (number: number, bytes: Uint8Array) => backups.set(number, bytes);
  const backingUp = sharing.then(() => takeBackups(engine, { ...beside, keep, count: BACKUPS }));
  await Promise.all(
    WORKERS.map(async (source, worker) => {
      await sharing;
      let { steps, content } = before[worker];
      for (const end = steps + STEPS; steps < end; steps++) {
        const step = stepOf(seed, worker, steps, SCALE);
        mark({ worker, is: 'begun' });
        const revision = await step.run(engine, source, content !== null);
        mark({ worker, is: 'done', revision });
        content = step.apply(content);
        if (steps % 2 === worker % 2)
          await engine
            .search({ query: 'group7', namespace: source.split('/')[0] })
            .catch((error) => expect(error.code).toBe('NOT_FOUND'));
        if (seed % 3 === 0 && steps % WORKERS.length === worker) await engine.compact();
      }
    }),
  );
  if (seed % 2 === 0) await engine.checkpoint();
  isOver = true;
  await backingUp;
  await engine.close();
  await following;
  return backups;
}

let disks = 0;
/** Past revisions that were read. */
let pasts = 0;

/** What is wrong with a disk; undefined when nothing is. */
async function failureOf(
  seed: number,
  { fileSystem, marks, name }: Pick<AfterCut<CrashMark>, 'fileSystem' | 'marks' | 'name'>,
  backups: Backups,
  before = NOTHING_DONE,
): Promise<string | undefined> {
  const isLookedAtFurther = ++disks % FURTHER === 0;
  const words = isLookedAtFurther ? 2 : 0;
  const expectation = {
    ...{ seed, scale: SCALE, before, words },
    progress: progressOf(marks, before),
    marks,
    isSharedMade: before !== NOTHING_DONE || marks.some(({ is }) => is === 'shared'),
  };
  const disk = ALL ? (fileSystem as SimulatedFileSystem).afterKill() : undefined;
  try {
    const engine = await open(fileSystem, seed, true);
    const known = await checkAfterCrash(engine, expectation);
    // An index in a checkpoint is that of its quads: the check has compared the two.
    expect(engine.health().problems.filter(({ activity }) => activity === 'loading')).toEqual([]);
    pasts += await checkPast(engine);
    if (!isLookedAtFurther) {
      await engine.close();
      return undefined;
    }
    await checkNextBackup(engine, { ...expectation, bytesOf: (number) => backups.get(number)! });
    await goOn(engine, name);
    const again = await open(fileSystem, seed, true);
    const progress = known.map(({ steps }) => ({ begun: steps, done: steps, revision: undefined }));
    await checkAfterCrash(again, { ...expectation, before: known, progress, marks: [], words: 0 });
    expect(await again.getWorld({ source: 'one/after' })).toMatchObject({ label: name });
    await again.close();
    return undefined;
  } catch (cause) {
    const kept = disk && `\nThe disk stays for examination in ${await keptDisk(disk)}.`;
    return `${name}: ${(cause as Error).stack}${kept ?? ''}`;
  }
}

/** Copies a disk into a new directory; gives its path. */
async function keptDisk(disk: FileSystem): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'rdf-worlds-power-cut-'));
  const copy = async (path: string): Promise<void> => {
    await mkdir(join(root, path));
    for (const name of await disk.list(path)) {
      const inner = `${path}/${name}`;
      const file = await disk.open(inner, 'read').catch(() => undefined);
      if (!file) {
        await copy(inner);
        continue;
      }
      const bytes = Buffer.alloc(await file.size());
      await file.read(bytes, 0);
      await file.close();
      await writeFile(join(root, inner), bytes);
    }
  };
  // A disk that lost even its first directory has nothing to copy.
  if ((await disk.list('/')).includes('data')) await copy('/data');
  return root;
}

/** Writes into what a crash left, and closes it. */
async function goOn(engine: WorldsEngine, label: string): Promise<void> {
  const { quad, namedNode, literal } = dataFactory;
  await engine.createWorld({ namespace: 'one', slug: 'after', label });
  const insert = [quad(namedNode('urn:after'), namedNode('urn:the'), literal('crash'))];
  await engine.write({ source: 'one/after', insert });
  expect(await engine.search({ query: 'crash', sources: ['one/after'] })).toHaveLength(1);
  await engine.checkpoint();
  await engine.close();
}

const isPromise = ({ is }: CrashMark) => is !== 'begun' && is !== 'backing up';

interface Recorded {
  readonly history: History;
  readonly backups: Backups;
}

async function historyOf(
  seed: number,
  wrap: (fileSystem: FileSystem) => FileSystem = (same) => same,
): Promise<Recorded> {
  let backups: Backups = new Map();
  const history = await recordHistory<CrashMark>(seed, async (fileSystem, mark) => {
    backups = await program(seed, wrap(fileSystem), mark);
  });
  return { history, backups };
}

const marksOf = ({ events }: History): CrashMark[] =>
  events.flatMap((event) => (event.kind === 'mark' ? [event.mark as CrashMark] : []));

/**
 * Every backup of a history restores to what was there while it was taken. Returns how many there
 * are.
 */
async function checkBackups(seed: number, { history, backups }: Recorded): Promise<number> {
  const marks = marksOf(history);
  const bytesOf = (number: number) => backups.get(number)!;
  const taken = backupsIn(marks);
  for (const { number } of taken)
    await checkBackup(number, { seed, scale: SCALE, before: NOTHING_DONE, marks, bytesOf });
  return taken.length;
}

it(`after a power cut behind any event of ${HISTORIES} histories of an engine, what it acknowledged is there`, async () => {
  let [cuts, shown, taken] = [0, 0, 0];
  for (let seed = FIRST_SEED; seed < FIRST_SEED + HISTORIES; seed++) {
    const recorded = await historyOf(seed);
    taken += await checkBackups(seed, recorded);
    shown += marksOf(recorded.history).filter(isShown).length;
    for (const after of powerCuts<CrashMark>(recorded.history, { stride: STRIDE, isPromise })) {
      expect(await failureOf(seed, after, recorded.backups)).toBeUndefined();
      cuts++;
    }
    if (ALL && seed % 10 === 0) console.log(`${seed} histories, ${cuts} different disks, ${new Date().toISOString()}`);
  }
  if (ALL)
    console.log(
      `${HISTORIES} histories from ${FIRST_SEED}, ${cuts} disks, ${shown} changes shown, ${taken} backups, ${pasts} past revisions`,
    );
  expect(cuts).toBeGreaterThan(HISTORIES * 10);
  expect(shown).toBeGreaterThan(HISTORIES * 10);
  expect(taken).toBeGreaterThan(HISTORIES);
  expect(texts.restored).toBeGreaterThan(cuts / 4);
  expect(pasts).toBeGreaterThan(cuts);
}, 14_400_000);

it('the same holds after a kill, and after an engine that recovered commits that were not yet durable', async () => {
  let cuts = 0;
  for (let seed = FIRST_SEED; seed < FIRST_SEED + (ALL || 1); seed++) {
    const first = await historyOf(seed);
    for (const killed of kills<CrashMark>(first.history, { stride: ALL ? 211 : 397 })) {
      let before: readonly Known[] = NOTHING_DONE;
      let backups: Backups = new Map();
      const history = await recordHistory<CrashMark>(
        seed + 1e6,
        async (fileSystem, mark) => {
          const engine = await open(fileSystem, seed, true);
          const isSharedMade = killed.marks.some(({ is }) => is === 'shared');
          const progress = progressOf(killed.marks, NOTHING_DONE);
          const found = { seed, scale: SCALE, before: NOTHING_DONE, progress, isSharedMade, words: 0 };
          before = await checkAfterCrash(engine, { ...found, marks: killed.marks });
          await makeShared(engine);
          await engine.close();
          // Whatever this one saw must last.
          mark({ is: 'shared' });
          backups = await program(seed, fileSystem, mark, before);
        },
        killed.disk,
      );
      for (const after of powerCuts<CrashMark>(history, { stride: ALL ? 17 : 41, isPromise })) {
        if (!after.marks.some(({ is }) => is === 'shared')) continue;
        const named = { ...after, name: `${killed.name}, then ${after.name}` };
        expect(await failureOf(seed, named, backups, before)).toBeUndefined();
        cuts++;
      }
    }
  }
  if (ALL) console.log(`${cuts} different disks after a kill and a power cut`);
  expect(cuts).toBeGreaterThan(10);
}, 14_400_000);

it.each([
  ['files', { files: true }],
  ['directories', { directories: true }],
] as const)(
  'the same test fails for an engine whose storage does not sync %s',
  async (_, what) => {
    const failures: string[] = [];
    const { history, backups } = await historyOf(FIRST_SEED, (fileSystem) => withoutSyncs(fileSystem, what));
    for (const after of powerCuts<CrashMark>(history, { stride: ALL ? 17 : 37, isPromise })) {
      const failure = await failureOf(FIRST_SEED, after, backups);
      if (failure) failures.push(failure);
    }
    expect(failures.length).toBeGreaterThan(5);
  },
  600_000,
);
