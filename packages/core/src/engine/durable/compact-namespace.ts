import { Slicer } from '../../contracts/slicer.ts';
import { WorldsError } from '../../model/worlds-error.ts';
import { DictionaryCompaction, type TermAmount } from '../../quads/dictionary-compaction.ts';
import type { Run } from '../../quads/run.ts';
import type { Commit } from '../commit.ts';
import type { NamespaceState } from '../namespace-state.ts';
import type { Checkpointer } from './checkpointer.ts';
import { decodeCommitRecord } from './commit-record.ts';
import type { Durability } from './durability.ts';

export interface CompactionWork {
  /** Decides whether to proceed once the dead terms are known. */
  readonly isWorthwhile: (dead: TermAmount, all: TermAmount) => boolean;
  /** Also frees what is kept only for `changes`, which then starts at the current revision. */
  readonly forgetChanges?: boolean;
  /** Also frees what is kept only for the history, which then starts at the current revision. */
  readonly forgetHistory?: boolean;
  readonly signal?: AbortSignal;
}

const NOTHING: TermAmount = { terms: 0, bytes: 0 };
/** Maximum number of new commits that are processed while writers wait. */
const FEW_COMMITS = 4;
/**
 * Maximum number of rounds of catching up. If commits arrive as fast as they are processed, writers
 * wait after that.
 */
const MAX_ROUNDS = 16;
/** Maximum number of attempts to read the log while checkpoints truncate it. */
const MAX_READS = 10;

/**
 * Frees the memory of deleted data: merges deletions with the quads they delete, and removes
 * unreferenced terms from the dictionary and the text index. The ids of the remaining terms do not
 * change. A term is kept if it is referenced by a quad or graph name that readers or writers see,
 * by a pending commit, by the log as far back as `changes` reaches, by the history, or if it is not
 * yet in the log. Running readers keep the dictionary that they started with; only writers wait,
 * for the last step.
 *
 * In memory the operation is atomic. If the storage fails afterwards, the error is thrown, and the
 * next checkpoint contains the result. Returns the number of freed terms and bytes.
 */
export async function compactNamespace(
  namespace: NamespaceState,
  durability: Durability | undefined,
  { isWorthwhile, forgetChanges, forgetHistory, signal }: CompactionWork,
): Promise<TermAmount> {
  const { store } = namespace;
  const { journal, checkpointer, vectors } = durability ?? {};
  // An append with an unknown outcome may reference any term, so doubts are resolved first.
  await namespace.exclusively(() => undefined, signal);
  if (forgetHistory) namespace.forgetHistory();
  else namespace.expireHistory();
  await store.mergeAll();
  // Checkpoints first, so that the log is as short as possible.
  await checkpointer?.write({ merged: true, forgetChanges, always: forgetHistory });
  // The storage keeps two checkpoints: the one before this still has the history.
  if (forgetHistory) await checkpointer?.write({ always: true });
  if (namespace.dropped) return NOTHING;
  const slicer = new Slicer(signal);
  const commits: Commit[] = journal ? [...journal.pending] : [];
  const unobserve = namespace.observe({ latest: (commit) => commits.push(commit) });
  try {
    const { dictionary } = store;
    const work = new DictionaryCompaction(dictionary, journal?.state.terms ?? dictionary.table.size);
    await mentionWhatIsThere(namespace, work, slicer);
    await mentionHistory(namespace, work, slicer);
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
    await namespace.texts?.compact();
    try {
      await vectors?.dropFreed(work.next.table);
      await checkpointer?.write();
      // The storage keeps two checkpoints. After another one, the checkpoint from before the
      // compaction is deleted.
      await checkpointer?.write({ always: true });
    } catch (cause) {
      if (!namespace.dropped) throw cause;
    }
    return work.freed;
  } finally {
    unobserve();
  }
}

/** Marks everything visible or latest at the time of the call as referenced. */
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

/** Marks what the kept commits deleted as referenced. What they left is in the runs. */
async function mentionHistory({ history }: NamespaceState, work: DictionaryCompaction, slicer: Slicer): Promise<void> {
  for (const { before, delta } of [...(history?.kept ?? [])]) {
    for (const { columns } of [delta.inserted, delta.deleted]) {
      for (const column of columns) await slicer.run(work.mentionColumn(column));
    }
    if (before) await slicer.run(work.mentionColumn(before.graphs.graphs));
  }
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
    // A deletion of the namespace holds the lock until it is complete.
    await namespace.withLock(() => undefined);
    if (namespace.dropped) throw cause;
    // A concurrent checkpoint truncated the log. The rest is shorter.
    await mentionLog(namespace, checkpointer, work, slicer, readsLeft - 1);
  }
}
