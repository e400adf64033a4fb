import type { Slicer } from '../../contracts/slicer.ts';
import { WorldsError } from '../../model/worlds-error.ts';
import type { DictionaryCompaction } from '../../quads/dictionary-compaction.ts';
import type { Run } from '../../quads/run.ts';
import type { Commit } from '../commit.ts';
import type { NamespaceState } from '../namespace-state.ts';
import type { Checkpointer } from './checkpointer.ts';
import { decodeCommitRecord } from './commit-record.ts';

/** Maximum number of attempts to read the log while checkpoints truncate it. */
const MAX_READS = 10;

/** Marks everything visible or latest at the time of the call as referenced. */
export async function mentionWhatIsThere(
  { store, worlds }: NamespaceState,
  work: DictionaryCompaction,
  slicer: Slicer,
): Promise<void> {
  const runs = new Set<Run>([...store.snapshot.runs, ...store.latest.runs]);
  const states = [...worlds.values()];
  for (const run of runs) await slicer.run(work.mentionRun(run));
  for (const { graphs } of states) await slicer.run(work.mentionColumn(graphs.graphs));
}

/** Marks what the kept commits deleted as referenced. What they left is in the runs. */
export async function mentionHistory(
  { history }: NamespaceState,
  work: DictionaryCompaction,
  slicer: Slicer,
): Promise<void> {
  for (const { before, delta } of [...(history?.kept ?? [])]) {
    for (const { columns } of [delta.inserted, delta.deleted]) {
      for (const column of columns) await slicer.run(work.mentionColumn(column));
    }
    if (before) await slicer.run(work.mentionColumn(before.graphs.graphs));
  }
}

/** Marks what a commit mentions. */
export async function mentionCommit(
  { before, after, delta }: Commit,
  work: DictionaryCompaction,
  slicer: Slicer,
): Promise<void> {
  await slicer.run(work.mentionRun(delta.inserted));
  await slicer.run(work.mentionRun(delta.deleted));
  if (after && after.graphs !== before?.graphs) await slicer.run(work.mentionColumn(after.graphs.graphs));
}

/** Marks what the log mentions, as far back as change feeds reach. */
export async function mentionLog(
  namespace: NamespaceState,
  checkpointer: Checkpointer,
  work: DictionaryCompaction,
  slicer: Slicer,
  readsLeft = MAX_READS,
): Promise<void> {
  try {
    for await (const { data, head } of checkpointer.keptLog()) {
      const where = `the namespace ${namespace.name}, commit ${head.position}`;
      const { inserted, deleted, createdGraphs } = await slicer.run(decodeCommitRecord(data, where));
      for (const { graphs, subject, predicate, object } of [inserted, deleted]) {
        for (const column of [graphs, subject, predicate, object]) await slicer.run(work.mentionColumn(column));
      }
      work.mentionAll(createdGraphs);
      if (slicer.due) await slicer.pause();
    }
  } catch (cause) {
    if (!(cause instanceof WorldsError && cause.code === 'TRUNCATED') || readsLeft === 1) throw cause;
    // A deletion of the namespace holds the lock until it is complete.
    await namespace.withLock(() => undefined);
    if (namespace.dropped) throw cause;
    // A concurrent checkpoint has truncated the log, of this engine or of another one.
    await checkpointer.findLogStart();
    await mentionLog(namespace, checkpointer, work, slicer, readsLeft - 1);
  }
}
