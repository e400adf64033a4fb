import type { FoundTriple, SearchSource, TripleSearch } from '../contracts/search-source.ts';
import { NO_TERM, type TermId, type TermSource } from '../contracts/term-source.ts';
import type { MemoryBudget } from '../model/memory-budget.ts';
import { WorldsError } from '../model/worlds-error.ts';
import type { DocumentIds } from '../search/search-query.ts';
import type { Namespace } from './namespace.ts';
import type { OpenSource } from './open-source.ts';
import { readingOverlay } from './reading-overlay.ts';
import type { RequestedWorlds } from './requested-worlds.ts';

export interface SearchedWorlds {
  /** The requested worlds. Their list is created on the first search. */
  readonly requested: Pick<RequestedWorlds, 'searched'>;
  /** True if the sources are a whole namespace. */
  readonly isCollection: boolean;
  /** The namespace whose ids the query uses. */
  readonly home: Namespace;
  /** Terms of the query. */
  readonly terms: TermSource;
  readonly canonicalOrder?: boolean;
  /** Memory budget of the query. */
  readonly memory?: MemoryBudget;
}

/**
 * Searches the worlds of a query and translates hits to the ids of the query. Schema sources are
 * not searched. Searches all committed data; `accepts` decides whether a hit is in the dataset of
 * the query.
 */
export class QuerySearch implements SearchSource {
  private readonly worlds: SearchedWorlds;

  constructor(worlds: SearchedWorlds) {
    this.worlds = worlds;
  }

  async search(request: TripleSearch): Promise<readonly FoundTriple[]> {
    const byNamespace = this.worlds.requested.searched;
    const all: FoundTriple[] = [];
    for (const [home, sources] of byNamespace) all.push(...(await this.searchNamespace(home, sources, request)));
    if (byNamespace.size > 1) all.sort((a, b) => b.score - a.score);
    return distinct(all).slice(0, request.limit);
  }

  private async searchNamespace(
    home: Namespace,
    sources: readonly OpenSource[],
    { text, limit, subjects, predicates, objects, accepts, signal }: TripleSearch,
  ): Promise<FoundTriple[]> {
    const { isCollection, terms, canonicalOrder, memory } = this.worlds;
    const worlds = isCollection ? undefined : Uint32Array.from(sources, ({ state }) => state.graphs.world);
    const search = await home.search.current(worlds, signal);
    const isHome = home === this.worlds.home;
    const own = isHome ? sameId : translator(terms);
    const foreign = isHome ? sameId : translator(readingOverlay(sources[0].dictionary));
    const translated = (ids: ReadonlySet<TermId> | undefined) =>
      ids && (isHome ? ids : new Set(Array.from(ids, (id) => foreign(id, terms))));
    const toFound = <Hit extends DocumentIds>(hit: Hit, searched: TermSource): Hit => ({
      ...hit,
      subject: own(hit.subject, searched),
      predicate: own(hit.predicate, searched),
      object: own(hit.object, searched),
    });
    // A triple in several worlds is a single hit, so a search may return too few distinct ones. It
    // is then repeated with a higher limit.
    for (let wanted = limit; ; wanted *= 2) {
      const { hits, terms: searched } = await search.search({
        query: text,
        limit: wanted,
        worlds: worlds ?? null,
        subjects: translated(subjects),
        predicates: translated(predicates),
        objects: translated(objects),
        accepts: (hit, known) => {
          const { subject, predicate, object } = toFound(hit, known);
          // A term that is unknown to the query occurs in none of its quads. NO_TERM in a pattern
          // would match any term.
          return ![subject, predicate, object].includes(NO_TERM) && accepts(subject, predicate, object);
        },
        canonicalOrder,
        signal,
        memory,
      });
      const found = searched ? distinct(hits.map((hit) => toFound(hit, searched))) : [];
      if (found.length >= limit || hits.length < wanted) return found;
    }
  }
}

/** Search of a query over the past, whose texts are not indexed. */
export const PAST_SEARCH: SearchSource = {
  search: () => Promise.reject(searchesThePresent()),
};

export function searchesThePresent(): WorldsError {
  return new WorldsError(
    'UNSUPPORTED',
    'at: only the present is indexed for search; query the past without a search, or fork it and search the fork.',
  );
}

type Translation = (id: TermId, from: TermSource) => TermId;

const sameId: Translation = (id) => id;

/**
 * Returns a function from the ids of another namespace to those of `to`; NO_TERM for unknown terms.
 */
function translator(to: TermSource): Translation {
  const known = new Map<TermId, TermId>();
  return (id, from) => {
    let translated = known.get(id);
    if (translated === undefined) {
      translated = to.find(from.term(id));
      known.set(id, translated);
    }
    return translated;
  };
}

/** Keeps the best hit of each triple. */
function distinct(hits: readonly FoundTriple[]): FoundTriple[] {
  const seen = new Set<string>();
  return hits.filter(({ subject, predicate, object }) => {
    const key = `${subject},${predicate},${object}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}
