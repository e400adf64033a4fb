import type { Dictionary } from '../quads/dictionary.ts';
import type { Delta } from '../quads/merge-runs.ts';
import type { DataSize } from '../quads/quad-bytes.ts';
import type { WorldGraphs } from '../quads/world-graphs.ts';
import type { WorldState } from './world-state.ts';

/** What one commit does to one world. Immutable. */
export interface Commit {
  /** The namespace's revision after it. */
  readonly revision: number;
  /** Milliseconds since the epoch. */
  readonly timeMs: number;
  /** Undefined when the world is new. */
  readonly before: WorldState | undefined;
  /** Undefined when the world is gone. */
  readonly after: WorldState | undefined;
  /** Exact for the snapshot before it. The quads of a deleted world are not in it: they go with the world. */
  readonly delta: Delta;
}

/** New data for a world, relative to the namespace's latest snapshot: the delta is exact, ids are those of the dictionary. */
export interface DataChange {
  readonly delta: Delta;
  readonly graphs: WorldGraphs;
}

/**
 * Follows the commits of a namespace. Its functions run in one synchronous step with the commit: they must be short, and must
 * not throw.
 */
export interface CommitObserver {
  /** The commit is the latest now: the next writer sees it, readers may not see it yet. */
  latest?(commit: Commit): void;
  /** Readers see the commit now. `deletedQuads` counts what it took away, with the quads of a deleted world or graph. */
  visible?(commit: Commit, deletedQuads: number): void;
  /** Another dictionary has taken the place of the one before, see `NamespaceState.renewDictionary`. */
  dictionaryRenewed?(dictionary: Dictionary): void;
}

/** The slug of the world that a commit changes. */
export function slugOf({ before, after }: Commit): string {
  return (after ?? before)!.record.slug;
}

/** The size of a namespace after a commit to one of its worlds. */
export function sizeAfterCommit({ quads, bytes }: DataSize, { before, after }: Commit): DataSize {
  return {
    quads: quads + (after?.size.quads ?? 0) - (before?.size.quads ?? 0),
    bytes: bytes + (after?.size.bytes ?? 0) - (before?.size.bytes ?? 0),
  };
}
