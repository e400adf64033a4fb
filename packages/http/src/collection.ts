import { type Moment, WorldsError } from '@rdf-worlds/core';
import type { Call } from './call.ts';
import type { NamedWorld } from './named-world.ts';

/** Attempts to list a collection when one of its worlds is deleted concurrently. */
const ATTEMPTS = 5;

/** Returns the worlds of a namespace that the caller may read, by slug. */
export async function readableWorlds({ engine, access }: Call, namespace: string, at?: Moment): Promise<NamedWorld[]> {
  const worlds: NamedWorld[] = [];
  for await (const { slug } of engine.worlds({ namespace, at })) {
    if (access.may('read', { namespace, slug })) worlds.push({ namespace, slug });
  }
  return worlds;
}

/**
 * Runs work over all worlds of a namespace that the caller may read. A world deleted concurrently
 * is not an error, since the request did not name it.
 */
export async function overCollection<Result>(
  call: Call,
  namespace: string,
  work: (worlds: readonly NamedWorld[]) => Promise<Result>,
  at?: Moment,
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work(await readableWorlds(call, namespace, at));
    } catch (error) {
      if (!(error instanceof WorldsError && error.code === 'NOT_FOUND') || attempt === ATTEMPTS) throw error;
    }
  }
}
