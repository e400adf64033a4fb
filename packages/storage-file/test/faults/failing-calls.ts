import type { Content } from './namespace-model.ts';

/** A life of a storage during which one call of the C library fails. */
export interface FailingJob {
  readonly path: string;
  readonly seed: number;
  readonly operations: number;
  /** The number of the call that fails, from 1 on; 0: none. */
  readonly failAt: number;
  /** Which of the ways in which that call can fail, modulo their number. */
  readonly kind: number;
  /** Whether the process is killed in the end, rather than the storage closed. */
  readonly isKilled: boolean;
}

/** What a life says of itself. */
export interface FailingOutcome {
  readonly path: string;
  readonly calls: number;
  readonly faults: number;
  readonly fault: string;
  /** What each namespace may hold. */
  readonly possible: readonly (readonly [string, readonly Content[]])[];
  /** Why the life came to an end too early. */
  readonly failure?: string;
}
