import { type GroupAlgebra, readSearchGroup, variableOfSearch } from '../../storage/search-group.ts';
import { isSearchProperty, SEARCH_SERVICE, type SearchPattern } from '../../storage/search-pattern.ts';
import type { Algebra, Expression, PatternTerm, TriplePattern } from '../algebra/algebra.ts';
import { balanced } from '../algebra/balanced.ts';
import { certainVariablesOf, conjuncts, expressionVariables } from './variables.ts';

type Service = Algebra & { readonly type: 'service' };

/** What stands inside of a SERVICE that asks for ranked search. */
export interface SearchService {
  readonly search: SearchPattern<PatternTerm>;
  /**
   * The other patterns, with the filters on their variables: they narrow what is searched.
   * Undefined when there are none.
   */
  readonly rest: Algebra | undefined;
  /** Filters on what only the search binds: they choose among its hits. */
  readonly late: readonly Expression[];
}

export function isSearchService(algebra: Service): boolean {
  return algebra.name.termType === 'NamedNode' && algebra.name.value === SEARCH_SERVICE;
}

/** Throws INVALID_SPARQL for a pattern that is no search. */
export function readSearchService({ input }: Service): SearchService {
  const { search, rest, early, late } = readSearchGroup<PatternTerm, Algebra, TriplePattern, Expression>(input, GROUPS);
  if (!rest || early.length === 0) return { search, rest, late };
  return { search, rest: { type: 'filter', input: rest, condition: balanced('&&', early) }, late };
}

const GROUPS: GroupAlgebra<Algebra, TriplePattern, Expression> = {
  open(algebra) {
    switch (algebra.type) {
      case 'filter':
        return { kind: 'filter', input: algebra.input, conditions: conjuncts(algebra.condition) };
      case 'join':
        return { kind: 'join', inputs: algebra.operands };
      case 'bgp':
        return { kind: 'patterns', patterns: algebra.patterns };
      default:
        return { kind: 'other' };
    }
  },
  patterns: (patterns) => ({ type: 'bgp', patterns }),
  join: (operands) => ({ type: 'join', operands }),
  variablesOf: certainVariablesOf,
  variablesIn: expressionVariables,
};

/**
 * The variable that holds what to search for, of a SERVICE that has its text from elsewhere;
 * undefined for one that is the same for all rows.
 */
export function searchedVariable(service: Service): string | undefined {
  return variableOfSearch(() => readSearchService(service), service.silent);
}

/** Whether a search can be run for given rows: they bind its text, and nothing else is in it. */
export function isSeedableSearch(service: Service, seeded: Pick<ReadonlySet<string>, 'has'>): boolean {
  const { input } = service;
  if (input.type !== 'bgp' || !input.patterns.every(({ predicate }) => isSearchProperty(predicate))) return false;
  const variable = searchedVariable(service);
  return variable !== undefined && seeded.has(variable);
}
