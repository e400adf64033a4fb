/** A sync that failed: what is durable nobody knows, and another sync may say that all is well when it is not. So it is never tried again. */
export class SyncFailure {
  readonly cause: unknown;

  constructor(cause: unknown) {
    this.cause = cause;
  }
}
