import type { World } from '@rdf-worlds/core';
import { forEachPrincipal } from './own.ts';
import { client } from './service.ts';

const sizes = new Map<string, Promise<number>>();

forEachPrincipal(() => sizes.clear());

const COUNT = 'SELECT (COUNT(*) AS ?quads) { { ?s ?p ?o } UNION { GRAPH ?g { ?s ?p ?o } } }';

/** Returns the number of quads of a world; counted once for each of its states. */
export function worldSize({ namespace, slug, updatedAt, revision }: World): Promise<number> {
  const key = `${namespace}/${slug} ${updatedAt} ${revision}`;
  let size = sizes.get(key);
  if (!size) {
    size = counted(`${namespace}/${slug}`);
    // Callers that are not told revisions could not see that data changed.
    if (!Number.isNaN(revision)) sizes.set(key, size);
    size.catch(() => sizes.delete(key));
  }
  return size;
}

async function counted(name: string): Promise<number> {
  const [row] = await (await client.select({ sources: [name], query: COUNT })).array();
  return Number(row?.get('quads')?.value ?? Number.NaN);
}
