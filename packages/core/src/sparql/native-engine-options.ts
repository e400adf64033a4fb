export interface NativeEngineOptions {
  /** Rows in a batch; 1024 when not given. Other values are for tests. */
  readonly batchRows?: number | undefined;
  /** False: patterns are joined as they are written, and nothing is rewritten. For tests. */
  readonly optimize?: boolean | undefined;
  /** LIMIT_EXCEEDED when one query keeps more than so many bytes; no limit when not given. */
  readonly maxMemoryBytes?: number | undefined;
  /** At least 0, below 1; `Math.random` when not given. */
  readonly random?: (() => number) | undefined;
}
