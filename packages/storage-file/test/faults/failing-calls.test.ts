import { execFileSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { nodeFileSystem } from '@rdf-worlds/storage-file';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { builtChild, startChild } from '../built-child.ts';
import type { FailingJob, FailingOutcome } from './failing-calls.ts';
import { Life } from './life.ts';
import { type Content, NamespaceModel } from './namespace-model.ts';

// FAILING_CALLS=1 lets every call of the C library that a life of a storage makes fail in every
// way; without it some of them.
const ALL = Boolean(process.env.FAILING_CALLS);
const SEED = Number(process.env.FAILING_CALLS_SEED ?? 1);
const OPERATIONS = 30;
/** No call fails in more ways. */
const KINDS = 7;
const STRIDE = ALL ? 1 : 211;
/** Lives of one process; the last one ends by a kill. */
const LIVES_A_PROCESS = 12;
const CONTROL_BYTES = 64;

const built = mkdtempSync(join(tmpdir(), 'rdf-worlds-calls-'));
const library = join(built, 'failing-calls.so');

/** Why the library cannot be preloaded here; undefined if it can. */
function reasonAgainst(): string | undefined {
  if (process.platform !== 'linux') return 'LD_PRELOAD with glibc is for Linux';
  try {
    execFileSync('cc', ['--version'], { stdio: 'pipe' });
  } catch (error) {
    return `there is no C compiler: ${(error as Error).message.split('\n')[0]}`;
  }
  const source = fileURLToPath(new URL('./failing-calls.c', import.meta.url));
  execFileSync('cc', ['-shared', '-fPIC', '-O1', '-o', library, source, '-ldl', '-lpthread'], { stdio: 'pipe' });
  return undefined;
}

const reason = reasonAgainst();

let child: string;
beforeAll(async () => {
  if (!reason) child = await builtChild(new URL('./failing-calls-child.ts', import.meta.url));
}, 60_000);
afterAll(async () => {
  await rm(built, { recursive: true });
  if (!reason) await rm(dirname(child), { recursive: true });
});

/** JSON has null for a checkpoint that is not there. */
const fromJson = (content: Content): Content => ({
  ...content,
  checkpoints: content.checkpoints.map((text) => text ?? undefined),
});

/** Lives lives in one process, and checks what each left. */
async function live(jobs: readonly FailingJob[], root: string): Promise<FailingOutcome[]> {
  const control = join(root, 'control');
  await writeFile(control, new Uint8Array(CONTROL_BYTES));
  const env = {
    LD_PRELOAD: library,
    FAILING_CALLS_BELOW: join(root, 'data'),
    FAILING_CALLS_CONTROL: control,
    // What io_uring does never goes through the C library.
    UV_USE_IO_URING: '0',
  };
  const { ended, lines } = startChild(child, [control, JSON.stringify(jobs)], process.execPath, env);
  const end = await ended;
  const outcomes = lines.map((line) => JSON.parse(line) as FailingOutcome);
  for (const [at, { path, fault, possible, failure }] of outcomes.entries()) {
    const what = `seed ${SEED}, call ${jobs[at].failAt}, ${fault}`;
    if (failure) throw new Error(`${what}: ${failure}`);
    const life = new Life({ fileSystem: nodeFileSystem, path, seed: SEED, quietly: (check) => check() });
    for (const [name, contents] of possible) life.models.set(name, new NamespaceModel(contents.map(fromJson)));
    try {
      await life.check(await life.open());
    } catch (cause) {
      throw new Error(`${what}: ${(cause as Error).message}`, { cause });
    }
    await life.close();
    await rm(path, { recursive: true });
  }
  expect(outcomes).toHaveLength(jobs.length);
  expect(end).toBe(jobs.at(-1)!.isKilled ? 'SIGKILL' : 0);
  await rm(control);
  return outcomes;
}

it.skipIf(reason)(
  `keeps acknowledged data when any one call of the C library fails in a process (${reason ?? 'preloaded'})`,
  async () => {
    const root = await mkdtemp(join(tmpdir(), 'rdf-worlds-failing-'));
    let made = 0;
    const jobOf = (failAt: number, kind: number, isKilled: boolean): FailingJob => {
      return { path: join(root, 'data', `${++made}`), seed: SEED, operations: OPERATIONS, failAt, kind, isKilled };
    };
    const [whole] = await live([jobOf(0, 0, false)], root);
    expect(whole.calls).toBeGreaterThan(100);
    let jobs: FailingJob[] = [];
    const faults = new Map<string, number>();
    const run = async () => {
      for (const { fault } of await live(jobs, root)) faults.set(fault, (faults.get(fault) ?? 0) + 1);
      jobs = [];
    };
    for (let failAt = 1; failAt <= whole.calls; failAt++) {
      for (let kind = 0; kind < KINDS; kind++) {
        if ((failAt * KINDS + kind) % STRIDE !== 0) continue;
        jobs.push(jobOf(failAt, kind, jobs.length === LIVES_A_PROCESS - 1));
        if (jobs.length === LIVES_A_PROCESS) await run();
      }
    }
    if (jobs.length > 0) await run();
    if (ALL) console.log(`${whole.calls} calls, ${made - 1} lives`, faults);
    expect(faults.size).toBeGreaterThan(4);
    await rm(root, { recursive: true });
  },
  7_200_000,
);
