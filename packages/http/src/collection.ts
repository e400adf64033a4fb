import { WorldsError } from '@rdf-worlds/core';
import type { Call } from './call.ts';
import type { NamedWorld } from './named-world.ts';

/** How often a collection is listed anew when one of its worlds goes away in the meantime. */
const ATTEMPTS = 5;

/** The worlds of a namespace that the caller may read, by slug. */
export async function readableWorlds({ engine, access }: Call, namespace: string): Promise<NamedWorld[]> {
  const worlds: NamedWorld[] = [];
  for await (const { slug } of engine.worlds({ namespace })) {
    if (access.may('read', { namespace, slug })) worlds.push({ namespace, slug });
  }
  return worlds;
}

/**
 * Runs work over the worlds of a namespace that the caller may read: they were not named, so one
 * that is deleted at this moment is no error.
 */
export async function overCollection<Result>(
  call: Call,
  namespace: string,
  work: (worlds: readonly NamedWorld[]) => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work(await readableWorlds(call, namespace));
    } catch (error) {
      if (!(error instanceof WorldsError && error.code === 'NOT_FOUND') || attempt === ATTEMPTS) throw error;
    }
  }
}
