import { throwIfAborted, WorldsError } from '../model/worlds-error.ts';
import { Slicer } from '../storage/slicer.ts';
import { requireRevision } from './commit-changes.ts';
import type { Namespace } from './namespace.ts';
import { type OpenSource, worldNotFound } from './open-source.ts';
import type { WorldState } from './world-state.ts';

/** What is done to one world with its namespace's lock held. */
export type Change<Result> = (state: WorldState, home: Namespace, slicer: Slicer) => Promise<Result> | Result;

/** A change that is made very often, as an object: see {@link Namespace.enter}. */
export interface OftenMade<Result> {
  readonly run: Change<Result>;
}

/**
 * Runs a change of one world with its namespace's lock held. The world must still be the one that
 * the request opened: a world that was deleted and made again in the meantime is another one. Calls
 * about namespaces that are in memory get here at once, so that their changes come in the order of
 * the calls.
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
    home.requireOpen();
    throwIfAborted(signal);
    // Whoever writes waits for merges here, so that none outruns them.
    if (home.store.isBehind) await home.store.keepUp();
    const state = home.latest(opened.slug);
    if (!state || state.graphs.world !== opened.state.graphs.world) throw worldNotFound(opened);
    if (home.dropped) {
      throw new WorldsError(
        'CONFLICT',
        `The namespace ${home.name} was read again from its storage meanwhile; repeat the call.`,
      );
    }
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
 * The one world that an update writes: the only source that is not `schema`, unless it says
 * `write: false`; among several, the one that says `write: true`.
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
      ? 'An update writes exactly one world: say write: true on that one of the sources.'
      : 'An update needs a world to write to: name one in sources that is neither write: false nor schema: true.',
  );
}
