import assert from 'node:assert/strict';
import { MemoryStorage, WorldsEngine } from '../../../../src/index.ts';
import { contentOf, type Known, progressOf, textOf } from './crash-expectation.ts';
import type { CrashMark } from './crash-job.ts';
import { type Content, type Scale, SHARED, sharedContent, stepOf, WORKERS } from './crash-program.ts';

/** A full backup and this many incremental ones after it make a chain. */
const CHAIN = 3;

export interface TakeOptions {
  /** Keeps the bytes of a backup so that they outlive the crash. */
  readonly keep: (number: number, bytes: Uint8Array) => void;
  readonly mark: (mark: CrashMark) => void;
  readonly pause: () => Promise<unknown>;
  readonly isOver: () => boolean;
  readonly count: number;
}

/** Takes backups one after the other, full and incremental, while others write. */
export async function takeBackups(
  engine: WorldsEngine,
  { keep, mark, pause, isOver, count }: TakeOptions,
): Promise<void> {
  let token: string | undefined;
  for (let number = 0; number < count && !isOver(); number++) {
    const since = number % (CHAIN + 1) === 0 ? undefined : token;
    mark({ is: 'backing up', number });
    const backup = await backupOf(engine, since);
    keep(number, backup.bytes);
    ({ token } = backup);
    mark({ is: 'backed up', number, token });
    await pause();
  }
}

async function backupOf(engine: WorldsEngine, since?: string): Promise<{ bytes: Uint8Array; token: string }> {
  const chunks: Uint8Array[] = [];
  for (const stream = engine.backupStream({ since }); ; ) {
    const step = await stream.next();
    if (step.done) return { bytes: Buffer.concat(chunks), token: step.value.token };
    // A chunk may be a view of memory that the engine uses again.
    chunks.push(step.value.slice());
  }
}

export interface BackupExpectation {
  readonly seed: number;
  readonly scale: Scale;
  readonly before: readonly Known[];
  readonly marks: readonly CrashMark[];
  /** The bytes of a backup that was marked as taken. */
  readonly bytesOf: (number: number) => Promise<Uint8Array> | Uint8Array;
}

type Taken = Extract<CrashMark, { is: 'backed up' }>;
export const backupsIn = (marks: readonly CrashMark[]): Taken[] => marks.filter((mark) => mark.is === 'backed up');

/**
 * A backup that was finished restores each namespace as it was at one moment between its beginning
 * and its end: with everything acknowledged before, and nothing that was not asked for until then.
 */
export async function checkBackup(number: number, options: BackupExpectation): Promise<void> {
  const { seed, scale, before, marks } = options;
  const from = marks.findIndex((mark) => mark.is === 'backing up' && mark.number === number);
  const to = marks.findIndex((mark) => mark.is === 'backed up' && mark.number === number);
  const least = progressOf(marks.slice(0, from), before);
  const most = progressOf(marks.slice(0, to), before);
  const restored = await WorldsEngine.restore(await chainOf(number, options), {
    storage: new MemoryStorage(),
    textIndex: null,
  });
  assert.deepEqual((await restored.check()).problems, []);
  assert.equal(textOf(await contentOf(restored, SHARED)), textOf(sharedContent));
  const revisions = await Promise.all(
    WORKERS.map(async (source) => (await restored.getWorld({ source }))?.revision ?? 0),
  );
  for (const [worker, source] of WORKERS.entries()) {
    const found = textOf(await contentOf(restored, source));
    const what = `${source} in backup ${number} of seed ${seed}, steps ${least[worker].done} to ${most[worker].begun}`;
    let { steps, content }: { steps: number; content: Content } = before[worker];
    let last = -1;
    for (; steps <= most[worker].begun; steps++) {
      if (steps >= least[worker].done && textOf(content) === found) last = steps;
      content = stepOf(seed, worker, steps, scale).apply(content);
    }
    assert.ok(last >= 0, `${what}: it is as after none of them`);
    // One moment of the namespace: what is older than its newest commit is in it.
    const [namespace] = source.split('/');
    const newest = Math.max(...revisions.filter((_, other) => WORKERS[other].startsWith(`${namespace}/`)));
    // A step that changed nothing was told the revision of before, though it came after the backup.
    const due = Math.min(stepsUpTo(newest, worker, marks, before), most[worker].begun);
    assert.ok(last >= due, `${what}: it lacks step ${due}, which is older than revision ${newest} of ${namespace}`);
  }
  await restored.close();
}

/** How many steps of a worker were acknowledged with a revision up to this one. */
function stepsUpTo(revision: number, worker: number, marks: readonly CrashMark[], before: readonly Known[]): number {
  let { steps } = before[worker];
  let due = steps;
  for (const mark of marks) {
    if (mark.is !== 'done' || mark.worker !== worker) continue;
    steps++;
    if (mark.revision > 0 && mark.revision <= revision) due = steps;
  }
  return due;
}

/**
 * What the engine has after the crash can be added to the chain of its last backup before the
 * crash.
 */
export async function checkNextBackup(engine: WorldsEngine, options: BackupExpectation): Promise<void> {
  const last = backupsIn(options.marks).at(-1);
  if (!last) return;
  const chain = await chainOf(last.number, options);
  const next = await backupOf(engine, last.token);
  const restored = await WorldsEngine.restore([...chain, next.bytes], { textIndex: null });
  for (const source of WORKERS) {
    const expected = textOf(await contentOf(engine, source));
    assert.equal(textOf(await contentOf(restored, source)), expected, `${source}, in the backup after the crash`);
  }
  await restored.close();
}

async function chainOf(number: number, { bytesOf }: BackupExpectation): Promise<Uint8Array[]> {
  const chain: Uint8Array[] = [];
  for (let at = number - (number % (CHAIN + 1)); at <= number; at++) chain.push(await bytesOf(at));
  return chain;
}
