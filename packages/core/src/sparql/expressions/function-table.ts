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
 * Every operator and built-in function by the name that the algebra gives it (upper case). Adding
 * one is adding a row to the file of its group. EXISTS is no row: its argument is a pattern.
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

/** The functions that are called by an IRI. */
export const IRI_FUNCTIONS: ReadonlyMap<string, FunctionRow> = CASTS;
