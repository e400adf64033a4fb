import type { NamespaceStorage } from '../../contracts/storage.ts';
import { WorldsError } from '../../model/worlds-error.ts';
import type { CommitToken } from './commit-token.ts';

/** The outcome of a commit whose call threw IN_DOUBT. */
export type CommitStatus = 'committed' | 'absent';

/**
 * Returns the outcome of a commit from the log of its namespace. Throws IN_DOUBT while the storage
 * cannot tell, TRUNCATED if the log no longer reaches back that far or the namespace was deleted
 * meanwhile.
 *
 * @param revisionFloor returns the highest revision of any deleted namespace, also of those that
 *   other processes have deleted; called after the namespace was read, since a deletion raises it
 *   first
 */
export async function commitStatus(
  storage: NamespaceStorage,
  { incarnation, position, revision, id }: CommitToken,
  revisionFloor: () => Promise<number>,
): Promise<CommitStatus> {
  const head = await storage.head();
  if (head.position === 0) {
    // The namespace was never created, or it was created and deleted.
    if (incarnation === '' && (await revisionFloor()) < revision) return 'absent';
    throw forgotten();
  }
  if (incarnation !== '' && incarnation !== head.incarnation) throw forgotten();
  if (position > head.position) return 'absent';
  try {
    for await (const record of storage.read({ ...head, position: position - 1 })) {
      if (record.id === id) return 'committed';
      break;
    }
  } catch (cause) {
    if (cause instanceof WorldsError && cause.code === 'TRUNCATED') throw forgotten(cause);
    throw cause;
  }
  // The namespace that the commit created may have been deleted and recreated since.
  if (incarnation === '' && (await revisionFloor()) >= revision) throw forgotten();
  return 'absent';
}

function forgotten(cause?: unknown): WorldsError {
  return new WorldsError(
    'TRUNCATED',
    'The log no longer records the outcome of this commit, or its namespace has been deleted since; inspect the data instead.',
    { cause },
  );
}
