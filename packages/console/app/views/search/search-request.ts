import type { TripleSearchResult } from '@rdf-worlds/core';
import { client } from '../../session/service.ts';

/** How many hits have a value. */
export interface FacetCount {
  readonly value: string;
  readonly count: number;
}

/** The counts of a search; absent where the server counts none. */
export interface Facets {
  readonly hits: number;
  readonly types?: readonly FacetCount[];
  readonly predicates?: readonly FacetCount[];
  readonly worlds?: readonly FacetCount[];
}

export interface SearchAnswer {
  readonly hits: readonly TripleSearchResult[];
  readonly facets: Facets | undefined;
  /** Of the whole exchange. */
  readonly tookMs: number;
}

export interface SearchFields {
  readonly query: string;
  readonly worlds: readonly string[];
  readonly types: readonly string[];
  readonly predicates: readonly string[];
  readonly limit: number;
}

/** Searches, with the places of the matches and the facets. The last word may be unfinished. */
export async function searchWorlds(fields: SearchFields, signal: AbortSignal): Promise<SearchAnswer> {
  const { query, worlds, types, predicates, limit } = fields;
  const started = performance.now();
  const [namespace] = worlds[0]!.split('/');
  const response = await client.request(`/namespaces/${namespace}/worlds/search`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      query,
      sources: worlds,
      limit,
      prefix: true,
      explain: true,
      facets: true,
      ...(types.length > 0 && { types }),
      ...(predicates.length > 0 && { predicates }),
    }),
    isIdempotent: true,
    signal,
  });
  const answer = (await response.json()) as
    | readonly TripleSearchResult[]
    | { readonly hits: readonly TripleSearchResult[]; readonly facets: Facets };
  const tookMs = performance.now() - started;
  return 'hits' in answer ? { ...answer, tookMs } : { hits: answer, facets: undefined, tookMs };
}
