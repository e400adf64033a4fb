import { WorldsError } from '../model/worlds-error.ts';
import type { Dictionary } from '../quads/dictionary.ts';
import type { Snapshot } from '../quads/snapshot.ts';
import type { Namespace } from './namespace.ts';
import type { ResolvedSource } from './world-name.ts';
import type { WorldState } from './world-state.ts';

/** A source of a request, found, with its state at that moment. */
export interface OpenSource extends ResolvedSource {
  readonly home: Namespace;
  readonly state: WorldState;
  /**
   * The quads at the same moment: a request may wait before it reads, and must not read graphs and
   * quads of two moments.
   */
  readonly snapshot: Snapshot;
  /**
   * What the ids of state and snapshot mean: a compaction may renew the dictionary before the
   * request reads.
   */
  readonly dictionary: Dictionary;
}

/** All worlds of a namespace. */
export function allSourcesOf(home: Namespace): OpenSource[] {
  const { name: namespace, store } = home;
  const { snapshot, dictionary } = store;
  const rest = { namespace, write: undefined, schema: false, home, snapshot, dictionary };
  return Array.from(home.worlds, ([slug, state]) => ({ ...rest, slug, state }));
}

export function namespaceNotFound(name: string): WorldsError {
  return new WorldsError('NOT_FOUND', `There is no namespace ${name}.`);
}

/** @param elsewhere where the caller may find it instead */
export function worldNotFound({ namespace, slug }: { namespace: string; slug: string }, elsewhere = ''): WorldsError {
  return new WorldsError(
    'NOT_FOUND',
    `There is no world ${namespace}/${slug}; create it first, or check the name.${elsewhere}`,
  );
}
