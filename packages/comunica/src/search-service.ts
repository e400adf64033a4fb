import { isSearchProperty, SEARCH_SERVICE, type SearchPattern, searchPattern } from '@rdf-worlds/core';
import type * as RDF from '@rdfjs/types';
import { type Bgp, type Expression, join, mapExpression, type Operation, type Service, scope } from './algebra.ts';

/** What stands inside of a SERVICE that asks for ranked search. */
export interface SearchService {
  readonly search: SearchPattern<RDF.Term>;
  /** The other patterns, with the filters on their variables: they narrow what is searched. Undefined when there are none. */
  readonly rest: Operation | undefined;
  /** Filters on what only the search binds: they choose among its hits. */
  readonly late: readonly Expression[];
}

export function isSearchService({ name }: Service): boolean {
  return name.termType === 'NamedNode' && name.value === SEARCH_SERVICE;
}

/** Throws INVALID_SPARQL for a pattern that is no search. */
export function readSearchService({ input }: Service): SearchService {
  const triples: Bgp['patterns'][number][] = [];
  const others: Operation[] = [];
  const conditions: Expression[] = [];
  const take = (operation: Operation): void => {
    switch (operation.type) {
      case 'filter':
        conditions.push(...conjuncts(operation.expression));
        take(operation.input);
        return;
      case 'join':
        operation.input.forEach(take);
        return;
      case 'bgp': {
        const patterns = operation.patterns.filter(({ predicate }) => !isSearchProperty(predicate));
        for (const pattern of operation.patterns) if (isSearchProperty(pattern.predicate)) triples.push(pattern);
        if (patterns.length > 0) others.push({ type: 'bgp', patterns });
        return;
      }
      default:
        others.push(operation);
    }
  };
  take(input);
  const search = searchPattern<RDF.Term>(triples);
  if (others.length === 0) return { search, rest: undefined, late: conditions };
  const joined = others.length === 1 ? others[0] : join(others);
  const bound = scope(joined);
  const searched = new Set(
    Object.values(search.parts).flatMap((part) => (part.termType === 'Variable' ? [part.value] : [])),
  );
  const isLate = (condition: Expression) =>
    [...variablesIn(condition)].some((name) => searched.has(name) && !bound.has(name));
  const early = conditions.filter((condition) => !isLate(condition));
  return { search, rest: filtered(joined, early), late: conditions.filter(isLate) };
}

export function filtered(input: Operation, conditions: readonly Expression[]): Operation {
  return conditions.reduce<Operation>((all, expression) => ({ type: 'filter', input: all, expression }), input);
}

/** The variable that holds what to search for; undefined for a constant, or for a silent service that is no search. */
export function searchedVariable(service: Service): string | undefined {
  try {
    const { query } = readSearchService(service).search.parts;
    return query.termType === 'Variable' ? query.value : undefined;
  } catch (error) {
    if (service.silent) return undefined;
    throw error;
  }
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
