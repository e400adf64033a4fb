import type { World } from '@rdf-worlds/core';

/**
 * Returns a world as the engine does. Callers that may not read the whole namespace are not told
 * revisions, which count its changes: theirs is NaN, which no condition accepts.
 */
export function worldAnswer(world: Omit<World, 'revision'> & { readonly revision?: number }): World {
  return { ...world, revision: world.revision ?? Number.NaN };
}

/** Returns a number of a header; NaN if the server does not tell it. */
export function countOf(headers: Headers, name: string): number {
  return Number(headers.get(name) ?? Number.NaN);
}

/** Returns the notes of an import. */
export function notesOf(headers: Headers): readonly string[] {
  const notes = headers.get('rdf-worlds-notes');
  return notes === null ? [] : (JSON.parse(notes) as string[]);
}
