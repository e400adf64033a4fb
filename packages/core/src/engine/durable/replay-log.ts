import type { Slicer } from '../../storage/slicer.ts';
import type { Head, NamespaceStorage } from '../../storage/storage.ts';
import type { NamespaceState } from '../namespace-state.ts';
import { decodeCommitRecord } from './commit-record.ts';
import { replay } from './replay.ts';

/** A record that has been done again. */
export interface Replayed {
  /** The head just after it. */
  readonly head: Head;
  readonly bytes: number;
}

/**
 * Does to a namespace what the log behind a head did, and gives each record when it is done. Throws
 * CORRUPT for a record that is not the next one, LIMIT_EXCEEDED when the namespace becomes larger
 * than it may be, and what the storage throws.
 */
export async function* replayLog(
  namespace: NamespaceState,
  storage: Pick<NamespaceStorage, 'read'>,
  after: Head,
  slicer: Slicer,
): AsyncGenerator<Replayed, void, void> {
  for await (const { data, head } of storage.read(after)) {
    const where = `the namespace ${namespace.name}, commit ${head.position}`;
    const record = await slicer.run(decodeCommitRecord(data, where));
    // A new namespace begins above the revisions of one of the same name that is gone.
    if (head.position === 1) namespace.restore([], record.revision - 1, 1);
    await slicer.run(replay(namespace, record, where));
    yield { head, bytes: data.length };
    await namespace.store.keepUp();
    namespace.requireRoom(data.length);
  }
}
