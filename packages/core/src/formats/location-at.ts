import type { TextLocation } from '../model/worlds-error.ts';

/** Returns the location of the UTF-16 offset `offset` in a text. */
export function locationAt(text: string, offset: number): TextLocation {
  let line = 1;
  let lineStart = 0;
  for (let end = text.indexOf('\n'); end >= 0 && end < offset; end = text.indexOf('\n', lineStart)) {
    line++;
    lineStart = end + 1;
  }
  return { line, column: offset - lineStart + 1 };
}
