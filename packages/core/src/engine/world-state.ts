import type { DataSize } from '../quads/quad-bytes.ts';
import type { WorldGraphs } from '../quads/world-graphs.ts';
import type { World } from './world.ts';

/** A world as the engine holds it. Immutable: a commit puts another one in its place. */
export interface WorldState {
  readonly record: World;
  readonly graphs: WorldGraphs;
  /** What counts against quotas; nothing if the engine has none. */
  readonly size: DataSize;
}

/** What a world takes in JavaScript objects, beside its texts, here and in the storage. Measured. */
const WORLD_BYTES = 1 << 10;

/** The contexts of a world: that of its default graph first. */
export function contextsOf({ graphs }: Pick<WorldState, 'graphs'>): number[] {
  return [graphs.defaultContext, ...graphs.contexts];
}

/** What a world takes in JavaScript objects, in bytes. */
export function recordBytesOf({ record: { label, description } }: WorldState): number {
  return WORLD_BYTES + 2 * ((label?.length ?? 0) + (description?.length ?? 0));
}
