/** A parsed replacement: literal strings and group numbers (0 is the whole match). */
export type Replacement = readonly (string | number)[];

/**
 * Parses the replacement of REPLACE (XPath F&O 5.6.4): `$n` is a group, `\$` and `\\` are literal
 * characters; with the flag `q`, all of it is literal. Returns undefined for any other use of `$`
 * or `\` (err:FORX0004).
 */
export function parseReplacement(
  text: string,
  pattern: { readonly groupCount: number; readonly isLiteral: boolean },
): Replacement | undefined {
  if (pattern.isLiteral) return [text];
  const pieces: (string | number)[] = [];
  let literal = '';
  for (let i = 0; i < text.length; i++) {
    const character = text[i];
    if (character === '\\') {
      const next = text[++i];
      if (next !== '\\' && next !== '$') return undefined;
      literal += next;
    } else if (character === '$') {
      const end = groupEnd(text, i + 1, pattern.groupCount);
      if (end === i + 1) return undefined;
      if (literal !== '') pieces.push(literal);
      literal = '';
      const group = Number(text.slice(i + 1, end));
      // "If S is greater than the number of captured substrings, then the variable is replaced by a
      // zero-length string."
      if (group <= pattern.groupCount) pieces.push(group);
      i = end - 1;
    } else literal += character;
  }
  if (literal !== '') pieces.push(literal);
  return pieces;
}

/**
 * Returns the end of a group number: takes further digits as long as they name a group; always
 * takes the first one.
 */
function groupEnd(text: string, from: number, groupCount: number): number {
  let end = from;
  while (/^\d$/.test(text[end] ?? '') && (end === from || Number(text.slice(from, end + 1)) <= groupCount)) end += 1;
  return end;
}
