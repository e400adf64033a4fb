import type { SeededRandom } from '../seeded-random.ts';

/** What the clients of a run do, and where. */
export interface SimulationWorkload {
  readonly namespaces: readonly string[];
  /** The worlds of each namespace. */
  readonly slugs: readonly string[];
  /** Mean time between the answer of an operation and the next one, in milliseconds. */
  readonly thinkMs: number;
  /** Weights of the kinds of operations. */
  readonly weights: Readonly<Record<OperationKind, number>>;
}

/**
 * What clients do. `roam` reads with the revision that another client got, `past` reads the state
 * of an earlier one; `forget` compacts, and forgets the changes.
 */
export type OperationKind =
  | 'create'
  | 'delete'
  | 'deleteNamespace'
  | 'label'
  | 'fork'
  | 'write'
  | 'insertData'
  | 'deleteWhere'
  | 'increment'
  | 'incrementIf'
  | 'import'
  | 'patch'
  | 'dropGraph'
  | 'read'
  | 'search'
  | 'roam'
  | 'past'
  | 'checkpoint'
  | 'compact'
  | 'forget';

/** Chooses what the clients of a run do. */
export function randomWorkload(random: SeededRandom): SimulationWorkload {
  const rarely = () => random.pick([0, 0, 1, 4]);
  const often = () => random.pick([2, 8, 20]);
  const namespaces = random.chance(0.6) ? ['a'] : ['a', 'b'];
  return {
    namespaces,
    slugs: random.pick([['x'], ['x', 'y'], ['x', 'y', 'z']]),
    thinkMs: random.pick([1, 10, 50, 300]),
    weights: {
      ...{ create: 2, delete: rarely(), deleteNamespace: rarely(), label: 1, fork: rarely() },
      ...{ write: often(), insertData: often(), deleteWhere: 3, increment: often(), incrementIf: often() },
      ...{ import: random.pick([0, 4, 20]), read: 10, search: random.pick([0, 3, 10]), roam: 3 },
      ...{ patch: random.pick([0, 2, 10]), dropGraph: random.pick([0, 0, 3, 12]), past: random.pick([0, 2, 6]) },
      ...{ checkpoint: random.pick([0, 2, 6]), compact: rarely(), forget: random.pick([0, 2, 6]) },
    },
  };
}

/** Makes the clients write to the same namespace, mostly, and without a rest. */
export function crowded({ slugs, weights }: SimulationWorkload): SimulationWorkload {
  const writes = { write: 30, insertData: 20, increment: 30, incrementIf: 10 };
  return { namespaces: ['a'], slugs, thinkMs: 1, weights: { ...weights, ...writes, read: 4, search: 1 } };
}
