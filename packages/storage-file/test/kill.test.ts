import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { nodeFileSystem } from '@rdf-worlds/storage-file';
import { SeededRandom } from '@rdf-worlds/testkit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { builtChild, startChild } from './built-child.ts';
import { STEPS } from './kill-steps.ts';
import { checkAfterCrash } from './power-cut/driver-expectation.ts';
import type { DriverMark } from './power-cut/driver-program.ts';

// KILLS=500 kills 500 processes at random moments, and 500 at the steps below. The default is a
// few.
const ALL = Number(process.env.KILLS ?? 0);
const SEED = Number(process.env.KILL_SEED ?? 1);
/** Number of kills after which the next process starts in a new directory. */
const KILLS_A_DIRECTORY = 10;

let child: string;
beforeAll(async () => {
  child = await builtChild(new URL('./kill-child.ts', import.meta.url));
}, 60_000);
afterAll(() => rm(dirname(child), { recursive: true, force: true }));

/** Whether it was killed: a process that ends by itself before it comes to its step is no kill. */
type Kill = (directory: string, marks: string, seed: number) => Promise<boolean>;

/**
 * Kills processes that work on one storage, one after the other, and checks after each what it
 * left. Gives how many were killed.
 */
async function killAll(count: number, kill: Kill): Promise<number> {
  let killed = 0;
  for (let first = 0; first < count; first += KILLS_A_DIRECTORY) {
    const root = await mkdtemp(join(tmpdir(), 'rdf-worlds-kill-'));
    let state: readonly DriverMark[] = [];
    for (let at = first; at < Math.min(count, first + KILLS_A_DIRECTORY); at++) {
      const marks = join(root, `marks-${at}`);
      if (await kill(join(root, 'data'), marks, SEED * 1e6 + at)) killed++;
      // A last line that was cut off is what the process was about to do, or to be told.
      const lines = (await readFile(marks, 'utf8').catch(() => '')).split('\n').slice(0, -1);
      try {
        const told = lines.map((line) => JSON.parse(line) as DriverMark);
        state = await checkAfterCrash(nodeFileSystem, join(root, 'data'), [...state, ...told]);
      } catch (cause) {
        throw new Error(`Kill ${at} in ${root}, which stays for examination: ${(cause as Error).message}`, { cause });
      }
    }
    await rm(root, { recursive: true });
  }
  return killed;
}

it('keeps every acknowledged append, and no partial one, after a process is killed at any moment', async () => {
  const random = new SeededRandom(SEED);
  const count = ALL || 4;
  const killed = await killAll(count, async (directory, marks, seed) => {
    const { child: started, printed, ended } = startChild(child, [directory, marks, String(seed)]);
    await printed('begins');
    await wait(random.below(150));
    started.kill('SIGKILL');
    return (await ended) === 'SIGKILL';
  });
  expect(killed).toBe(count);
}, 3_600_000);

it('does so after a process is killed before, during and after each step', async () => {
  const random = new SeededRandom(SEED + 1);
  const killsOf = new Map<string, number>();
  const count = ALL || 9;
  let next = 0;
  const killed = await killAll(count, async (directory, marks, seed) => {
    const [name, moment] = STEPS[(next++ * (ALL ? 1 : 3)) % STEPS.length];
    // Late occurrences are rare: a process may end before.
    const args = [directory, marks, String(seed), name, moment, String(1 + random.below(ALL ? 6 : 1))];
    const outcome = await startChild(child, args).ended;
    if (outcome !== 'SIGKILL') expect(outcome).toBe(0);
    else killsOf.set(`${moment} ${name}`, (killsOf.get(`${moment} ${name}`) ?? 0) + 1);
    return outcome === 'SIGKILL';
  });
  if (ALL) console.log(`${killed} of ${count} killed at ${killsOf.size} of ${STEPS.length} moments`, killsOf);
  expect(killed).toBeGreaterThan(count / 3);
}, 3_600_000);
