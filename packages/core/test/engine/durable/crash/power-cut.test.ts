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
import { withoutSyncs } from '../../../../../storage-file/test/power-cut/without-syncs.ts';
import { dataFactory, WorldsEngine } from '../../../../src/index.ts';
import { checkAfterCrash, type Known, NOTHING_DONE, progressOf } from './crash-expectation.ts';
import type { CrashMark } from './crash-job.ts';
import { makeShared, type Scale, stepOf, WORKERS } from './crash-program.ts';

// ENGINE_POWER_CUT_HISTORIES=200 cuts the power behind every event of so many histories; without it a few are cut here and there.
const ALL = Number(process.env.ENGINE_POWER_CUT_HISTORIES ?? 0);
const HISTORIES = ALL || 2;
const STRIDE = ALL ? 1 : 23;
const FIRST_SEED = Number(process.env.ENGINE_POWER_CUT_SEED ?? 2);

const SCALE: Scale = { quads: 60, many: 25, some: 4 };
/** So many steps each worker does. */
const STEPS = 4;
/** Of so many disks one is searched, and worked on afterwards. */
const FURTHER = ALL ? 7 : 5;

/** Small files and frequent checkpoints, by chance of the seed: so that all of them happen in a short history. */
function open(fileSystem: FileSystem, seed: number, textIndex?: null): Promise<WorldsEngine> {
  const random = new SeededRandom(seed);
  return WorldsEngine.open({
    storage: fileStorage({
      path: '/data',
      fileSystem,
      maxLogFileBytes: random.pick([1, 1500, 6000]),
      maxOpenFiles: random.pick([1, 256]),
    }),
    textIndex,
    checkpointLogBytes: random.pick([3000, 10_000, 20_000]),
    retainChangesBytes: random.pick([0, 4000]),
  });
}

/** All workers side by side, some steps each, with checkpoints as the log grows, and some compactions. */
async function program(
  seed: number,
  fileSystem: FileSystem,
  mark: (mark: CrashMark) => void,
  before: readonly Known[] = NOTHING_DONE,
): Promise<void> {
  const engine = await open(fileSystem, seed, null);
  const sharing = makeShared(engine).then(() => mark({ is: 'shared' }));
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
        if (seed % 3 === 0 && steps % WORKERS.length === worker) await engine.compact();
      }
    }),
  );
  if (seed % 2 === 0) await engine.checkpoint();
  await engine.close();
}

let disks = 0;

/** What is wrong with a disk; undefined when nothing is. */
async function failureOf(
  seed: number,
  { fileSystem, marks, name }: Pick<AfterCut<CrashMark>, 'fileSystem' | 'marks' | 'name'>,
  before = NOTHING_DONE,
): Promise<string | undefined> {
  const isLookedAtFurther = ++disks % FURTHER === 0;
  const words = isLookedAtFurther ? 2 : 0;
  const expectation = {
    ...{ seed, scale: SCALE, before, words },
    progress: progressOf(marks, before),
    isSharedMade: before !== NOTHING_DONE || marks.some(({ is }) => is === 'shared'),
  };
  try {
    const engine = await open(fileSystem, seed, isLookedAtFurther ? undefined : null);
    const known = await checkAfterCrash(engine, expectation);
    if (!isLookedAtFurther) {
      await engine.close();
      return undefined;
    }
    await goOn(engine, name);
    const again = await open(fileSystem, seed, null);
    const progress = known.map(({ steps }) => ({ begun: steps, done: steps, revision: undefined }));
    await checkAfterCrash(again, { ...expectation, before: known, progress, words: 0 });
    expect(await again.getWorld({ source: 'one/after' })).toMatchObject({ label: name });
    await again.close();
    return undefined;
  } catch (cause) {
    return `${name}: ${(cause as Error).stack}`;
  }
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

const isPromise = ({ is }: CrashMark) => is !== 'begun';

function historyOf(seed: number, wrap: (fileSystem: FileSystem) => FileSystem = (same) => same): Promise<History> {
  return recordHistory<CrashMark>(seed, (fileSystem, mark) => program(seed, wrap(fileSystem), mark));
}

it(`after a power cut behind any event of ${HISTORIES} histories of an engine, what it acknowledged is there`, async () => {
  let cuts = 0;
  for (let seed = FIRST_SEED; seed < FIRST_SEED + HISTORIES; seed++) {
    for (const after of powerCuts<CrashMark>(await historyOf(seed), { stride: STRIDE, isPromise })) {
      expect(await failureOf(seed, after)).toBeUndefined();
      cuts++;
    }
    if (ALL && seed % 10 === 0) console.log(`${seed} histories, ${cuts} different disks, ${new Date().toISOString()}`);
  }
  if (ALL) console.log(`${HISTORIES} histories, ${cuts} different disks`);
  expect(cuts).toBeGreaterThan(HISTORIES * 10);
}, 14_400_000);

it('so it is after one that follows on a kill, and on an engine that found what was not durable yet', async () => {
  let cuts = 0;
  for (let seed = FIRST_SEED; seed < FIRST_SEED + (ALL || 1); seed++) {
    for (const killed of kills<CrashMark>(await historyOf(seed), { stride: ALL ? 211 : 197 })) {
      let before: readonly Known[] = NOTHING_DONE;
      const history = await recordHistory<CrashMark>(
        seed + 1e6,
        async (fileSystem, mark) => {
          const engine = await open(fileSystem, seed, null);
          const isSharedMade = killed.marks.some(({ is }) => is === 'shared');
          const progress = progressOf(killed.marks, NOTHING_DONE);
          const found = { seed, scale: SCALE, before: NOTHING_DONE, progress, isSharedMade, words: 0 };
          before = await checkAfterCrash(engine, found);
          await makeShared(engine);
          await engine.close();
          // Whatever this one saw must last.
          mark({ is: 'shared' });
          await program(seed, fileSystem, mark, before);
        },
        killed.disk,
      );
      for (const after of powerCuts<CrashMark>(history, { stride: ALL ? 17 : 41, isPromise })) {
        if (!after.marks.some(({ is }) => is === 'shared')) continue;
        expect(await failureOf(seed, { ...after, name: `${killed.name}, then ${after.name}` }, before)).toBeUndefined();
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
    const history = await historyOf(FIRST_SEED, (fileSystem) => withoutSyncs(fileSystem, what));
    for (const after of powerCuts<CrashMark>(history, { stride: 17, isPromise })) {
      const failure = await failureOf(FIRST_SEED, after);
      if (failure) failures.push(failure);
    }
    expect(failures.length).toBeGreaterThan(5);
  },
  600_000,
);
