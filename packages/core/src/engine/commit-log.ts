import type { Commit } from './commit.ts';

/** Takes the commits of one namespace, in their order, and makes them the latest, durable and visible. */
export interface CommitLog {
  /**
   * Makes a commit the latest. Readers see it once it is durable. Requires the namespace lock. Throws QUOTA_EXCEEDED for
   * the disk, and the failure of an earlier commit that this one rests on; nothing has happened then.
   */
  append(commit: Commit): void;
  /** Settles when everything appended so far is durable, or has failed. Undefined when nothing is under way. */
  readonly tail: Promise<void> | undefined;
  /** Whether the outcome of an earlier append is unknown; see {@link clearDoubt}. */
  readonly isInDoubt: boolean;
  /** Finds out the outcome. Requires the namespace lock. Throws CONFLICT when memory and log differ. */
  clearDoubt(): Promise<void>;
}
