import type { Commit } from './commit.ts';

/** Makes the commits of one namespace durable and visible, in order. */
export interface CommitLog {
  /**
   * Advances a commit and publishes it once it is durable. Requires the namespace lock. Throws
   * QUOTA_EXCEEDED for the disk quota, or the failure of an earlier commit that this one depends
   * on, and changes nothing then.
   */
  append(commit: Commit): void;
  /** Number of commits that were appended. */
  readonly appended: number;
  /** Settles when all appended commits are durable or have failed. Undefined if none is pending. */
  readonly tail: Promise<void> | undefined;
  /** Settles when the last appended commit is durable or has failed. Undefined if it is durable. */
  readonly lastAppended: Promise<void> | undefined;
  /**
   * Returns the error of a call that appended nothing, but depends on commits that failed with
   * `cause`. Its own outcome is certain even if theirs is not.
   */
  dependentFailure(cause: unknown): unknown;
  /** Whether others may append to the log, so that the state may not be the current one. */
  readonly isShared: boolean;
  /** Whether the outcome of an earlier append is unknown. */
  readonly isInDoubt: boolean;
  /** Resolves the doubt. Requires the namespace lock. Throws CONFLICT if memory and log differ. */
  clearDoubt(): Promise<void>;
  /**
   * Waits like {@link tail}, and checks that the latest state was that of the log at some moment
   * from now on, for an outcome without a commit. Undefined if both is certain. Throws
   * {@link Overtaken}, or what `tail` throws.
   */
  confirm(): Promise<void> | undefined;
}
