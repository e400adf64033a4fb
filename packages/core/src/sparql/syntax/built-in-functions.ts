import type { AggregateFunction } from '../algebra/algebra.ts';

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

const rows = (names: string, minArguments: number, maxArguments = minArguments): [string, BuiltInFunction][] =>
  names.split(' ').map((name) => [name, { name, minArguments, maxArguments }]);

const ANY = Number.POSITIVE_INFINITY;

/** Built-in functions by upper-case name. The parser enforces that BOUND takes a variable. */
export const BUILT_IN_FUNCTIONS: ReadonlyMap<string, BuiltInFunction> = new Map([
  ...rows('RAND NOW UUID STRUUID', 0),
  ...rows('BNODE', 0, 1),
  ...rows('STR LANG DATATYPE BOUND IRI ABS CEIL FLOOR ROUND STRLEN UCASE LCASE ENCODE_FOR_URI', 1),
  ...rows('YEAR MONTH DAY HOURS MINUTES SECONDS TIMEZONE TZ MD5 SHA1 SHA256 SHA384 SHA512', 1),
  ...rows('ISIRI ISBLANK ISLITERAL ISNUMERIC', 1),
  ...rows('LANGMATCHES CONTAINS STRSTARTS STRENDS STRBEFORE STRAFTER STRLANG STRDT SAMETERM', 2),
  ...rows('REGEX SUBSTR', 2, 3),
  ...rows('REPLACE', 3, 4),
  ...rows('IF', 3),
  ...rows('CONCAT COALESCE', 0, ANY),
  ['URI', { name: 'IRI', minArguments: 1, maxArguments: 1 }],
  ['ISURI', { name: 'ISIRI', minArguments: 1, maxArguments: 1 }],
  // SPARQL 1.2, rule 141
  ...rows('LANGDIR HASLANG HASLANGDIR ISTRIPLE SUBJECT PREDICATE OBJECT', 1),
  ...rows('TRIPLE STRLANGDIR', 3),
]);
