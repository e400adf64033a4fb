// Comments, strings and IRIs, in which neither braces nor keywords count. IRIREF before comments:
// it may hold "#".
const OPAQUE =
  /<[^<>"{}|^`\\\s]*>|#[^\n\r]*|"""[\s\S]*?"""|'''[\s\S]*?'''|"(?:[^"\\\n\r]|\\.)*"|'(?:[^'\\\n\r]|\\.)*'/g;

/**
 * Whether the outermost SELECT of a query has an ORDER BY: only then is the order of its solutions
 * part of the answer.
 */
export function isOrdered(query: string): boolean {
  const text = query.replace(OPAQUE, ' ');
  let depth = 0;
  let outer = '';
  for (const character of text) {
    if (character === '{') depth++;
    if (depth === 0) outer += character;
    if (character === '}') depth--;
  }
  return /\border\s+by\b/i.test(outer);
}
