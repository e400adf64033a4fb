import { WorldsError } from '../model/worlds-error.ts';
import { type Delta, deltaSize } from '../quads/merge-runs.ts';
import { EMPTY_RUN } from '../quads/run.ts';
import { WorldGraphs } from '../quads/world-graphs.ts';
import type { Commit, DataChange } from './commit.ts';
import type { NamespaceState } from './namespace-state.ts';
import type { World } from './world.ts';
import { sizeAfter } from './world-size.ts';
import type { WorldState } from './world-state.ts';

/**
 * Every write to a namespace goes through these functions. They require the namespace lock and
 * append quads, graphs and record atomically, as one commit with one new revision.
 */

/** Fields of a world record that callers set. */
export type WorldFields = Pick<World, 'label' | 'description'>;

const NO_DELTA: Delta = { inserted: EMPTY_RUN, deleted: EMPTY_RUN };
const NO_GRAPHS = new Uint32Array(0);

export function commitNewWorld(
  namespace: NamespaceState,
  slug: string,
  fields: WorldFields,
  timeMs: number,
): WorldState {
  const revision = namespace.latestRevision + 1;
  const graphs = new WorldGraphs(namespace.nextWorld++, namespace.store.allocateContext(), NO_GRAPHS, NO_GRAPHS);
  const record: World = { slug, namespace: namespace.name, ...fields, createdAt: timeMs, updatedAt: timeMs, revision };
  const after = stateAfter(namespace, undefined, record, graphs, NO_DELTA);
  commit(namespace, { revision, timeMs, before: undefined, after, delta: NO_DELTA });
  return after;
}

/** Commits a new world that has data from the start. */
export function commitFork(
  namespace: NamespaceState,
  { slug, ...fields }: WorldFields & { readonly slug: string },
  { delta, graphs }: DataChange,
  timeMs: number,
): WorldState {
  const revision = namespace.latestRevision + 1;
  const record: World = { slug, namespace: namespace.name, ...fields, createdAt: timeMs, updatedAt: timeMs, revision };
  const after = stateAfter(namespace, undefined, record, graphs, delta);
  commit(namespace, { revision, timeMs, before: undefined, after, delta });
  return after;
}

export function commitRecord(
  namespace: NamespaceState,
  before: WorldState,
  fields: WorldFields,
  timeMs: number,
): WorldState {
  const revision = namespace.latestRevision + 1;
  const record = touched({ ...before.record, ...fields }, revision, timeMs);
  const after = stateAfter(namespace, before, record, before.graphs, NO_DELTA);
  commit(namespace, { revision, timeMs, before, after, delta: NO_DELTA });
  return after;
}

export function commitDeletion(namespace: NamespaceState, before: WorldState, timeMs: number): void {
  commit(namespace, deletion(namespace, before, timeMs));
}

/** Commits quads and graphs unless nothing changes. Returns the state of the world afterwards. */
export function commitData(
  namespace: NamespaceState,
  before: WorldState,
  { delta, graphs }: DataChange,
  timeMs: number,
): WorldState {
  if (deltaSize(delta) === 0 && (graphs === before.graphs || graphs.equals(before.graphs))) return before;
  const revision = namespace.latestRevision + 1;
  const after = stateAfter(namespace, before, touched(before.record, revision, timeMs), graphs, delta);
  commit(namespace, { revision, timeMs, before, after, delta });
  return after;
}

/** Removes all worlds from memory. The storage, if any, must have deleted the namespace already. */
export function removeAllWorlds(namespace: NamespaceState, timeMs: number): void {
  for (const before of [...namespace.worlds.values()]) namespace.show(deletion(namespace, before, timeMs));
}

/** Throws CONFLICT if the world is not at the revision that the caller expects. */
export function requireRevision(state: WorldState, expected: number | undefined): void {
  const { slug, namespace, revision } = state.record;
  if (expected === undefined || expected === revision) return;
  throw new WorldsError(
    'CONFLICT',
    `The world ${namespace}/${slug} is at revision ${revision}, not at the expected ${expected}; read it again and repeat the change.`,
  );
}

/** Throws QUOTA_EXCEEDED, LIMIT_EXCEEDED or an error of the log, and changes nothing then. */
function commit(namespace: NamespaceState, change: Commit): void {
  namespace.quota?.requireRoom(namespace, change);
  const { inserted } = change.delta;
  // Deletions are always allowed, so that callers can free memory.
  if (inserted.length > 0 || !change.before) namespace.requireRoom(inserted.byteLength);
  namespace.log.append(change);
}

function deletion({ latestRevision }: NamespaceState, before: WorldState, timeMs: number): Commit {
  return { revision: latestRevision + 1, timeMs, before, after: undefined, delta: NO_DELTA };
}

function stateAfter(
  namespace: NamespaceState,
  before: WorldState | undefined,
  record: World,
  graphs: WorldGraphs,
  delta: Delta,
): WorldState {
  return { record, graphs, size: sizeAfter(namespace, before, { record, graphs }, delta) };
}

/** `updatedAt` never decreases, even if the clock does. */
function touched(record: World, revision: number, now: number): World {
  // A plain copy is fast; a copy with further fields in the same literal is not.
  const copy: { -readonly [Field in keyof World]: World[Field] } = { ...record };
  copy.revision = revision;
  copy.updatedAt = Math.max(now, record.updatedAt);
  return copy;
}
