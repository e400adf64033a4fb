import { WorldsError } from '../../model/worlds-error.ts';
import type { NamespaceStorage } from '../../storage/storage.ts';
import type { CommitToken } from './commit-token.ts';

/** What became of a commit whose call threw IN_DOUBT. */
export type CommitStatus = 'committed' | 'absent';

/**
 * Looks a commit up in the log of its namespace. Throws IN_DOUBT while the storage cannot settle
 * it, TRUNCATED if the log does not reach back so far or the namespace was deleted meanwhile.
 *
 * @param revisionFloor the highest revision of the namespaces that were deleted
 */
export async function commitStatus(
  storage: NamespaceStorage,
  { incarnation, position, revision, id }: CommitToken,
  revisionFloor: () => number,
): Promise<CommitStatus> {
  const head = await storage.head();
  if (head.position === 0) {
    // A namespace that never began; or one that did, and was deleted.
    if (incarnation === '' && revisionFloor() < revision) return 'absent';
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
  // The namespace that it began may have been deleted, and made again since.
  if (incarnation === '' && revisionFloor() >= revision) throw forgotten();
  return 'absent';
}

function forgotten(cause?: unknown): WorldsError {
  return new WorldsError(
    'TRUNCATED',
    'The log no longer tells what became of this commit, or its namespace was deleted since; look at the data instead.',
    { cause },
  );
}
