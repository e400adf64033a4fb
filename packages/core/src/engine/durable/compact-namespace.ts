import { Slicer } from '../../contracts/slicer.ts';
import { DictionaryCompaction, type TermAmount } from '../../quads/dictionary-compaction.ts';
import type { Commit } from '../commit.ts';
import type { NamespaceState } from '../namespace-state.ts';
import { compactShared } from './compact-shared.ts';
import type { CompactionWork } from './compaction-work.ts';
import type { Durability } from './durability.ts';
import { mentionCommit, mentionHistory, mentionLog, mentionWhatIsThere } from './mentioned-terms.ts';

const NOTHING: TermAmount = { terms: 0, bytes: 0 };
/** Maximum number of new commits that are processed while writers wait. */
const FEW_COMMITS = 4;
/**
 * Maximum number of rounds of catching up. If commits arrive as fast as they are processed, writers
 * wait after that.
 */
const MAX_ROUNDS = 16;

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
  if (durability?.isShared)
    return compactShared(namespace, durability, { isWorthwhile, forgetChanges, forgetHistory, signal });
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
