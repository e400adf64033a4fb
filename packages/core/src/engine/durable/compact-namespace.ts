import { WorldsError } from '../../model/worlds-error.ts';
import { DictionaryCompaction, type TermAmount } from '../../quads/dictionary-compaction.ts';
import type { Run } from '../../quads/run.ts';
import { Slicer } from '../../storage/slicer.ts';
import type { Commit } from '../commit.ts';
import type { NamespaceState } from '../namespace-state.ts';
import type { Checkpointer } from './checkpointer.ts';
import { decodeCommitRecord } from './commit-record.ts';
import type { Durability } from './durability.ts';

export interface CompactionWork {
  /** Whether to go on, when it is known what is dead. */
  readonly isWorthwhile: (dead: TermAmount, all: TermAmount) => boolean;
  /**
   * Nothing is kept because `changes` may be asked for it: it begins at the present revision from
   * now on.
   */
  readonly forgetChanges?: boolean;
  readonly signal?: AbortSignal;
}

const NOTHING: TermAmount = { terms: 0, bytes: 0 };
/** With so few commits to take over, writers are kept waiting for it. */
const FEW_COMMITS = 4;
/** Where commits come as fast as they are taken over, writers wait all the same. */
const MAX_ROUNDS = 16;
/** So often the log is read that checkpoints let go of meanwhile. */
const MAX_READS = 10;

/**
 * Gives back the memory of what is gone: deletions are merged with what they delete, and terms that
 * nothing mentions leave the dictionary, while the ids of the others stay. Kept is what a quad or
 * the name of a graph mentions that readers or writers see, what commits on their way mention, what
 * the log mentions as far as `changes` reaches back, and what the log does not have yet. Whoever
 * has begun to read keeps the dictionary that it began with, so nobody waits but writers, and these
 * for the last step alone.
 *
 * In memory all is done or nothing. When the storage fails behind that, which is thrown, the next
 * checkpoint has it. Gives what was freed.
 */
export async function compactNamespace(
  namespace: NamespaceState,
  durability: Durability | undefined,
  { isWorthwhile, forgetChanges, signal }: CompactionWork,
): Promise<TermAmount> {
  const { store } = namespace;
  const { journal, checkpointer, vectors } = durability ?? {};
  // An append of unknown outcome may mention anything.
  await namespace.exclusively(() => undefined, signal);
  await store.mergeAll();
  // Before anything is looked at, so that the log reaches back no further than it has to.
  await checkpointer?.write({ merged: true, forgetChanges });
  if (namespace.dropped) return NOTHING;
  const slicer = new Slicer(signal);
  const commits: Commit[] = journal ? [...journal.pending] : [];
  const unobserve = namespace.observe({ latest: (commit) => commits.push(commit) });
  try {
    const { dictionary } = store;
    const work = new DictionaryCompaction(dictionary, journal?.state.terms ?? dictionary.table.size);
    await mentionWhatIsThere(namespace, work, slicer);
    if (checkpointer) await mentionLog(namespace, checkpointer, work, slicer);
    await slicer.run(work.close());
    const { all, dead } = await slicer.run(work.measure());
    if (dead.terms === 0 || !isWorthwhile(dead, all)) return NOTHING;
    const catchUp = async () => {
      for (const commit of commits.splice(0)) await mentionCommit(commit, work, slicer);
      await slicer.run(work.copyKept());
    };
    await catchUp();
    for (let round = 0; commits.length > FEW_COMMITS && round < MAX_ROUNDS; round++) await catchUp();
    const isDone = await namespace.withLock(async () => {
      await catchUp();
      if (namespace.dropped) return false;
      namespace.renewDictionary(work.next);
      return true;
    });
    if (!isDone) return NOTHING;
    try {
      await vectors?.dropFreed(work.next.table);
      await checkpointer?.write();
      // The storage has two: after another one that of before is gone too, and what was freed with
      // it.
      await checkpointer?.write({ always: true });
    } catch (cause) {
      if (!namespace.dropped) throw cause;
    }
    return work.freed;
  } finally {
    unobserve();
  }
}

/** Everything that is visible or latest at the call. */
async function mentionWhatIsThere(
  { store, worlds }: NamespaceState,
  work: DictionaryCompaction,
  slicer: Slicer,
): Promise<void> {
  const runs = new Set<Run>([...store.snapshot.runs, ...store.latest.runs]);
  const states = [...worlds.values()];
  for (const run of runs) await slicer.run(work.mentionRun(run));
  for (const { graphs } of states) await slicer.run(work.mentionColumn(graphs.graphs));
}

async function mentionCommit(
  { before, after, delta }: Commit,
  work: DictionaryCompaction,
  slicer: Slicer,
): Promise<void> {
  await slicer.run(work.mentionRun(delta.inserted));
  await slicer.run(work.mentionRun(delta.deleted));
  if (after && after.graphs !== before?.graphs) await slicer.run(work.mentionColumn(after.graphs.graphs));
}

async function mentionLog(
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
    // Whoever deletes the namespace has the lock until it is gone.
    await namespace.withLock(() => undefined);
    if (namespace.dropped) throw cause;
    // A checkpoint let go of a part of it meanwhile: what is left is shorter.
    await mentionLog(namespace, checkpointer, work, slicer, readsLeft - 1);
  }
}
