import type { MemoryBudget } from '../model/memory-budget.ts';
import type { DocumentIds } from '../search/search-query.ts';
import type { FoundTriple, SearchSource, TripleSearch } from '../storage/search-source.ts';
import { NO_TERM, type TermId, type TermSource } from '../storage/term-source.ts';
import type { Namespace } from './namespace.ts';
import type { OpenSource } from './open-source.ts';
import { readingOverlay } from './search-feed.ts';

export interface SearchedWorlds {
  /** Their list is looked at when something is searched for. */
  readonly requested: { readonly sources: readonly OpenSource[] };
  /** True when the sources are a whole namespace. */
  readonly isCollection: boolean;
  /** The namespace in whose ids the query runs. */
  readonly home: Namespace;
  /** The terms of the query. */
  readonly terms: TermSource;
  readonly canonicalOrder?: boolean;
  /** Of the query. */
  readonly memory?: MemoryBudget;
}

/**
 * The search of a query's worlds in the ids of the query. Schema sources are no hits. It finds what
 * is committed; whether that is in the dataset of the query is for `accepts` to say.
 */
export class QuerySearch implements SearchSource {
  private readonly worlds: SearchedWorlds;

  constructor(worlds: SearchedWorlds) {
    this.worlds = worlds;
  }

  async search(request: TripleSearch): Promise<readonly FoundTriple[]> {
    const byNamespace = new Map<Namespace, OpenSource[]>();
    for (const source of this.worlds.requested.sources) {
      if (source.schema) continue;
      const known = byNamespace.get(source.home);
      if (known) known.push(source);
      else byNamespace.set(source.home, [source]);
    }
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
    const search = await home.search.current(signal);
    const isHome = home === this.worlds.home;
    let searched: TermSource = readingOverlay(sources[0].dictionary);
    const own = isHome ? (id: TermId) => id : translator(() => searched, terms);
    const foreign = isHome ? (id: TermId) => id : translator(() => terms, searched);
    const translated = (ids: ReadonlySet<TermId> | undefined) =>
      ids && (isHome ? ids : new Set(Array.from(ids, foreign)));
    // A triple that several worlds hold is one hit, so there may be too few different ones.
    for (let wanted = limit; ; wanted *= 2) {
      const hits = await search.search({
        query: text,
        limit: wanted,
        worlds: isCollection ? null : Uint32Array.from(sources, ({ state }) => state.graphs.world),
        subjects: translated(subjects),
        predicates: translated(predicates),
        objects: translated(objects),
        accepts: (hit) => {
          const { subject, predicate, object } = toFound(hit, own);
          // A term that the query does not know is in none of its quads, and as a pattern it would
          // match any.
          return ![subject, predicate, object].includes(NO_TERM) && accepts(subject, predicate, object);
        },
        canonicalOrder,
        signal,
        memory,
        tellTerms: (known) => {
          searched = known;
        },
      });
      const found = distinct(hits.map((hit) => toFound(hit, own)));
      if (found.length >= limit || hits.length < wanted) return found;
    }
  }
}

/** From the ids of one source to those of another; NO_TERM for what the other does not know. */
function translator(from: () => TermSource, to: TermSource): (id: TermId) => TermId {
  const known = new Map<TermId, TermId>();
  return (id) => {
    let translated = known.get(id);
    if (translated === undefined) {
      translated = to.find(from().term(id));
      known.set(id, translated);
    }
    return translated;
  };
}

function toFound<Hit extends DocumentIds>(hit: Hit, own: (id: TermId) => TermId): Hit {
  return { ...hit, subject: own(hit.subject), predicate: own(hit.predicate), object: own(hit.object) };
}

/** The best of the hits that are the same triple. */
function distinct(hits: readonly FoundTriple[]): FoundTriple[] {
  const seen = new Set<string>();
  return hits.filter(({ subject, predicate, object }) => {
    const key = `${subject},${predicate},${object}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}
