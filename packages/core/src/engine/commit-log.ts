import type { Commit } from './commit.ts';

/** Makes the commits of one namespace durable and visible, in order. */
export interface CommitLog {
  /**
   * Advances a commit and publishes it once it is durable. Requires the namespace lock. Throws
   * QUOTA_EXCEEDED for the disk quota, or the failure of an earlier commit that this one depends
   * on, and changes nothing then.
   */
  append(commit: Commit): void;
  /** Settles when all appended commits are durable or have failed. Undefined if none is pending. */
  readonly tail: Promise<void> | undefined;
  /** Whether others may append to the log, so that the state may not be the current one. */
  readonly isShared: boolean;
  /** Whether the outcome of an earlier append is unknown. */
  readonly isInDoubt: boolean;
  /** Resolves the doubt. Requires the namespace lock. Throws CONFLICT if memory and log differ. */
  clearDoubt(): Promise<void>;
  /**
   * Checks that the current state is that of the log, for an outcome that no append proves.
   * Undefined if nobody else can have changed it. Throws {@link Overtaken}.
   */
  confirm(): Promise<void> | undefined;
}
