/** What stands for a literal. */
const MASK = '?';
/** Code units of a text that are looked at. */
const MAX_LENGTH = 16_384;

/**
 * Each token of SPARQL that may hold signs of another (SPARQL 1.1 section 19.8): comments, IRIs,
 * strings - one without an end reaches to the end of the text - variables, names and numbers.
 * Strings may span lines here, which only long ones may in SPARQL: more is masked, never less.
 */
const TOKENS =
  /#[^\n\r]*|<[^<>"{}|^`\\\s]*>|("""|''')(?:(?!\1)[^\\]|\\[\s\S]?)*(?:\1|$)|"(?:[^"\\]|\\[\s\S]?)*(?:"|$)|'(?:[^'\\]|\\[\s\S]?)*(?:'|$)|[?$@][\p{L}\p{N}_-]+|[\p{L}_:](?:[\p{L}\p{N}\p{M}_:.%-]|\\[_~.!$&'()*+,;=/?#@%-])*|[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?[\p{L}\p{N}_]*/gu;

/**
 * The first 16,384 code units of a SPARQL text without its data: each string and number is `?`,
 * comments are gone. IRIs, variables and names stay.
 */
export function maskedLiterals(text: string): string {
  return unescaped(text.slice(0, MAX_LENGTH)).replace(TOKENS, (token) => {
    if (token.startsWith('#')) return ' ';
    return /^(?:["']|[+-]?\.?\d)/.test(token) ? MASK : token;
  });
}

/**
 * The same on one line: equal for texts that differ in literals, comments and white space alone.
 */
export function maskedQuery(text: string): string {
  return maskedLiterals(text).replace(/\s+/g, ' ').trim();
}

/**
 * Escapes for code points may stand anywhere, for quotation marks too (SPARQL 1.1 section 19.2).
 */
function unescaped(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replace(/\\u([0-9A-Fa-f]{4})|\\U00(10[0-9A-Fa-f]{4}|0[0-9A-Fa-f]{5})/g, (_, short, long) =>
    String.fromCodePoint(Number.parseInt(short ?? long, 16)),
  );
}
