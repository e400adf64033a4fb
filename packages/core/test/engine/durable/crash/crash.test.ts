import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileStorage } from '@rdf-worlds/storage-file';
import { SeededRandom } from '@rdf-worlds/testkit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { builtChild, startChild } from '../../../../../storage-file/test/built-child.ts';
import { STEPS } from '../../../../../storage-file/test/kill-steps.ts';
import { WorldsEngine } from '../../../../src/index.ts';
import { backupsIn, checkBackup, checkNextBackup } from './crash-backups.ts';
import { checkAfterCrash, type Known, NOTHING_DONE, progressOf } from './crash-expectation.ts';
import { isShown } from './crash-feed.ts';
import { acknowledgedLine, backupPath, type CrashJob, type CrashMark } from './crash-job.ts';
import { checkPast } from './crash-past.ts';
import type { Scale } from './crash-program.ts';

// CRASH_KILLS=500 kills 500 processes at random moments, and 500 at steps of the storage. The
// default is a few.
const ALL = Number(process.env.CRASH_KILLS ?? 0);
// CRASH_RECOVERY_KILLS=100 kills 100 processes while they recover from an earlier kill.
const RECOVERY_KILLS = Number(process.env.CRASH_RECOVERY_KILLS ?? 0);
const SEED = Number(process.env.CRASH_SEED ?? 1);
/** Number of kills after which the next process starts in a new directory. */
const KILLS_A_DIRECTORY = 25;
/** A process is killed after at most `MAX_STEPS` acknowledged steps and `MAX_MOMENT_MS` more. */
const MAX_STEPS = ALL ? 40 : 10;
const MAX_MOMENT_MS = ALL ? 200 : 30;
/** Number of backups that are restored after each kill. */
const CHECKED_BACKUPS = 2;

let child: string;
beforeAll(async () => {
  child = await builtChild(new URL('./crash-process.ts', import.meta.url));
}, 60_000);
afterAll(() => rm(dirname(child), { recursive: true, force: true }));

type Task = Omit<CrashJob, 'path' | 'marksPath' | 'seed' | 'starts'>;

interface Campaign {
  readonly count: number;
  readonly seed: number;
  /** What the next process is to do. */
  readonly task: (kill: number) => Task;
  /**
   * Starts it with its job, and gives whether it was killed: one that comes to the end of its work
   * before is no kill.
   */
  readonly kill: (job: string) => Promise<boolean>;
  /**
   * Kills processes that recover what the job left; returns how many. Nobody recovers it before the
   * check when not given.
   */
  readonly recover?: (job: CrashJob) => Promise<number>;
}

interface Outcome {
  kills: number;
  /** Steps that were acknowledged. */
  acknowledged: number;
  /** Steps that were under way when the process was killed, and those of them that are there. */
  underWay: number;
  there: number;
  /** Changes that feeds showed. */
  shown: number;
  /** Backups that were finished, full and incremental. */
  backups: number;
  recoveryKills: number;
  /** Past revisions that were read. */
  pasts: number;
}

/**
 * Kills processes that work on one directory, one after the other, and checks after each what it
 * left.
 */
async function killAll({ count, seed, task, kill, recover }: Campaign): Promise<Outcome> {
  const outcome: Outcome = {
    ...{ kills: 0, acknowledged: 0, underWay: 0, there: 0 },
    ...{ shown: 0, backups: 0, recoveryKills: 0, pasts: 0 },
  };
  for (let first = 0; first < count; first += KILLS_A_DIRECTORY) {
    const root = await mkdtemp(join(tmpdir(), 'rdf-worlds-crash-'));
    const path = join(root, 'data');
    let known: readonly Known[] = NOTHING_DONE;
    let isSharedMade = false;
    for (let at = first; at < Math.min(count, first + KILLS_A_DIRECTORY); at++) {
      const marksPath = join(root, `marks-${at}`);
      const starts = known.map(({ steps, content }) => ({ next: steps, isThere: content !== null }));
      const work = task(at);
      const job: CrashJob = { ...work, path, marksPath, seed, starts };
      if (await kill(JSON.stringify(job))) outcome.kills++;
      if (recover) outcome.recoveryKills += await recover(job);
      const marks = await marksOf(marksPath);
      isSharedMade ||= marks.some(({ is }) => is === 'shared');
      const progress = progressOf(marks, known);
      const expectation = { seed, scale: work.scale, before: known, progress, marks, isSharedMade, words: 3 };
      const engine = await WorldsEngine.open({ storage: fileStorage({ path }) });
      const backups = backupsIn(marks);
      const backupExpectation = {
        ...expectation,
        bytesOf: (number: number) => readFile(backupPath(marksPath, number)),
      };
      const check = async () => {
        const checked = await checkAfterCrash(engine, expectation);
        for (const { number } of backups.slice(-CHECKED_BACKUPS)) await checkBackup(number, backupExpectation);
        await checkNextBackup(engine, backupExpectation);
        outcome.pasts += await checkPast(engine);
        return checked;
      };
      const found = await check().catch((cause) => {
        throw new Error(`Kill ${at} in ${root}, which stays for examination: ${(cause as Error).message}`, { cause });
      });
      await engine.close();
      for (const [worker, { begun, done }] of progress.entries()) {
        outcome.acknowledged += done - known[worker].steps;
        outcome.underWay += begun - done;
        outcome.there += found[worker].steps - done;
      }
      outcome.shown += marks.filter(isShown).length;
      outcome.backups += backups.length;
      known = found;
      if (ALL && at % 50 === 49) console.log(`${at + 1} processes`, outcome, new Date().toISOString());
    }
    await rm(root, { recursive: true });
  }
  return outcome;
}

async function marksOf(path: string): Promise<CrashMark[]> {
  const text = await readFile(path, 'utf8').catch(() => '');
  // A last line that was cut off is what the process was about to do, or was about to tell.
  const lines = text.split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as CrashMark);
}

const LARGE: Scale = { quads: 20_000, many: 1500, some: 20 };
const SMALL: Scale = { quads: 200, many: 40, some: 5 };

/** How much there is to do, and how the storage and the engine are set up, by chance. */
function setupOf(random: SeededRandom, scale: Scale): Pick<Task, 'scale' | 'storage' | 'engine'> {
  return {
    scale,
    storage: { maxLogFileBytes: random.pick([1, 4000, 20_000]), maxOpenFiles: random.pick([1, 256]) },
    engine: {
      checkpointLogBytes: random.pick([8000, 150_000]),
      retainChangesBytes: random.pick([0, 100_000]),
      maxMemoryBytes: random.pick([undefined, 20_000_000]),
      history: random.pick([undefined, { keepRevisions: 20 }, { keepMs: 1e12 }]),
      textIndex: random.chance(0.5),
    },
  };
}

it('an engine that is killed at any moment leaves every acknowledged commit in full, and no other in part', async () => {
  const random = new SeededRandom(SEED);
  const count = ALL || 4;
  /** How many steps the processes had acknowledged, at least, when they were killed. */
  let awaited = 0;
  const outcome = await killAll({
    count,
    seed: SEED,
    task: () => ({ ...setupOf(random, random.pick([LARGE, SMALL])), steps: 100_000 }),
    kill: async (job) => {
      const { child: started, printed, ended } = startChild(child, [job]);
      // Some while they open what the one before left.
      const steps = random.chance(0.2) ? undefined : 1 + random.below(MAX_STEPS);
      await printed(steps === undefined ? 'begins' : acknowledgedLine(steps));
      awaited += steps ?? 0;
      await wait(random.below(MAX_MOMENT_MS));
      started.kill('SIGKILL');
      return (await ended) === 'SIGKILL';
    },
  });
  if (ALL) console.log('at random moments', outcome);
  expect(outcome.kills).toBe(count);
  expect(awaited).toBeGreaterThan(count);
  expect(outcome.acknowledged).toBeGreaterThanOrEqual(awaited);
}, 7_200_000);

it('so does one that is killed before, after, and in the midst of each step of its storage', async () => {
  const random = new SeededRandom(SEED + 1);
  const killsOf = new Map<string, number>();
  const count = ALL || 8;
  const outcome = await killAll({
    count,
    seed: SEED + 1,
    task: (at) => {
      const [name, moment] = STEPS[(at * (ALL ? 1 : 5)) % STEPS.length];
      // Late occurrences are rare: a process may come to its end before.
      const killAt = { name, moment, count: 1 + random.below(ALL ? 12 : 3) };
      return { ...setupOf(random, SMALL), steps: 40, killAt };
    },
    kill: async (job) => {
      const ended = await startChild(child, [job]).ended;
      if (ended !== 'SIGKILL') {
        expect(ended).toBe(0);
        return false;
      }
      const { name, moment } = (JSON.parse(job) as CrashJob).killAt!;
      killsOf.set(`${moment} ${name}`, (killsOf.get(`${moment} ${name}`) ?? 0) + 1);
      return true;
    },
  });
  if (ALL) console.log(`at ${killsOf.size} of ${STEPS.length} steps`, outcome, killsOf);
  expect(outcome.kills).toBeGreaterThan(count / 2);
}, 7_200_000);

it('so does one whose recovery is killed, again and again', async () => {
  const random = new SeededRandom(SEED + 2);
  const count = RECOVERY_KILLS || 4;
  const killsOf = { 'by chance': 0, 'at a step': 0 };
  const kill = async (job: CrashJob) => {
    const isAtStep = random.chance(0.6);
    const killAt = { moment: random.pick(['before', 'after'] as const), count: 1 + random.below(60) };
    const {
      child: started,
      printed,
      ended,
    } = startChild(child, [
      JSON.stringify({ ...job, steps: 0, killAt: isAtStep ? killAt : undefined } satisfies CrashJob),
    ]);
    if (!isAtStep) {
      await printed('begins');
      await wait(random.below(40));
      started.kill('SIGKILL');
    }
    if ((await ended) !== 'SIGKILL') return 0;
    killsOf[isAtStep ? 'at a step' : 'by chance']++;
    return 1;
  };
  let left = count;
  const outcome = await killAll({
    count: Math.ceil(count / 2),
    seed: SEED + 2,
    task: () => ({ ...setupOf(random, random.chance(0.3) ? LARGE : SMALL), steps: 100_000 }),
    kill: async (job) => {
      const { child: started, printed, ended } = startChild(child, [job]);
      await printed(acknowledgedLine(1 + random.below(MAX_STEPS)));
      await wait(random.below(MAX_MOMENT_MS));
      started.kill('SIGKILL');
      return (await ended) === 'SIGKILL';
    },
    recover: async (job) => {
      let kills = 0;
      // Now and then one comes to its end: what it recovered, the next one opens.
      for (const wanted = 1 + random.below(3); kills < wanted && left > 0; ) {
        const killed = await kill(job);
        kills += killed;
        left -= killed;
      }
      return kills;
    },
  });
  if (RECOVERY_KILLS) console.log('during recovery', outcome, killsOf);
  expect(outcome.recoveryKills).toBeGreaterThanOrEqual(Math.ceil(count / 2));
}, 7_200_000);
