import { isSearchProperty, type PatternPart, type SearchPattern, searchPattern } from './search-pattern.ts';

/** A triple pattern of any SPARQL algebra. */
export interface PatternTriple<Part> {
  readonly subject: Part;
  readonly predicate: Part;
  readonly object: Part;
}

/** One operation of a group graph pattern, reduced to the cases that a search distinguishes. */
export type GroupOperation<Operation, Triple, Condition> =
  | { readonly kind: 'filter'; readonly input: Operation; readonly conditions: readonly Condition[] }
  | { readonly kind: 'join'; readonly inputs: readonly Operation[] }
  | { readonly kind: 'patterns'; readonly patterns: readonly Triple[] }
  | { readonly kind: 'other' };

/** Adapter to a SPARQL algebra, used to find the search in a group. */
export interface GroupAlgebra<Operation, Triple, Condition> {
  /** Returns which kind of operation it is, with its parts. */
  open(operation: Operation): GroupOperation<Operation, Triple, Condition>;
  /** Builds the operation that joins triple patterns. */
  patterns(patterns: readonly Triple[]): Operation;
  /** Joins two or more operations. */
  join(operations: readonly Operation[]): Operation;
  /** Returns the variables bound by the solutions of an operation. */
  variablesOf(operation: Operation): ReadonlySet<string>;
  /** Returns the variables that a condition reads. */
  variablesIn(condition: Condition): Iterable<string>;
}

/** Content of a SERVICE that requests ranked search. */
export interface SearchGroup<Part, Operation, Condition> {
  /** The search that the group describes. */
  readonly search: SearchPattern<Part>;
  /** The other patterns, which restrict the search. Undefined if there are none. */
  readonly rest: Operation | undefined;
  /** Conditions on the variables of `rest`, which restrict it further; empty without `rest`. */
  readonly early: readonly Condition[];
  /** Conditions on variables that only the search binds; they filter its hits. */
  readonly late: readonly Condition[];
}

/** Splits the pattern of a SERVICE into its parts. Throws INVALID_SPARQL if it is not a search. */
export function readSearchGroup<Part extends PatternPart, Operation, Triple extends PatternTriple<Part>, Condition>(
  input: Operation,
  algebra: GroupAlgebra<Operation, Triple, Condition>,
): SearchGroup<Part, Operation, Condition> {
  const triples: Triple[] = [];
  const others: Operation[] = [];
  const conditions: Condition[] = [];
  const take = (operation: Operation): void => {
    const opened = algebra.open(operation);
    switch (opened.kind) {
      case 'filter':
        conditions.push(...opened.conditions);
        take(opened.input);
        return;
      case 'join':
        opened.inputs.forEach(take);
        return;
      case 'patterns': {
        const rest = opened.patterns.filter(({ predicate }) => !isSearchProperty(predicate));
        for (const pattern of opened.patterns) if (isSearchProperty(pattern.predicate)) triples.push(pattern);
        if (rest.length > 0) others.push(algebra.patterns(rest));
        return;
      }
      case 'other':
        others.push(operation);
    }
  };
  take(input);
  const search = searchPattern<Part>(triples);
  if (others.length === 0) return { search, rest: undefined, early: [], late: conditions };
  const rest = others.length === 1 ? others[0] : algebra.join(others);
  const bound = algebra.variablesOf(rest);
  const searched = new Set(
    Object.values<PatternPart>(search.parts).flatMap(({ termType, value }) =>
      termType === 'Variable' ? [value!] : [],
    ),
  );
  const isLate = (condition: Condition) =>
    [...algebra.variablesIn(condition)].some((name) => searched.has(name) && !bound.has(name));
  return { search, rest, early: conditions.filter((one) => !isLate(one)), late: conditions.filter(isLate) };
}

/**
 * Returns the variable that holds the query text; undefined for a constant, and for a silent
 * SERVICE that is not a search.
 */
export function variableOfSearch<Part extends PatternPart>(
  read: () => { readonly search: SearchPattern<Part> },
  isSilent: boolean,
): string | undefined {
  try {
    const { query } = read().search.parts;
    return query.termType === 'Variable' ? query.value : undefined;
  } catch (error) {
    if (isSilent) return undefined;
    throw error;
  }
}
