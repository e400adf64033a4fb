import type { AggregateFunction } from '../algebra/algebra.ts';
import type { FunctionRow } from '../expressions/function-row.ts';
import { FUNCTIONS } from '../expressions/function-table.ts';

export const AGGREGATE_FUNCTIONS: ReadonlySet<string> = new Set<AggregateFunction>([
  'COUNT',
  'SUM',
  'MIN',
  'MAX',
  'AVG',
  'SAMPLE',
  'GROUP_CONCAT',
]);

/** A built-in function of rule 121 that takes a list of expressions. */
export interface BuiltInFunction {
  /** Name in the algebra: URI and isURI are aliases of IRI and isIRI. */
  readonly name: string;
  readonly minArguments: number;
  readonly maxArguments: number;
}

/** Names of operators among the functions, which the grammar has rules of their own for. */
const OPERATOR = /^(?:[^A-Z].*|IN|NOT IN)$/;

/** SPARQL 1.1 section 17.4.2.1 and 17.4.2.8: other spellings of a function. */
const ALIASES = [
  ['URI', 'IRI'],
  ['ISURI', 'ISIRI'],
] as const;

/**
 * Built-in functions by upper-case name, made from the table of functions. The parser enforces that
 * BOUND takes a variable.
 */
export const BUILT_IN_FUNCTIONS: ReadonlyMap<string, BuiltInFunction> = new Map([
  ...[...FUNCTIONS]
    .filter(([name]) => !OPERATOR.test(name))
    .map(([name, row]): [string, BuiltInFunction] => [name, builtIn(name, row)]),
  ...ALIASES.map(([alias, name]): [string, BuiltInFunction] => [alias, builtIn(name, FUNCTIONS.get(name)!)]),
]);

function builtIn(name: string, { minArguments, maxArguments }: FunctionRow): BuiltInFunction {
  return { name, minArguments, maxArguments };
}
