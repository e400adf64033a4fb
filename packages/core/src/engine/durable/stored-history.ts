import type { HistoryOptions } from '../history/history-options.ts';

/** Consecutive kept commits in one segment. */
export interface HistorySegment {
  readonly name: string;
  /** Revisions of its first and last commit. */
  readonly first: number;
  readonly last: number;
}

/** The history of a namespace in a checkpoint. */
export interface StoredHistory {
  /** The options of the engine that wrote it; null for `Infinity`. */
  readonly keepMs?: number | null;
  readonly keepRevisions?: number | null;
  readonly oldestRevision: number;
  /** When the oldest state began, in milliseconds since the epoch; null if it has no beginning. */
  readonly oldestMs: number | null;
  /** Oldest first. Commits up to the oldest revision are to be ignored. */
  readonly segments: readonly HistorySegment[];
}

/** Returns the options under which a stored history was kept. */
export function optionsOfStored({ keepMs, keepRevisions }: StoredHistory): HistoryOptions {
  return { keepMs: numberOf(keepMs), keepRevisions: numberOf(keepRevisions) };
}

function numberOf(stored: number | null | undefined): number | undefined {
  return stored === null ? Number.POSITIVE_INFINITY : stored;
}
