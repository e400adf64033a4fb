import { AGGREGATE_FUNCTIONS, BUILT_IN_FUNCTIONS } from './built-in-functions.ts';

/** Keywords of the grammar other than function names. */
const KEYWORDS =
  'ADD ALL AS ASC ASK BASE BIND BY CLEAR CONSTRUCT COPY CREATE DATA DEFAULT DELETE DESC DESCRIBE DISTINCT DROP EXISTS FALSE FILTER FROM GRAPH GROUP HAVING IN INSERT INTO LIMIT LOAD MINUS MOVE NAMED NOT OFFSET OPTIONAL ORDER PREFIX REDUCED SELECT SEPARATOR SERVICE SILENT TO TRUE UNDEF UNION USING VALUES VERSION WHERE WITH';

const names = [...KEYWORDS.split(' '), ...AGGREGATE_FUNCTIONS, ...BUILT_IN_FUNCTIONS.keys()];

/**
 * Tokens by the usual spellings of each word, lower and upper case; other spellings are rare and
 * are converted to upper case first.
 */
const TOKENS = new Map([...names.map((name) => [name.toLowerCase(), name]), ...names.map((name) => [name, name])] as [
  string,
  string,
][]);
// "Keywords are matched in a case-insensitive manner with the exception of the keyword 'a'"
// (section 19.8, note 1).
TOKENS.set('a', 'a');

/** Returns the token of a word: the keyword or function in upper case, `a`, or undefined. */
export function wordToken(word: string): string | undefined {
  return TOKENS.get(word) ?? (word.length > 1 ? TOKENS.get(word.toUpperCase()) : undefined);
}
