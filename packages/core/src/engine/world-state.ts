import type { DataSize } from '../quads/quad-bytes.ts';
import type { WorldGraphs } from '../quads/world-graphs.ts';
import type { World } from './world.ts';

/** A world as the engine holds it. Immutable: each commit replaces it. */
export interface WorldState {
  readonly record: World;
  readonly graphs: WorldGraphs;
  /** Size for quotas; zero if the engine has none. */
  readonly size: DataSize;
}

/** Memory of a world without its texts, in JavaScript objects of engine and storage. Measured. */
const WORLD_BYTES = 1 << 10;

/** The contexts of a world, starting with its default graph. */
export function contextsOf({ graphs }: Pick<WorldState, 'graphs'>): number[] {
  return [graphs.defaultContext, ...graphs.contexts];
}

/** Memory of a world in JavaScript objects, in bytes. */
export function recordBytesOf({ record: { label, description } }: WorldState): number {
  return WORLD_BYTES + 2 * ((label?.length ?? 0) + (description?.length ?? 0));
}
