import { WorldsError } from '../model/worlds-error.ts';
import { type Moment, momentText } from './history/moment.ts';
import { type Past, readPast } from './history/read-past.ts';
import type { Namespace } from './namespace.ts';
import type { OpenSource } from './open-source.ts';
import type { World } from './world.ts';
import type { ResolvedSource } from './world-name.ts';

/** Opens a world as of a moment. Throws NOT_FOUND if it did not exist then. */
export function openPast(home: Namespace, past: Past, resolved: ResolvedSource, at: Moment): OpenSource {
  const { namespace, slug, write, schema } = resolved;
  const state = past.world(slug);
  if (!state) {
    throw new WorldsError('NOT_FOUND', `The world ${namespace}/${slug} did not exist at ${momentText(at)}.`);
  }
  const { snapshot, dictionary } = past;
  return { namespace, slug, write, schema, home, state, snapshot, dictionary };
}

/** Opens the worlds of a namespace as of a moment. */
export function allOfPast(home: Namespace, past: Past): OpenSource[] {
  const { snapshot, dictionary } = past;
  const rest = { namespace: home.name, write: undefined, schema: false, home, snapshot, dictionary };
  return Array.from(past.worlds(), ([slug, state]) => ({ slug, state, ...rest }));
}

/** Returns the records of the worlds of a namespace as of a moment, by slug. */
export function recordsAt(home: Namespace, at: Moment): World[] | Promise<World[]> {
  return readPast(home, at, (past) => {
    const records = Array.from(past.worlds().values(), ({ record }) => record);
    return records.sort((a, b) => (a.slug < b.slug ? -1 : 1));
  });
}
