import { WorldsError } from '../model/worlds-error.ts';
import { type Delta, deltaSize } from '../quads/merge-runs.ts';
import { EMPTY_RUN } from '../quads/run.ts';
import { WorldGraphs } from '../quads/world-graphs.ts';
import type { Namespace, WorldState } from './namespace.ts';
import type { World } from './world.ts';
import { sizeAfter } from './world-size.ts';

/**
 * The one door for writes. Every function here runs with the namespace's lock held and ends in one synchronous step that puts quads, graphs and record
 * together under one new revision. Without storage that step also shows them to everyone; with storage the journal does, once they are durable.
 */

/** What one commit does to one world. Immutable. */
export interface Commit {
  /** The namespace's revision after it. */
  readonly revision: number;
  /** Milliseconds since the epoch. */
  readonly timeMs: number;
  /** Undefined when the world is new. */
  readonly before: WorldState | undefined;
  /** Undefined when the world is gone. */
  readonly after: WorldState | undefined;
  /** Exact for the snapshot before it. A world that goes takes its quads along: they are not in here. */
  readonly delta: Delta;
}

/** What a data commit brings: exact for the namespace's latest snapshot, in shared ids. */
export interface DataChange {
  readonly delta: Delta;
  readonly graphs: WorldGraphs;
}

/** The fields of a record that a caller sets. */
export type WorldFields = Pick<World, 'label' | 'description'>;

const NO_DELTA: Delta = { inserted: EMPTY_RUN, deleted: EMPTY_RUN };
const NO_GRAPHS = new Uint32Array(0);

export function commitNewWorld(namespace: Namespace, slug: string, fields: WorldFields, timeMs: number): WorldState {
  const revision = namespace.latestRevision + 1;
  const graphs = new WorldGraphs(namespace.nextWorld++, namespace.store.allocateContext(), NO_GRAPHS, NO_GRAPHS);
  const record: World = { slug, namespace: namespace.name, ...fields, createdAt: timeMs, updatedAt: timeMs, revision };
  const after = stateAfter(namespace, undefined, record, graphs, NO_DELTA);
  commit(namespace, { revision, timeMs, before: undefined, after, delta: NO_DELTA });
  return after;
}

export function commitRecord(
  namespace: Namespace,
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

export function commitDeletion(namespace: Namespace, before: WorldState, timeMs: number): void {
  commit(namespace, {
    revision: namespace.latestRevision + 1,
    timeMs,
    before,
    after: undefined,
    delta: NO_DELTA,
  });
}

/** Takes all worlds out of memory, when the storage has forgotten the namespace or there is none. */
export function removeAllWorlds(namespace: Namespace, timeMs: number): void {
  for (const before of [...namespace.worlds.values()]) {
    const revision = namespace.latestRevision + 1;
    show(namespace, { revision, timeMs, before, after: undefined, delta: NO_DELTA });
  }
}

/** Commits quads and graphs; what changes nothing is no commit. Returns the world's state afterwards. */
export function commitData(
  namespace: Namespace,
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

function stateAfter(
  namespace: Namespace,
  before: WorldState | undefined,
  record: World,
  graphs: WorldGraphs,
  delta: Delta,
): WorldState {
  return { record, graphs, size: sizeAfter(namespace, before, { record, graphs }, delta) };
}

/** Throws QUOTA_EXCEEDED and LIMIT_EXCEEDED; then nothing has happened. */
function commit(namespace: Namespace, change: Commit): void {
  namespace.quota?.requireRoom(namespace, change);
  if (namespace.journal) {
    namespace.journal.append(change);
    return;
  }
  const { inserted } = change.delta;
  // Deletions always fit: they are the way out.
  if (inserted.length > 0 || !change.before) namespace.requireRoom(inserted.byteLength);
  show(namespace, change);
}

/** Makes a commit the latest and visible, in one step. */
export function show(namespace: Namespace, change: Commit): void {
  namespace.advance(change);
  namespace.publish(change, namespace.store.latest);
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
  // A copy of an object alone is fast; one with other fields named beside it is not.
  const copy: { -readonly [Field in keyof World]: World[Field] } = { ...record };
  copy.revision = revision;
  copy.updatedAt = Math.max(now, record.updatedAt);
  return copy;
}
