import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { type WorldChange, type WorldsEngine, WorldsError } from '../../../../src/index.ts';
import type { CrashMark, ShownMark } from './crash-job.ts';
import { WORKERS } from './crash-program.ts';

/** The namespaces whose changes are followed. */
const NAMESPACES = [...new Set(WORKERS.map((source) => source.split('/')[0]))];

export interface FollowOptions {
  readonly mark: (mark: CrashMark) => void;
  /** Called before a feed restarts, because its namespace is missing or was created again. */
  readonly pause: () => Promise<unknown>;
  /** True before the engine is closed. */
  readonly isOver: () => boolean;
}

/**
 * Follows the changes of all namespaces, through deletions, and marks each change when it is shown.
 */
export async function followAll(engine: WorldsEngine, options: FollowOptions): Promise<void> {
  await Promise.all(NAMESPACES.map((namespace) => follow(engine, namespace, options)));
}

async function follow(engine: WorldsEngine, namespace: string, { mark, pause, isOver }: FollowOptions): Promise<void> {
  let after: number | undefined;
  while (!isOver()) {
    try {
      for await (const change of engine.changes({ namespace, after })) {
        after = change.revision;
        mark(shownOf(change));
      }
      return;
    } catch (error) {
      if (!(error instanceof WorldsError)) throw error;
      // The engine was closed between two looks.
      if (error.code === 'INVALID_ARGUMENT' && isOver()) return;
      if (error.code === 'TRUNCATED') after = error.revision;
      else if (error.code === 'NOT_FOUND') after ??= 0;
      else throw error;
    }
    await pause();
  }
}

function shownOf({ revision, kind, world, inserted, deleted }: WorldChange): ShownMark {
  const hash = createHash('sha256').update(world.label ?? '');
  for (const quads of [inserted, deleted]) {
    const lines = Array.from(quads, ({ subject, predicate, object, graph }) =>
      [subject, predicate, object, graph].map(({ value }) => value).join(' '),
    );
    hash.update(`\0${lines.sort().join('\n')}`);
  }
  const source = `${world.namespace}/${world.slug}`;
  return { is: 'shown', source, revision, kind, digest: hash.digest('base64') };
}

export const isShown = (mark: CrashMark): mark is ShownMark => mark.is === 'shown';

/**
 * No revision that a feed showed is missing, and those that the log still has are the same. Returns
 * how many it still has.
 */
export async function checkShown(engine: WorldsEngine, marks: readonly CrashMark[]): Promise<number> {
  let compared = 0;
  for (const namespace of NAMESPACES) {
    const shown = new Map<number, ShownMark>();
    for (const mark of marks) {
      if (!isShown(mark) || !mark.source.startsWith(`${namespace}/`)) continue;
      assert.ok(!shown.has(mark.revision), `a feed showed revision ${mark.revision} of ${namespace} twice`);
      shown.set(mark.revision, mark);
    }
    // A namespace whose last world was deleted is gone; that it was asked for, the worlds tell.
    const there = await engine.getNamespace({ namespace });
    if (shown.size === 0 || !there) continue;
    const last = Math.max(...shown.keys());
    assert.ok(there.revision >= last, `a feed showed revision ${last} of ${namespace}, which is at ${there.revision}`);
    compared += await compareLog(engine, namespace, shown);
  }
  return compared;
}

async function compareLog(
  engine: WorldsEngine,
  namespace: string,
  shown: ReadonlyMap<number, ShownMark>,
): Promise<number> {
  const revisions = [...shown.keys()].sort((a, b) => a - b);
  const first = await firstInLog(engine, namespace, revisions);
  const left = revisions.slice(first);
  if (left.length === 0) return 0;
  for await (const change of engine.changes({ namespace, after: left[0] - 1 })) {
    const expected = shown.get(change.revision);
    if (expected) {
      assert.deepEqual(shownOf(change), expected, `what a feed showed as revision ${change.revision} of ${namespace}`);
    }
    if (change.revision >= left.at(-1)!) break;
  }
  return left.length;
}

/** The index of the first of these revisions that the log still has. */
async function firstInLog(engine: WorldsEngine, namespace: string, revisions: readonly number[]): Promise<number> {
  let [low, high] = [0, revisions.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (await isInLog(engine, namespace, revisions[middle])) high = middle;
    else low = middle + 1;
  }
  return low;
}

async function isInLog(engine: WorldsEngine, namespace: string, revision: number): Promise<boolean> {
  try {
    for await (const change of engine.changes({ namespace, after: revision - 1 })) {
      assert.equal(
        change.revision,
        revision,
        `a feed showed revision ${revision} of ${namespace}, which its log skips`,
      );
      return true;
    }
  } catch (error) {
    if (!(error instanceof WorldsError && error.code === 'TRUNCATED')) throw error;
  }
  return false;
}
