import { createHash } from '#platform';
import type { WorldState } from './world-state.ts';

/** The parts of a fork that identify it. */
export interface ForkIdentity {
  readonly record: Pick<WorldState['record'], 'namespace' | 'createdAt'>;
  readonly graphs: Pick<WorldState['graphs'], 'world'>;
}

/** Bytes of a scope. */
const SCOPE_BYTES = 16;

/**
 * Returns the scope of the blank nodes of a fork that are copies of those of a scope of its source.
 * It is a hash, not random: so a diff recognizes copies, without a table of them that commits would
 * have to maintain. Numbers of worlds are unique within a namespace, and scopes between all.
 */
export function forkedScope(scope: Uint8Array, { record, graphs }: ForkIdentity): Uint8Array {
  const hash = createHash('sha256');
  hash.update(`rdf-worlds fork\n${record.namespace}\n${graphs.world}\n${record.createdAt}\n`, 'utf8');
  return hash.update(scope).digest().subarray(0, SCOPE_BYTES);
}
