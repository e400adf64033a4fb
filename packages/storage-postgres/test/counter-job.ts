/** What a process of the counter test does. */
export interface CounterJob {
  readonly address: { readonly host: string; readonly user: string; readonly database: string };
  readonly schema: string;
  /** Number of increments of each of the two counters. */
  readonly increments: number;
  /** Whether the process also compacts and writes checkpoints. */
  readonly maintains: boolean;
}

/** What a process printed when it had finished. */
export interface CounterReport {
  /** Writes with `ifRevision` that another process had made obsolete. */
  readonly conflicts: number;
  readonly milliseconds: number;
}
