import { isSearchProperty, SEARCH_SERVICE, type SearchPattern, searchPattern } from '../../storage/search-pattern.ts';
import type { Algebra, Expression, PatternTerm, TriplePattern } from '../algebra/algebra.ts';
import { balanced } from '../algebra/balanced.ts';
import { certainVariablesOf, conjuncts, expressionVariables } from './variables.ts';

type Service = Algebra & { readonly type: 'service' };

/** What stands inside of a SERVICE that asks for ranked search. */
export interface SearchService {
  readonly search: SearchPattern<PatternTerm>;
  /** The other patterns, with the filters on their variables: they narrow what is searched. Undefined when there are none. */
  readonly rest: Algebra | undefined;
  /** Filters on what only the search binds: they choose among its hits. */
  readonly late: readonly Expression[];
}

export function isSearchService(algebra: Service): boolean {
  return algebra.name.termType === 'NamedNode' && algebra.name.value === SEARCH_SERVICE;
}

/** Throws INVALID_SPARQL for a pattern that is no search. */
export function readSearchService({ input }: Service): SearchService {
  const triples: TriplePattern[] = [];
  const others: Algebra[] = [];
  const conditions: Expression[] = [];
  const take = (algebra: Algebra): void => {
    switch (algebra.type) {
      case 'filter':
        conditions.push(...conjuncts(algebra.condition));
        take(algebra.input);
        return;
      case 'join':
        algebra.operands.forEach(take);
        return;
      case 'bgp': {
        const patterns = algebra.patterns.filter(({ predicate }) => !isSearchProperty(predicate));
        for (const pattern of algebra.patterns) if (isSearchProperty(pattern.predicate)) triples.push(pattern);
        if (patterns.length > 0) others.push({ type: 'bgp', patterns });
        return;
      }
      default:
        others.push(algebra);
    }
  };
  take(input);
  const search = searchPattern(triples);
  if (others.length === 0) return { search, rest: undefined, late: conditions };
  const joined: Algebra = others.length === 1 ? others[0] : { type: 'join', operands: others };
  const certain = certainVariablesOf(joined);
  const searched = new Set(
    Object.values(search.parts).flatMap((part) => (part.termType === 'Variable' ? [part.value] : [])),
  );
  const isLate = (condition: Expression) =>
    [...expressionVariables(condition)].some((name) => searched.has(name) && !certain.has(name));
  const early = conditions.filter((condition) => !isLate(condition));
  const rest: Algebra =
    early.length === 0 ? joined : { type: 'filter', input: joined, condition: balanced('&&', early) };
  return { search, rest, late: conditions.filter(isLate) };
}

/** The variable that holds what to search for, of a SERVICE that has its text from elsewhere; undefined for one that is the same for all rows. */
export function searchedVariable(service: Service): string | undefined {
  try {
    const { query } = readSearchService(service).search.parts;
    return query.termType === 'Variable' ? query.value : undefined;
  } catch (error) {
    // A silent one that is no search is nothing at all.
    if (service.silent) return undefined;
    throw error;
  }
}

/** Whether a search can be run for given rows: they bind its text, and nothing else is in it. */
export function isSeedableSearch(service: Service, seeded: ReadonlySet<string>): boolean {
  const { input } = service;
  if (input.type !== 'bgp' || !input.patterns.every(({ predicate }) => isSearchProperty(predicate))) return false;
  const variable = searchedVariable(service);
  return variable !== undefined && seeded.has(variable);
}
