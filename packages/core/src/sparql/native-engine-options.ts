/** Options of `nativeEngine`. */
export interface NativeEngineOptions {
  /** Rows per batch; default 1024. Other values are for tests. */
  readonly batchRows?: number | undefined;
  /** If false, joins patterns in textual order and applies no rewrites. For tests. */
  readonly optimize?: boolean | undefined;
  /** Memory limit per query in bytes; exceeding it throws LIMIT_EXCEEDED. Unlimited if omitted. */
  readonly maxMemoryBytes?: number | undefined;
  /** Returns a number in [0, 1); default `Math.random`. */
  readonly random?: (() => number) | undefined;
}
