import { QuadBatch, WANT_OBJECT } from '../contracts/quad-batch.ts';
import { NO_TERM } from '../contracts/term-source.ts';
import { compareUnits } from '../model/code-point-order.ts';
import { dataFactory } from '../model/term.ts';
import { RDF_TYPE } from '../model/vocabulary.ts';
import type { DocumentHit } from '../search/search-query.ts';
import type { Namespace } from './namespace.ts';
import { readingOverlay } from './reading-overlay.ts';
import type { TripleSearchResult } from './triple-search-result.ts';

/** How many hits have a value. */
export interface FacetCount {
  /** The IRI of a type or predicate, or the name of a world: `namespace/slug`. */
  readonly value: string;
  readonly count: number;
}

/** Hits of a search by type of their subject, by predicate and by world. */
export interface SearchFacets {
  /** Number of hits that were counted: those of the search, and no more than the best 1000. */
  readonly hits: number;
  /** Highest counts first, at most 100. A subject may have several types. */
  readonly types: readonly FacetCount[];
  readonly predicates: readonly FacetCount[];
  readonly worlds: readonly FacetCount[];
}

/** Values of one facet. */
export const MAX_FACET_VALUES = 100;
/** Types of one subject. */
const MAX_TYPES = 64;

/** Returns the IRIs of the types of hits of a namespace in their worlds, in any graph. */
export function typesOfHits(home: Namespace): (hit: DocumentHit) => readonly string[] {
  const overlay = readingOverlay(home.store.dictionary);
  const type = overlay.find(dataFactory.namedNode(RDF_TYPE));
  const batch = new QuadBatch(MAX_TYPES, WANT_OBJECT);
  const cursors = new Map<number, ReturnType<ReturnType<typeof home.store.view>['cursor']>>();
  return ({ world, subject }) => {
    const state = home.worldOf(world);
    if (!state || type === NO_TERM) return [];
    let cursor = cursors.get(world);
    if (!cursor) cursors.set(world, (cursor = home.store.view(overlay, [state.graphs]).cursor()));
    cursor.seek(subject, type, NO_TERM, NO_TERM);
    cursor.next(batch);
    const types = new Set<string>();
    for (let row = 0; row < batch.length; row++) {
      const term = overlay.term(batch.object[row]);
      if (term.termType === 'NamedNode') types.add(term.value);
    }
    return [...types];
  };
}

/** Counts hits. */
export function facetsOf(
  hits: readonly TripleSearchResult[],
  typesOf: (hit: TripleSearchResult) => readonly string[],
): SearchFacets {
  const types = new Map<string, number>();
  const predicates = new Map<string, number>();
  const worlds = new Map<string, number>();
  const add = (counts: Map<string, number>, value: string) => counts.set(value, (counts.get(value) ?? 0) + 1);
  for (const hit of hits) {
    for (const type of typesOf(hit)) add(types, type);
    add(predicates, hit.predicate);
    add(worlds, `${hit.world.namespace}/${hit.world.slug}`);
  }
  return { hits: hits.length, types: ordered(types), predicates: ordered(predicates), worlds: ordered(worlds) };
}

function ordered(counts: ReadonlyMap<string, number>): FacetCount[] {
  return Array.from(counts, ([value, count]) => ({ value, count }))
    .sort((a, b) => b.count - a.count || compareUnits(a.value, b.value))
    .slice(0, MAX_FACET_VALUES);
}
