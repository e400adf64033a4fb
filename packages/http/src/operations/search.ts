import type { SearchFacets, TripleSearchResult } from '@rdf-worlds/core';
import type { Call } from '../call.ts';
import { overCollection } from '../collection.ts';
import { longJsonReply } from '../json-chunks.ts';
import type { NamedWorld } from '../named-world.ts';
import { jsonReply, type Reply, searchBody } from '../reply.ts';
import { parseBody, SearchPostBody } from '../schemas.ts';
import { namespacesOf, requireFewSources, resolveScope } from './scope.ts';
import { jsonBody } from './target.ts';
import { upToDate } from './up-to-date.ts';

/** Returns the best-ranked triples for a text among the worlds of the request. */
export async function searchWorlds(call: Call): Promise<Reply> {
  const body = await jsonBody(call);
  requireFewSources(body, call.limits);
  const { sources, namespace, canonicalOrder, consistency, facets, ...rest } = parseBody(SearchPostBody, body);
  const scope = resolveScope(call, sources, namespace);
  for (const source of scope.sources ?? []) call.access.require('read', source);
  await upToDate(call, namespacesOf(scope), consistency);
  const { engine, signal, access } = call;
  const counted = facets === true ? FACETS : facets || [];
  const search = async (worlds: readonly NamedWorld[]): Promise<Found> => {
    const request = { ...rest, sources: worlds, canonicalOrder: canonicalOrder || access.hides(worlds), signal };
    const hits = await engine.search(request);
    return { hits, facets: counted.length > 0 ? await engine.searchFacets(request) : undefined };
  };
  const found = scope.sources ? await search(scope.sources) : await overCollection(call, scope.namespace, search);
  call.record.rows = found.hits.length;
  const hits = searchBody(call, found.hits);
  const units = found.hits.reduce((sum, { object }) => sum + object.length, 0);
  const reply = (body: object) => (units <= MAX_WHOLE_UNITS ? jsonReply(body) : longJsonReply(call, body));
  if (!found.facets) return reply(facets === undefined || facets === false ? hits : { hits });
  const { facets: all } = found;
  const shown = Object.fromEntries(counted.map((facet) => [facet, all[facet]]));
  return reply({ hits, facets: { hits: all.hits, ...shown } });
}

/** UTF-16 units of literals in a reply that is sent whole. */
const MAX_WHOLE_UNITS = 1 << 18;

const FACETS = ['types', 'predicates', 'worlds'] as const;

interface Found {
  readonly hits: readonly TripleSearchResult[];
  readonly facets: SearchFacets | undefined;
}
