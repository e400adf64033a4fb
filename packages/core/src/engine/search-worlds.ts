import { QuadBatch } from '../contracts/quad-batch.ts';
import { Slicer } from '../contracts/slicer.ts';
import { NO_TERM, type TermId, type TermSource } from '../contracts/term-source.ts';
import { turns } from '../contracts/turns.ts';
import { compareUnits } from '../model/code-point-order.ts';
import { type RequestMemory, textBytes } from '../model/memory-budget.ts';
import { dataFactory } from '../model/term.ts';
import { RDF_TYPE, RDFS } from '../model/vocabulary.ts';
import type { Overlay } from '../quads/overlay.ts';
import type { FieldOptions } from '../search/fields/field-weights.ts';
import type { FeedbackOptions, Fusion } from '../search/ranking-options.ts';
import type { DocumentHit } from '../search/search-query.ts';
import type { Namespace } from './namespace.ts';
import type { OpenSource } from './open-source.ts';
import { readingOverlay } from './reading-overlay.ts';
import type { RequestedWorlds } from './requested-worlds.ts';
import { facetsOf, type SearchFacets, typesOfHits } from './search-facets.ts';
import type { TripleSearchResult } from './triple-search-result.ts';
import { TypeInstances } from './type-instances.ts';
import type { World } from './world.ts';

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 1000;

export interface SearchWork {
  readonly query: string;
  /** Default 20, at most 1000. */
  readonly limit?: number;
  readonly subjects?: readonly string[];
  readonly predicates?: readonly string[];
  readonly types?: readonly string[];
  readonly fusion?: Fusion;
  readonly fields?: FieldOptions;
  readonly feedback?: boolean | FeedbackOptions;
  readonly prefix?: boolean;
  readonly explain?: boolean;
  readonly canonicalOrder?: boolean;
  readonly signal?: AbortSignal;
}

/**
 * Searches the worlds of a request. Schema sources expand the filters but are not searched. The
 * sets for a type filter are claimed from `memory`, which is released at the end.
 */
export async function searchWorlds(
  request: SearchWork,
  requested: RequestedWorlds,
  memory: RequestMemory,
): Promise<TripleSearchResult[]> {
  try {
    return await searchAll(request, requested, memory);
  } finally {
    memory.release();
  }
}

/** Counts the hits of a search, up to the highest limit, by type, predicate and world. */
export async function searchFacets(
  request: SearchWork,
  requested: RequestedWorlds,
  memory: RequestMemory,
): Promise<SearchFacets> {
  const types = new Map<TripleSearchResult, readonly string[]>();
  try {
    const hits = await searchAll({ ...request, limit: MAX_LIMIT, explain: false }, requested, memory, types);
    return facetsOf(hits, (hit) => types.get(hit) ?? []);
  } finally {
    memory.release();
  }
}

async function searchAll(
  request: SearchWork,
  requested: RequestedWorlds,
  memory: RequestMemory,
  /** Receives the types of the hits. */
  hitTypes?: Map<TripleSearchResult, readonly string[]>,
): Promise<TripleSearchResult[]> {
  const turn = turns.begin(request.signal);
  if (turn) await turn;
  const limit = Math.min(request.limit ?? DEFAULT_LIMIT, MAX_LIMIT);
  const { predicates, types } = request;
  const { collection } = requested;
  // A whole namespace has no schema sources, and the list of its worlds is not needed.
  if (collection) {
    const work = { request, limit, requested, memory, predicates, types, hitTypes };
    return collection.use(() => searchNamespace(collection, undefined, work));
  }
  const { sources: all } = requested;
  const schemas = all.filter(({ schema }) => schema);
  const work = {
    request,
    limit,
    requested,
    memory,
    hitTypes,
    predicates: predicates && widen(predicates, `${RDFS}subPropertyOf`, schemas),
    types: types && widen(types, `${RDFS}subClassOf`, schemas),
  };
  const byNamespace = requested.searched;
  let results: TripleSearchResult[] = [];
  for (const [home, sources] of byNamespace) {
    const own = await home.use(() => searchNamespace(home, sources, work));
    results = byNamespace.size === 1 ? own : results.concat(own);
  }
  // The hits of one namespace are ranked already. Those of several are merged by score; ties are
  // broken by name, so that the order is stable.
  if (byNamespace.size > 1) results.sort((a, b) => b.score - a.score || compareNames(a, b));
  return results.length > limit ? results.slice(0, limit) : results;
}

/** A request whose filters were expanded by the schema sources. */
interface WidenedSearch {
  readonly request: SearchWork;
  readonly limit: number;
  readonly requested: RequestedWorlds;
  readonly memory: RequestMemory;
  readonly predicates: readonly string[] | undefined;
  readonly types: readonly string[] | undefined;
  readonly hitTypes: Map<TripleSearchResult, readonly string[]> | undefined;
}

async function searchNamespace(
  home: Namespace,
  /** Undefined for the whole namespace. */
  sources: readonly OpenSource[] | undefined,
  { request, limit, requested, memory, predicates, types, hitTypes }: WidenedSearch,
): Promise<TripleSearchResult[]> {
  const { query, subjects, fusion, fields, feedback, prefix, explain, canonicalOrder, signal } = request;
  const worlds = sources && Uint32Array.from(sources, ({ state }) => state.graphs.world);
  let search = await home.search.current(worlds, signal);
  // Many searches may have waited for the same index.
  const turn = turns.begin(signal);
  if (turn) {
    await turn;
    search = await home.search.current(worlds, signal);
  }
  // All sources of a namespace were opened at the same moment and share its dictionary.
  const asked = sources ?? (types && requested.sources);
  const overlay = readingOverlay(asked?.[0]?.dictionary ?? home.store.dictionary);
  const { hits, terms = overlay } = await search.search({
    query,
    limit,
    // Explicit sources are passed by number even if they are all worlds, because worlds may be
    // added while this waits for the index.
    worlds: worlds ?? null,
    subjects: subjects && idsOf(subjects, overlay),
    predicates: predicates && idsOf(predicates, overlay),
    subjectsByWorld: types && instancesOf(types, { home, sources: asked!, overlay, memory }),
    fusion,
    fields,
    feedback,
    prefix,
    explainHits: explain,
    canonicalOrder,
    signal,
    memory,
  });
  const results: TripleSearchResult[] = [];
  const typesOf = hitTypes && typesOfHits(home);
  const slicer = new Slicer(signal);
  for (const hit of hits) {
    // Texts may be megabytes long.
    if (slicer.due) await slicer.pause();
    // Skips worlds that were deleted during the search.
    const world = home.worldOf(hit.world)?.record;
    if (!world) continue;
    const result = toResult(hit, world, terms);
    memory.claimMemory(textBytes(result.object.length));
    results.push(result);
    if (typesOf) hitTypes!.set(result, typesOf(hit));
  }
  return results;
}

function toResult(hit: DocumentHit, world: World, terms: TermSource): TripleSearchResult {
  const { vecRank, ftsRank, score, explanation } = hit;
  const subject = terms.term(hit.subject).value;
  const predicate = terms.term(hit.predicate).value;
  const object = terms.term(hit.object).value;
  const result = { subject, predicate, object, vecRank, ftsRank, score, world };
  return explanation ? { ...result, explanation } : result;
}

/**
 * Returns the ids of IRIs and of blank-node labels (as in results, with or without `_:`). Omits
 * names that are not in the store.
 */
function idsOf(names: readonly string[], overlay: Overlay): ReadonlySet<TermId> {
  const ids = new Set<TermId>();
  for (const name of names) {
    // Every IRI in the store is absolute, and no label of a blank node has a colon.
    const isIri = name.includes(':') && !name.startsWith('_:');
    const term = isIri ? dataFactory.namedNode(name) : dataFactory.blankNode(name.replace(/^_:/, ''));
    const id = overlay.find(term);
    if (id !== NO_TERM) ids.add(id);
  }
  return ids;
}

interface InstancesWork {
  readonly home: Namespace;
  readonly sources: readonly OpenSource[];
  readonly overlay: Overlay;
  readonly memory: RequestMemory;
}

/** Returns a test: whether a subject has one of the types in its world, in any graph. */
function instancesOf(
  types: readonly string[],
  { home, sources, overlay, memory }: InstancesWork,
): (world: number, subject: TermId) => boolean {
  const type = overlay.find(dataFactory.namedNode(RDF_TYPE));
  const classes = [...idsOf(types, overlay)];
  if (type === NO_TERM || classes.length === 0) return () => false;
  const byWorld = new Map(sources.map((source) => [source.state.graphs.world, source]));
  const viewOf = (world: number) => {
    const source = byWorld.get(world);
    return source && home.store.view(overlay, [source.state.graphs], source.snapshot);
  };
  const largestId = overlay.dictionary.table.size;
  const instances = new TypeInstances({ viewOf, type, classes, largestId, memory });
  return (world, subject) => instances.has(world, subject);
}

/**
 * Returns the given names and all names below them along a property, according to the schema
 * sources. Handles cycles.
 */
function widen(names: readonly string[], property: string, schemas: readonly OpenSource[]): readonly string[] {
  const all = new Set(names);
  const batch = new QuadBatch(256);
  for (const name of all) {
    for (const { home, state, snapshot, dictionary } of schemas) {
      const overlay = readingOverlay(dictionary);
      const below = overlay.find(dataFactory.namedNode(property));
      const above = overlay.find(dataFactory.namedNode(name));
      if (below === NO_TERM || above === NO_TERM) continue;
      const cursor = home.store.view(overlay, [state.graphs], snapshot).cursor();
      cursor.seek(NO_TERM, below, above, NO_TERM);
      while (cursor.next(batch) > 0) {
        for (let row = 0; row < batch.length; row++) {
          const term = overlay.term(batch.subject[row]);
          if (term.termType === 'NamedNode') all.add(term.value);
        }
      }
    }
  }
  return [...all];
}

function compareNames(a: TripleSearchResult, b: TripleSearchResult): number {
  return compareUnits(`${a.world.namespace}/${a.world.slug}`, `${b.world.namespace}/${b.world.slug}`);
}
