import { type World, type Worlds, WorldsError } from '@rdf-worlds/core';
import type * as RDF from '@rdfjs/types';
import type { WorldName } from './world-name.ts';
import { inTurn } from './world-turns.ts';

/** The quads of a commit, and what its caller gets. */
export interface PlannedChange<Result> {
  readonly insert: readonly RDF.Quad[];
  readonly delete: readonly RDF.Quad[];
  /** Takes the revision of the commit; undefined if nothing had to be written. */
  readonly resultAt: (revision: number | undefined) => Result;
}

/** A change that finds another writer's commit starts again, this many times. */
const MAX_ATTEMPTS = 20;

/**
 * Changes a world depending on what is stored, as one commit, or none if there is nothing to
 * change. If another writer commits meanwhile, `plan` runs again. Throws `NOT_FOUND` if there is no
 * such world.
 */
export function changeWorld<Result>(
  engine: Pick<Worlds, 'getWorld' | 'write'>,
  world: WorldName,
  plan: (record: World) => Promise<PlannedChange<Result>>,
  signal: AbortSignal | undefined,
): Promise<Result> {
  return inTurn(engine, `${world.namespace}/${world.slug}`, async () => {
    for (let attempt = 1; ; attempt++) {
      const record = await engine.getWorld({ source: world });
      if (!record) {
        const name = `${world.namespace}/${world.slug}`;
        throw new WorldsError('NOT_FOUND', `There is no world ${name}; create it first, or check the name.`);
      }
      const { resultAt, ...quads } = await plan(record);
      if (quads.insert.length + quads.delete.length === 0) return resultAt(undefined);
      try {
        const { revision } = await engine.write({ source: world, ...quads, ifRevision: record.revision, signal });
        return resultAt(revision);
      } catch (error) {
        const isOvertaken = error instanceof WorldsError && error.code === 'CONFLICT';
        if (!isOvertaken || attempt === MAX_ATTEMPTS) throw error;
      }
    }
  });
}
