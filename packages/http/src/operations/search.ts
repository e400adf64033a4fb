import type { Call } from '../call.ts';
import { overCollection } from '../collection.ts';
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
  const { sources, namespace, canonicalOrder, consistency, ...rest } = parseBody(SearchPostBody, body);
  const scope = resolveScope(call, sources, namespace);
  for (const source of scope.sources ?? []) call.access.require('read', source);
  await upToDate(call, namespacesOf(scope), consistency);
  const { engine, signal, access } = call;
  const search = (worlds: readonly NamedWorld[]) =>
    engine.search({ ...rest, sources: worlds, canonicalOrder: canonicalOrder || access.hides(worlds), signal });
  const hits = scope.sources ? await search(scope.sources) : await overCollection(call, scope.namespace, search);
  call.record.rows = hits.length;
  return jsonReply(searchBody(call, hits));
}
