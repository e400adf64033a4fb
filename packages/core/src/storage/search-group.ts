import { isSearchProperty, type PatternPart, type SearchPattern, searchPattern } from './search-pattern.ts';

/** A triple pattern, as any algebra has it. */
export interface PatternTriple<Part> {
  readonly subject: Part;
  readonly predicate: Part;
  readonly object: Part;
}

/** One operation of a group graph pattern, as far as a search looks into it. */
export type GroupOperation<Operation, Triple, Condition> =
  | { readonly kind: 'filter'; readonly input: Operation; readonly conditions: readonly Condition[] }
  | { readonly kind: 'join'; readonly inputs: readonly Operation[] }
  | { readonly kind: 'patterns'; readonly patterns: readonly Triple[] }
  | { readonly kind: 'other' };

/** What is to be known of an algebra to find the search in a group. */
export interface GroupAlgebra<Operation, Triple, Condition> {
  open(operation: Operation): GroupOperation<Operation, Triple, Condition>;
  patterns(patterns: readonly Triple[]): Operation;
  /** Of two operations or more. */
  join(operations: readonly Operation[]): Operation;
  /** Variables that solutions of an operation bind. */
  variablesOf(operation: Operation): ReadonlySet<string>;
  /** Variables that a condition looks at. */
  variablesIn(condition: Condition): Iterable<string>;
}

/** What stands inside of a SERVICE that asks for ranked search. */
export interface SearchGroup<Part, Operation, Condition> {
  readonly search: SearchPattern<Part>;
  /** The other patterns: they narrow what is searched. Undefined when there are none. */
  readonly rest: Operation | undefined;
  /** Conditions on the variables of these, which narrow it further; none without a rest. */
  readonly early: readonly Condition[];
  /** Conditions on what only the search binds: they choose among its hits. */
  readonly late: readonly Condition[];
}

/** Takes the pattern of a SERVICE apart. Throws INVALID_SPARQL for a pattern that is no search. */
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
 * The variable that holds what to search for; undefined for a constant, and for a silent SERVICE
 * that is no search, which is nothing at all.
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
