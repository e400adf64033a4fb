import { SEARCH_SERVICE } from '@rdf-worlds/core';
import { type GroupAlgebra, readSearchGroup, type SearchPattern, variableOfSearch } from '@rdf-worlds/core/plugin';
import type * as RDF from '@rdfjs/types';
import { type Bgp, type Expression, join, mapExpression, type Operation, type Service, scope } from './algebra.ts';

/** The content of a SERVICE that requests ranked search. */
export interface SearchService {
  readonly search: SearchPattern<RDF.Term>;
  /**
   * The other patterns with the filters on their variables; they restrict the search. Undefined if
   * there are none.
   */
  readonly rest: Operation | undefined;
  /** Filters on variables that only the search binds; they select among its hits. */
  readonly late: readonly Expression[];
}

export function isSearchService({ name }: Service): boolean {
  return name.termType === 'NamedNode' && name.value === SEARCH_SERVICE;
}

/** Throws INVALID_SPARQL for a pattern that is not a search. */
export function readSearchService({ input }: Service): SearchService {
  const { search, rest, early, late } = readSearchGroup<RDF.Term, Operation, Pattern, Expression>(input, GROUPS);
  return { search, rest: rest && filtered(rest, early), late };
}

type Pattern = Bgp['patterns'][number];

const GROUPS: GroupAlgebra<Operation, Pattern, Expression> = {
  open(operation) {
    switch (operation.type) {
      case 'filter':
        return { kind: 'filter', input: operation.input, conditions: conjuncts(operation.expression) };
      case 'join':
        return { kind: 'join', inputs: operation.input };
      case 'bgp':
        return { kind: 'patterns', patterns: operation.patterns };
      default:
        return { kind: 'other' };
    }
  },
  patterns: (patterns) => ({ type: 'bgp', patterns: [...patterns] }),
  join: (operations) => join([...operations]),
  variablesOf: (operation) => scope(operation),
  variablesIn,
};

export function filtered(input: Operation, conditions: readonly Expression[]): Operation {
  return conditions.reduce<Operation>((all, expression) => ({ type: 'filter', input: all, expression }), input);
}

/**
 * Returns the variable that provides the search text; undefined for a constant, or for a silent
 * service that is not a search.
 */
export function searchedVariable(service: Service): string | undefined {
  return variableOfSearch(() => readSearchService(service), service.silent);
}

function conjuncts(expression: Expression): readonly Expression[] {
  if (expression.subType !== 'operator' || expression.operator !== '&&') return [expression];
  return expression.args.flatMap(conjuncts);
}

function variablesIn(expression: Expression): ReadonlySet<string> {
  const names = new Set<string>();
  const visit = (part: Expression): Expression => {
    if (part.subType === 'term' && part.term.termType === 'Variable') names.add(part.term.value);
    return mapExpression(part, visit, (operation) => {
      scope(operation, names);
      return operation;
    });
  };
  visit(expression);
  return names;
}
