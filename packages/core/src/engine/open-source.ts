import { WorldsError } from '../model/worlds-error.ts';
import type { Dictionary } from '../quads/dictionary.ts';
import type { Snapshot } from '../quads/snapshot.ts';
import type { Namespace } from './namespace.ts';
import type { ResolvedSource } from './world-name.ts';
import type { WorldState } from './world-state.ts';

/** A resolved source of a request, with the state of its world when it was opened. */
export interface OpenSource extends ResolvedSource {
  readonly home: Namespace;
  readonly state: WorldState;
  /**
   * The quads as of the same moment. A request may wait before it reads, and graphs and quads must
   * be consistent.
   */
  readonly snapshot: Snapshot;
  /**
   * The dictionary for the ids in `state` and `snapshot`. A compaction may replace the namespace's
   * dictionary before the request reads.
   */
  readonly dictionary: Dictionary;
}

/** Opens all worlds of a namespace. */
export function allSourcesOf(home: Namespace): OpenSource[] {
  const { name: namespace, store } = home;
  const { snapshot, dictionary } = store;
  const rest = { namespace, write: undefined, schema: false, home, snapshot, dictionary };
  return Array.from(home.worlds, ([slug, state]) => ({ slug, state, ...rest }));
}

export function namespaceNotFound(name: string): WorldsError {
  return new WorldsError('NOT_FOUND', `There is no namespace ${name}.`);
}

/** @param elsewhere a hint where the world may be instead, starting with a space */
export function worldNotFound({ namespace, slug }: { namespace: string; slug: string }, elsewhere = ''): WorldsError {
  return new WorldsError(
    'NOT_FOUND',
    `There is no world ${namespace}/${slug}; create it first, or check the name.${elsewhere}`,
  );
}
