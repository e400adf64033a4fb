import type { TextLocation } from '../../model/worlds-error.ts';

/**
 * Returns the 1-based line and column of an offset in UTF-16 code units. Lines end with LF, CR or
 * CRLF.
 */
export function textLocation(text: string, offset: number): TextLocation {
  let line = 1;
  let lineStart = 0;
  for (let at = 0; at < offset; at++) {
    const code = text.charCodeAt(at);
    if (code === 10 || (code === 13 && text.charCodeAt(at + 1) !== 10)) {
      line++;
      lineStart = at + 1;
    }
  }
  return { line, column: offset - lineStart + 1 };
}
