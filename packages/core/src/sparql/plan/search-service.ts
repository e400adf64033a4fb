import { type GroupAlgebra, readSearchGroup, variableOfSearch } from '../../contracts/search-group.ts';
import { isSearchProperty, SEARCH_SERVICE, type SearchPattern } from '../../contracts/search-pattern.ts';
import type { Algebra, Expression, PatternTerm, TriplePattern } from '../algebra/algebra.ts';
import { balanced } from '../algebra/balanced.ts';
import { certainVariablesOf, conjuncts, expressionVariables } from './variables.ts';

type Service = Algebra & { readonly type: 'service' };

/** The contents of a SERVICE that performs a ranked search. */
export interface SearchService {
  readonly search: SearchPattern<PatternTerm>;
  /**
   * The other patterns, with the filters on their variables; they narrow the search. Undefined if
   * there are none.
   */
  readonly rest: Algebra | undefined;
  /** Filters on variables that only the search binds; they select among its hits. */
  readonly late: readonly Expression[];
}

export function isSearchService(algebra: Service): boolean {
  return algebra.name.termType === 'NamedNode' && algebra.name.value === SEARCH_SERVICE;
}

/** Throws INVALID_SPARQL if the pattern is not a search. */
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
 * Returns the variable that holds the search text if it is bound outside the SERVICE; undefined if
 * the text is constant.
 */
export function searchedVariable(service: Service): string | undefined {
  return variableOfSearch(() => readSearchService(service), service.silent);
}

/**
 * Whether a search can run for given rows: they bind its text, and the service contains nothing
 * else.
 */
export function isSeedableSearch(service: Service, seeded: Pick<ReadonlySet<string>, 'has'>): boolean {
  const { input } = service;
  if (input.type !== 'bgp' || !input.patterns.every(({ predicate }) => isSearchProperty(predicate))) return false;
  const variable = searchedVariable(service);
  return variable !== undefined && seeded.has(variable);
}
