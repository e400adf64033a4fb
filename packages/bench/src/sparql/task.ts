import type { Outcome } from './answer.ts';
import type { Peer, PeerKind } from './peers.ts';

/** A task that peers are measured with. */
export interface Task {
  readonly name: string;
  /** `store`: the task concerns the store, so peers that share a store share the figures. */
  readonly kind: 'query' | 'store';
  /** Number of operations per run; figures are for a single operation. */
  readonly operations: number;
  /** Whether answers are compared by number of rows only: see `difference`. */
  readonly anyRows: boolean;
  /** Whether a peer can run the task. */
  isFor(peer: PeerKind): boolean;
  /** Prepares a lap. Not measured. */
  prepare(peer: Peer): Promise<Trial>;
}

/** The measured part of a lap. */
export interface Trial {
  /** Whether a lap may consist of several runs. */
  readonly isRepeatable: boolean;
  /** Measured. Resolves to undefined if the peer exceeded its time limit. */
  run(): Promise<Outcome | undefined>;
  /** Restores the store to its previous state. Not measured. */
  restore?(): Promise<void>;
}
