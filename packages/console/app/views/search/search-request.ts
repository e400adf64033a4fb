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
  /** What was chosen of each facet; hits have one of the values. Empty: any. */
  readonly chosen: ChosenFacets;
  readonly limit: number;
}

const FACETS = ['types', 'predicates', 'worlds'] as const;
type FacetName = (typeof FACETS)[number];
export type ChosenFacets = Readonly<Record<FacetName, readonly string[]>>;

type Answer = readonly TripleSearchResult[] | { readonly hits: readonly TripleSearchResult[]; readonly facets: Facets };

/**
 * Searches, with the places of the matches and the facets. The last word may be unfinished. A facet
 * with chosen values is counted without them, so that its other values stay there to be chosen.
 */
export async function searchWorlds(fields: SearchFields, signal: AbortSignal): Promise<SearchAnswer> {
  const { chosen } = fields;
  const started = performance.now();
  const narrowed = FACETS.filter((facet) => chosen[facet].length > 0);
  const [answer, ...counts] = await Promise.all([
    asked(fields, { explain: true, facets: true }, signal),
    ...narrowed.map((facet) =>
      asked({ ...fields, limit: 1, chosen: { ...chosen, [facet]: [] } }, { facets: [facet] }, signal),
    ),
  ]);
  const tookMs = performance.now() - started;
  if (!('hits' in answer)) return { hits: answer, facets: undefined, tookMs };
  const facets: Facets = { ...answer.facets };
  for (const [i, facet] of narrowed.entries()) {
    const count = counts[i]!;
    if ('hits' in count) Object.assign(facets, { [facet]: count.facets[facet] });
  }
  return { hits: answer.hits, facets, tookMs };
}

async function asked(
  { query, worlds, chosen, limit }: SearchFields,
  options: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<Answer> {
  const { types, predicates } = chosen;
  const [namespace] = worlds[0]!.split('/');
  const response = await client.request(`/namespaces/${namespace}/worlds/search`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      query,
      sources: chosen.worlds.length > 0 ? chosen.worlds : worlds,
      limit,
      prefix: true,
      ...options,
      ...(types.length > 0 && { types }),
      ...(predicates.length > 0 && { predicates }),
    }),
    isIdempotent: true,
    signal,
  });
  return (await response.json()) as Answer;
}
