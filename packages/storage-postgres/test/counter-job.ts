/** The namespace that all processes write to, and the one of each alone. */
export const SHARED = 'shared/w';
export const ownSource = (process: number) => `own-${process}/w`;
/** The world of the same namespace with the counter that is incremented by `ifRevision`. */
export const revisedSource = (source: string) => `${source}-revised`;

/** What a process of the counter test does. */
export interface CounterJob {
  readonly address: { readonly host: string; readonly user: string; readonly database: string };
  readonly schema: string;
  /** Number of the process, from 0. */
  readonly process: number;
  /** All processes count in {@link SHARED} and in those of their own. */
  readonly processes: number;
  readonly durationMs: number;
  /** Whether the process also compacts and writes checkpoints. */
  readonly maintains: boolean;
}

/** Acknowledged increments of the two counters of a world. */
export interface Increments {
  readonly byUpdate: number;
  readonly byRevision: number;
}

/** Printed when the process has stopped counting. */
export interface CounterReport {
  readonly shared: Increments;
  readonly own: Increments;
  /** Writes with `ifRevision` that another process had made obsolete. */
  readonly conflicts: number;
}

/** What the engine of a process holds of a world after the others have stopped. */
export interface Replica {
  readonly source: string;
  /** All quads, in canonical order. */
  readonly quads: string;
  /** The subjects that a search for each number of the counters finds, sorted. */
  readonly hits: readonly string[];
}
