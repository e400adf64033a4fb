import { CASTS } from './casts.ts';
import { COMPARISON_FUNCTIONS } from './comparison-functions.ts';
import { DATE_FUNCTIONS } from './date-functions.ts';
import type { FunctionRow } from './function-row.ts';
import { HASH_FUNCTIONS } from './hash-functions.ts';
import { LOGICAL_FUNCTIONS } from './logical-functions.ts';
import { NUMERIC_FUNCTIONS } from './numeric-functions.ts';
import { PATTERN_FUNCTIONS } from './pattern-functions.ts';
import { STRING_FUNCTIONS } from './string-functions.ts';
import { TERM_FUNCTIONS } from './term-functions.ts';

/**
 * All operators and built-in functions by their name in the algebra (upper case). To add one, add a
 * row to the file of its group. EXISTS is not in the table, because its argument is a pattern.
 */
export const FUNCTIONS: ReadonlyMap<string, FunctionRow> = new Map([
  ...LOGICAL_FUNCTIONS,
  ...COMPARISON_FUNCTIONS,
  ...NUMERIC_FUNCTIONS,
  ...TERM_FUNCTIONS,
  ...STRING_FUNCTIONS,
  ...PATTERN_FUNCTIONS,
  ...DATE_FUNCTIONS,
  ...HASH_FUNCTIONS,
]);

/** Functions called by IRI. */
export const IRI_FUNCTIONS: ReadonlyMap<string, FunctionRow> = CASTS;
