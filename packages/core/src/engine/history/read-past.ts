import { runAtOnce, Slicer } from '../../contracts/slicer.ts';
import { WorldsError } from '../../model/worlds-error.ts';
import type { Dictionary } from '../../quads/dictionary.ts';
import type { Snapshot } from '../../quads/snapshot.ts';
import type { NamespaceState } from '../namespace-state.ts';
import type { WorldState } from '../world-state.ts';
import type { History } from './history.ts';
import { type Moment, momentText } from './moment.ts';

/** Up to this many rows are added up without a pause. */
const AT_ONCE_ROWS = 4096;
/** Memory of a row while it is added up, in bytes. */
const SUMMED_ROW_BYTES = 60;

/** A namespace as of a moment. Valid only within the call that received it. */
export interface Past {
  readonly revision: number;
  readonly snapshot: Snapshot;
  /** The dictionary for the ids of that time: no term is freed while the history needs it. */
  readonly dictionary: Dictionary;
  /**
   * Returns the world that had this name then; undefined if another world has had the name since.
   * Permissions are granted by name, and those for the later world must not open the earlier one.
   */
  world(slug: string): WorldState | undefined;
  /** All worlds of that time for which {@link world} returns one, by slug, in no order. */
  worlds(): Map<string, WorldState>;
}

/**
 * Calls `read` with the state of a namespace at a moment, synchronously unless the commits since
 * changed much. Throws TRUNCATED if the moment is before the oldest one that is kept,
 * INVALID_ARGUMENT if it is in the future, LIMIT_EXCEEDED if the memory limit does not allow adding
 * up what changed since, ABORTED if the signal fires.
 */
export function readPast<Result>(
  home: NamespaceState,
  at: Moment,
  read: (past: Past) => Result,
  signal?: AbortSignal,
): Result | Promise<Result> {
  home.expireHistory();
  const { history } = home;
  if (!history) return read(presentAt(home, at));
  const position = positionOf(home, history, at);
  if (history.workSince(position) <= AT_ONCE_ROWS) return read(pastAt(home, history, position));
  return readInSlices(home, history, { at, position }, read, signal);
}

function readInSlices<Result>(
  home: NamespaceState,
  history: History,
  { at, position }: { readonly at: Moment; readonly position: number },
  read: (past: Past) => Result,
  signal: AbortSignal | undefined,
): Promise<Result> {
  // One at a time in a namespace: requests for many moments would otherwise hold a sum each.
  return history.adding.run(async () => {
    const slicer = new Slicer(signal);
    // Commits that arrive meanwhile are added in another round.
    for (;;) {
      if (!history.has(position)) throw noLongerKept(home, at);
      const rows = history.workSince(position);
      if (rows <= AT_ONCE_ROWS) return read(pastAt(home, history, position));
      const reservation = home.memory?.reserve(home);
      try {
        reservation?.resize(rows * SUMMED_ROW_BYTES);
        await slicer.run(history.sumSince(position));
      } finally {
        reservation?.release();
      }
    }
  }, signal);
}

function pastAt(home: NamespaceState, history: History, position: number): Past {
  const { store } = home;
  const sum = runAtOnce(history.sumSince(position));
  return {
    revision: history.revisionAt(position),
    snapshot: history.snapshotBefore(sum, store.snapshot),
    dictionary: store.dictionary,
    world: (slug) => {
      const now = home.worlds.get(slug);
      const found = history.worldAt(position, slug);
      const state = found === null ? now : found;
      const last = now?.graphs.world ?? history.lastWorldOf(slug);
      return state?.graphs.world === last ? state : undefined;
    },
    worlds: () => {
      const worlds = new Map(home.worlds);
      const last = new Map(Array.from(worlds, ([slug, { graphs }]) => [slug, graphs.world]));
      for (const { before, after } of [...history.since(position)].reverse()) {
        const { record, graphs } = (after ?? before)!;
        if (!last.has(record.slug)) last.set(record.slug, graphs.world);
        if (before) worlds.set(record.slug, before);
        else worlds.delete(record.slug);
      }
      for (const [slug, { graphs }] of worlds) if (last.get(slug) !== graphs.world) worlds.delete(slug);
      return worlds;
    },
  };
}

/** The only state that can be read without a history. */
function presentAt(home: NamespaceState, at: Moment): Past {
  const { revision, worlds, store, name } = home;
  if (typeof at === 'number' && at > revision) throw inTheFuture(home, at);
  if (at !== revision) {
    throw new WorldsError(
      'TRUNCATED',
      `The namespace ${name} cannot be read as of ${momentText(at)}: only its current revision, ${revision}, is kept. Open the engine with the option history to keep earlier ones.`,
      { revision, oldestRevision: revision },
    );
  }
  return {
    revision,
    snapshot: store.snapshot,
    dictionary: store.dictionary,
    world: (slug) => worlds.get(slug),
    worlds: () => new Map(worlds),
  };
}

/** Returns the position in the history of the state at a moment. Throws as {@link readPast}. */
export function positionOf(home: NamespaceState, history: History, at: Moment): number {
  if (typeof at === 'number') {
    if (at > home.revision) throw inTheFuture(home, at);
    if (at < history.oldestRevision) throw noLongerKept(home, at);
    return history.positionOfRevision(at);
  }
  const timeMs = at.getTime();
  if (timeMs > history.nowMs) throw inTheFuture(home, at);
  if (timeMs < history.oldestMs) throw noLongerKept(home, at);
  return history.positionOfTime(timeMs);
}

function noLongerKept({ name, history }: NamespaceState, at: Moment): WorldsError {
  const { oldestRevision, oldestMs } = history!;
  const since = Number.isFinite(oldestMs) ? ` (${new Date(oldestMs).toISOString()})` : '';
  return new WorldsError(
    'TRUNCATED',
    `The namespace ${name} is no longer kept as of ${momentText(at)}; the oldest revision that is kept is ${oldestRevision}${since}. See the option history of the engine.`,
    { revision: oldestRevision, oldestRevision },
  );
}

function inTheFuture({ name, revision }: NamespaceState, at: Moment): WorldsError {
  return new WorldsError(
    'INVALID_ARGUMENT',
    // A date says nothing of revisions, which not all callers of a service may know.
    typeof at === 'number'
      ? `at: ${momentText(at)} is in the future of the namespace ${name}, which is at revision ${revision}.`
      : `at: ${momentText(at)} is in the future.`,
  );
}
