import type { Dictionary } from '../quads/dictionary.ts';
import type { Delta } from '../quads/merge-runs.ts';
import type { DataSize } from '../quads/quad-bytes.ts';
import type { WorldGraphs } from '../quads/world-graphs.ts';
import type { StoredTexts } from './storable-texts.ts';
import type { WorldState } from './world-state.ts';

/** The effect of one commit on one world. Immutable. */
export interface Commit {
  /** Revision of the namespace after the commit. */
  readonly revision: number;
  /** Milliseconds since the epoch. */
  readonly timeMs: number;
  /** Undefined if the commit creates the world. */
  readonly before: WorldState | undefined;
  /** Undefined if the commit deletes the world. */
  readonly after: WorldState | undefined;
  /** Exact relative to the snapshot before it. Does not list the quads of a deleted world. */
  readonly delta: Delta;
}

/** New data for a world. The delta is exact relative to the namespace's latest snapshot. */
export interface DataChange {
  readonly delta: Delta;
  readonly graphs: WorldGraphs;
}

/**
 * Observes the commits of a namespace. Methods run synchronously as part of the commit; they must
 * be fast and must not throw.
 */
export interface CommitObserver {
  /** The next writer sees the commit; readers may not see it yet. */
  latest?(commit: Commit): void;
  /**
   * Readers see the commit. `deletedQuads` is the number of quads that nothing needs any longer,
   * those of deleted worlds and graphs included: those that the commit deleted or, with a history,
   * those whose deletion has become too old for it.
   */
  visible?(commit: Commit, deletedQuads: number): void;
  /** The dictionary was replaced; see `NamespaceState.renewDictionary`. */
  dictionaryRenewed?(dictionary: Dictionary): void;
  /** The checkpoint from which the namespace was read has a text index of that moment. */
  textsFound?(texts: StoredTexts): void;
}

/** Slug of the world that a commit changes. */
export function slugOf({ before, after }: Commit): string {
  return (after ?? before)!.record.slug;
}

/** Size of a namespace after a commit. */
export function sizeAfterCommit({ quads, bytes }: DataSize, { before, after }: Commit): DataSize {
  return {
    quads: quads + (after?.size.quads ?? 0) - (before?.size.quads ?? 0),
    bytes: bytes + (after?.size.bytes ?? 0) - (before?.size.bytes ?? 0),
  };
}
