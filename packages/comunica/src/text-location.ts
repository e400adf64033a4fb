import type { TextLocation } from '@rdf-worlds/core';

/**
 * Returns the line and column, from 1, of an offset in a text (`offset` in UTF-16 units). Line ends
 * are LF, CR or CRLF.
 */
export function locationAt(text: string, offset: number): TextLocation {
  const end = Math.min(offset, text.length);
  let line = 1;
  let lineStart = 0;
  for (let at = 0; at < end; at++) {
    const unit = text.charCodeAt(at);
    if (unit === 13 && text.charCodeAt(at + 1) === 10 && at + 1 < end) continue;
    if (unit !== 10 && unit !== 13) continue;
    line++;
    lineStart = at + 1;
  }
  return { line, column: end - lineStart + 1 };
}

/** Parts of a text skipped when searching for a name: comments, IRIs and strings. */
const OPAQUE =
  /#[^\n\r]*|<[^<>"{}|^`\\\s]*>|"{3}[\s\S]*?"{3}|'{3}[\s\S]*?'{3}|"[^"\\\n\r]*(?:\\.[^"\\\n\r]*)*"|'[^'\\\n\r]*(?:\\.[^'\\\n\r]*)*'/gu;

/**
 * Returns the location of the last occurrence of `token` in a SPARQL text outside comments, IRIs
 * and strings; undefined if there is none.
 */
export function lastLocationOf(text: string, token: string): TextLocation | undefined {
  const visible = text.replace(OPAQUE, (opaque) => ' '.repeat(opaque.length));
  const nameUnit = /[\p{L}\p{N}_-]/u;
  for (let at = visible.lastIndexOf(token); at >= 0; at = at === 0 ? -1 : visible.lastIndexOf(token, at - 1)) {
    const before = visible[at - 1] ?? '';
    const after = visible[at + token.length] ?? '';
    const open = token.endsWith(':') || !nameUnit.test(after);
    if (open && !nameUnit.test(before)) return locationAt(text, at);
  }
  return undefined;
}
