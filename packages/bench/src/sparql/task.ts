import type { Outcome } from './answer.ts';
import type { Peer } from './peers.ts';

/** Something that peers are measured at. */
export interface Task {
  readonly name: string;
  /** `store`: about the store, so that peers that share one share the figures. */
  readonly kind: 'query' | 'store';
  /** How many operations one run is; figures are for one of them. */
  readonly operations: number;
  /** Whether only the number of rows tells a right answer: see `difference`. */
  readonly anyRows: boolean;
  /** Makes ready for a lap. Not measured. */
  prepare(peer: Peer): Promise<Trial>;
}

/** What a lap measures. */
export interface Trial {
  /** Whether a lap may be several runs. */
  readonly isRepeatable: boolean;
  /** Measured. Resolves to undefined when the peer gave up. */
  run(): Promise<Outcome | undefined>;
  /** Brings the store back to where it was. Not measured. */
  restore?(): Promise<void>;
}
