import { WorldsError } from '../model/worlds-error.ts';
import { type Delta, deltaSize } from '../quads/merge-runs.ts';
import { WorldGraphs } from '../quads/world-graphs.ts';
import type { Namespace, WorldState } from './namespace.ts';
import type { World } from './world.ts';

/**
 * The one door for writes. Every function here runs with the namespace's lock held, changes nothing before its last
 * synchronous step, and in that step publishes quads, graphs and record together under one new revision.
 */

/** What a data commit brings: exact for the namespace's current snapshot, in shared ids. */
export interface DataChange {
  readonly delta: Delta;
  readonly graphs: WorldGraphs;
}

/** The fields of a record that a caller sets. */
export type WorldFields = Pick<World, 'label' | 'description'>;

export function commitNewWorld(namespace: Namespace, slug: string, fields: WorldFields, now: number): WorldState {
  const world = namespace.nextWorld++;
  const graphs = new WorldGraphs(world, namespace.store.allocateContext(), new Uint32Array(0), new Uint32Array(0));
  const revision = ++namespace.revision;
  const record: World = { slug, namespace: namespace.name, ...fields, createdAt: now, updatedAt: now, revision };
  const state = { record, graphs };
  namespace.put(slug, state);
  return state;
}

export function commitRecord(namespace: Namespace, state: WorldState, fields: WorldFields, now: number): WorldState {
  const changed = { record: touched({ ...state.record, ...fields }, ++namespace.revision, now), graphs: state.graphs };
  namespace.put(state.record.slug, changed);
  return changed;
}

export function commitDeletion(namespace: Namespace, state: WorldState): void {
  namespace.revision++;
  namespace.remove(state.record.slug);
  namespace.search.dropWorld(state.graphs.world);
  namespace.store.bury([state.graphs.defaultContext, ...state.graphs.contexts]);
}

/** Commits quads and graphs; what changes nothing is no commit. Returns the world's state afterwards. */
export function commitData(
  namespace: Namespace,
  state: WorldState,
  { delta, graphs }: DataChange,
  now: number,
): WorldState {
  if (deltaSize(delta) === 0 && (graphs === state.graphs || graphs.equals(state.graphs))) return state;
  const kept = new Set(graphs.contexts);
  namespace.store.publish(delta);
  namespace.store.bury(state.graphs.contexts.filter((context) => !kept.has(context)));
  const changed = { record: touched(state.record, ++namespace.revision, now), graphs };
  namespace.put(state.record.slug, changed);
  namespace.search.enqueue(state.graphs.world, delta);
  return changed;
}

/** Throws CONFLICT when a caller expected another revision of a world. */
export function requireRevision(state: WorldState, expected: number | undefined): void {
  const { slug, namespace, revision } = state.record;
  if (expected === undefined || expected === revision) return;
  throw new WorldsError(
    'CONFLICT',
    `The world ${namespace}/${slug} is at revision ${revision}, not at the expected ${expected}; read it again and repeat the change.`,
  );
}

/** Clocks may go back; records do not. */
function touched(record: World, revision: number, now: number): World {
  return { ...record, revision, updatedAt: Math.max(now, record.updatedAt) };
}
