import type { Slicer } from '../../contracts/slicer.ts';
import type { Head, NamespaceStorage } from '../../contracts/storage.ts';
import { WorldsError } from '../../model/worlds-error.ts';
import type { NamespaceState } from '../namespace-state.ts';
import { decodeCommitRecord } from './commit-record.ts';
import { replay } from './replay.ts';

/** A replayed log record. */
export interface Replayed {
  /** Head just after the record. */
  readonly head: Head;
  readonly bytes: number;
}

export interface ReplayOptions {
  /**
   * Throws TRUNCATED before the first record that was read in another generation: it may use terms
   * of a checkpoint that omits others.
   */
  readonly generation?: number;
  /**
   * Throws TRUNCATED at a record that numbers a term which has a number: its writer has freed the
   * term, which readers of this process may still use.
   */
  readonly hasReaders?: boolean;
  /** Called in the same synchronous step in which a record becomes visible. */
  readonly onShown?: (head: Head) => void;
}

/**
 * Replays the log after a head, and yields each record once it is applied. Throws CORRUPT for a
 * record that does not follow its predecessor, LIMIT_EXCEEDED if the namespace exceeds the memory
 * limit, and errors of the storage.
 */
export async function* replayLog(
  namespace: NamespaceState,
  storage: Pick<NamespaceStorage, 'read'>,
  after: Head,
  slicer: Slicer,
  { generation, hasReaders, onShown }: ReplayOptions = {},
): AsyncGenerator<Replayed, void, void> {
  const onRenumbered = hasReaders
    ? () => {
        throw termsFreed(namespace);
      }
    : undefined;
  for await (const { data, head } of storage.read(after)) {
    if (generation !== undefined && head.generation !== generation) throw termsFreed(namespace);
    // Every new term is looked up.
    await slicer.run(namespace.store.dictionary.table.hashStored());
    const where = `the namespace ${namespace.name}, commit ${head.position}`;
    const record = await slicer.run(decodeCommitRecord(data, where));
    // A new namespace starts above the revisions of a deleted one of the same name.
    if (head.position === 1) namespace.restore([], record.revision - 1, 1);
    await slicer.run(replayed());
    function* replayed() {
      yield* replay(namespace, record, where, onRenumbered);
      onShown?.(head);
    }
    yield { head, bytes: data.length };
    await namespace.store.keepUp();
    namespace.requireRoom(data.length);
  }
}

function termsFreed({ name }: NamespaceState): WorldsError {
  return new WorldsError('TRUNCATED', `Terms of the namespace ${name} have been freed meanwhile.`);
}
