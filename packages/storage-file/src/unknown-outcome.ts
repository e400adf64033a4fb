/**
 * An operation that failed but may have happened: a rename, or a sync of a directory. Not an error
 * for callers: the code that catches it keeps the files that either outcome needs.
 */
export class UnknownOutcome {
  readonly cause: unknown;

  constructor(cause: unknown) {
    this.cause = cause;
  }
}
