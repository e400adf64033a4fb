/** Bounds on what one request may cost. */
export interface Limits {
  /** Bytes of a request's body; 413 above it. */
  readonly maxBodyBytes: number;
  /** The same for imports and for documents of the Graph Store Protocol. */
  readonly maxImportBytes: number;
  /** Milliseconds without a byte of a body that has not ended; 408 then. */
  readonly bodyIdleMs: number;
  /** Milliseconds for a request from the end of its body on, the reading of its answer included; 503, or a broken connection. */
  readonly timeoutMs: number;
  /** Rows or triples of a query's answer; 400, or a broken connection. */
  readonly maxRows: number;
  /** Bytes that one query may keep while it runs; 400, or a broken connection. */
  readonly maxMemoryBytes: number;
}

export const DEFAULT_LIMITS: Limits = {
  maxBodyBytes: 1 << 20,
  maxImportBytes: 64 << 20,
  bodyIdleMs: 30_000,
  timeoutMs: 30_000,
  maxRows: 1_000_000,
  maxMemoryBytes: 512 << 20,
};
