import { Slicer } from '../contracts/slicer.ts';
import { turns } from '../contracts/turns.ts';
import { throwIfAborted, WorldsError } from '../model/worlds-error.ts';
import { requireRevision } from './commit-changes.ts';
import type { Namespace } from './namespace.ts';
import { type OpenSource, worldNotFound } from './open-source.ts';
import { Overtaken } from './overtaken.ts';
import type { WorldState } from './world-state.ts';

/** A change of one world. Runs with the namespace lock held. */
export type Change<Result> = (state: WorldState, home: Namespace, slicer: Slicer) => Promise<Result> | Result;

/** A frequent change, as an object instead of a closure; see {@link Namespace.enter}. */
export interface OftenMade<Result> {
  readonly run: Change<Result>;
}

/**
 * Runs a change of one world with the namespace lock held. Throws NOT_FOUND unless the world is
 * still the one that the request opened: a world that was deleted and recreated meanwhile is a
 * different one. If the namespace is loaded, the lock is requested synchronously, so changes happen
 * in the order of the calls.
 */
export async function withWorldLocked<Result>(
  opened: OpenSource,
  { ifRevision, signal }: { ifRevision?: number; signal?: AbortSignal },
  change: Change<Result> | OftenMade<Result>,
): Promise<Result> {
  const { home } = opened;
  const turn = home.enter(signal);
  if (turn) await turn;
  try {
    const wait = turn && turns.goOn(signal);
    if (wait) await wait;
    home.requireOpen();
    throwIfAborted(signal);
    // Backpressure: writers wait here for background merges, so that commits cannot outpace them.
    if (home.store.isBehind) await home.store.keepUp();
    const state = home.latest(opened.slug);
    if (!state || state.graphs.world !== opened.state.graphs.world) throw worldGone(opened);
    // It was reloaded from its storage.
    if (home.dropped) throw new Overtaken(home.name);
    requireRevision(state, ifRevision);
    const slicer = new Slicer(signal);
    const result = typeof change === 'function' ? change(state, home, slicer) : change.run(state, home, slicer);
    return result instanceof Promise ? await result : result;
  } finally {
    const durable = home.leave();
    if (durable) await durable;
  }
}

/**
 * Returns the error for a world that is no longer the one that a request opened. If others may
 * write to its namespace, the request may have opened one that was gone before, and must look
 * again.
 */
export function worldGone(opened: OpenSource): WorldsError {
  return opened.home.log.isShared ? new Overtaken(opened.namespace) : worldNotFound(opened);
}

/**
 * Returns the target world of an update: the only source that is not `schema`, unless it has
 * `write: false`; if there are several, the one with `write: true`.
 */
export function updateTarget(sources: readonly OpenSource[]): OpenSource {
  const [first] = sources;
  if (sources.length === 1 && !first.schema && first.write !== false) return first;
  const data = sources.filter(({ schema }) => !schema);
  const targets =
    data.length === 1 ? data.filter(({ write }) => write !== false) : data.filter(({ write }) => write === true);
  if (targets.length === 1) return targets[0];
  throw new WorldsError(
    'INVALID_ARGUMENT',
    data.length > 1
      ? 'An update writes exactly one world: set write: true on one of the sources.'
      : 'An update needs a world to write to: name one in sources that is neither write: false nor schema: true.',
  );
}
