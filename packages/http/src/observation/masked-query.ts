/** The placeholder for a literal. */
const MASK = '?';
/** Maximum number of code units processed. */
const MAX_LENGTH = 16_384;

/**
 * Matches the SPARQL tokens that may contain characters of other tokens (SPARQL 1.1 section 19.8):
 * comments, IRIs, strings (an unterminated one extends to the end of the text), variables, names
 * and numbers. Unlike in SPARQL, short strings may span lines, so that masking errs on the side of
 * too much.
 */
const TOKENS =
  /#[^\n\r]*|<[^<>"{}|^`\\\s]*>|("""|''')(?:(?!\1)[^\\]|\\[\s\S]?)*(?:\1|$)|"(?:[^"\\]|\\[\s\S]?)*(?:"|$)|'(?:[^'\\]|\\[\s\S]?)*(?:'|$)|[?$@][\p{L}\p{N}_-]+|[\p{L}_:](?:[\p{L}\p{N}\p{M}_:.%-]|\\[_~.!$&'()*+,;=/?#@%-])*|[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?[\p{L}\p{N}_]*/gu;

/**
 * Returns the first 16,384 code units of a SPARQL text without its data: strings and numbers become
 * `?`, comments are removed. IRIs, variables and names stay.
 */
export function maskedLiterals(text: string): string {
  return unescaped(text.slice(0, MAX_LENGTH)).replace(TOKENS, (token) => {
    if (token.startsWith('#')) return ' ';
    return /^(?:["']|[+-]?\.?\d)/.test(token) ? MASK : token;
  });
}

/**
 * Returns `maskedLiterals` on one line: equal for texts that differ only in literals, comments and
 * white space.
 */
export function maskedQuery(text: string): string {
  return maskedLiterals(text).replace(/\s+/g, ' ').trim();
}

/**
 * Resolves code point escapes, which may encode any character, including quotation marks (SPARQL
 * 1.1 section 19.2).
 */
function unescaped(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replace(/\\u([0-9A-Fa-f]{4})|\\U00(10[0-9A-Fa-f]{4}|0[0-9A-Fa-f]{5})/g, (_, short, long) =>
    String.fromCodePoint(Number.parseInt(short ?? long, 16)),
  );
}
