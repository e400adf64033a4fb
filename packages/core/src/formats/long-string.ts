import { unescapeLong } from './unescape-long.ts';

const LF = 0x0a;
const CR = 0x0d;

/** Turtle section 6.4, "string escape sequences". */
const ECHAR = { t: '\t', b: '\b', n: '\n', r: '\r', f: '\f', '"': '"', "'": "'", '\\': '\\' };

/** The longest escape sequence, `\U` with eight digits. */
const LONGEST_ESCAPE = 10;

/** A string of Turtle, TriG or N3 that is given piece by piece, and unescaped as it comes. */
export class LongString {
  /** Number of line breaks. */
  lines = 0;
  /** UTF-16 units behind the last line break, of the string as written. */
  lastLineLength = 0;
  private readonly parts: string[] = [];
  /** An escape sequence that the next piece may complete. */
  private rest = '';
  private endsWithCr = false;
  private isMalformed = false;

  add(piece: string): void {
    this.countLines(piece);
    const text = this.rest + piece;
    const length = wholeLength(text);
    this.rest = text.slice(length);
    this.append(text.slice(0, length));
  }

  /** Returns the string without escapes; null if there is an invalid escape sequence. */
  value(): string | null {
    this.append(this.rest);
    this.rest = '';
    return this.isMalformed ? null : this.parts.join('');
  }

  private append(text: string): void {
    const part = unescapeLong(text, ECHAR);
    if (part === null) this.isMalformed = true;
    else this.parts.push(part);
  }

  private countLines(text: string): void {
    for (let at = 0; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      if (unit === CR || (unit === LF && !this.endsWithCr)) this.lines++;
      if (unit === CR || unit === LF) this.lastLineLength = 0;
      else this.lastLineLength++;
      this.endsWithCr = unit === CR;
    }
  }
}

/** Returns how much of a text comes before an escape sequence that may not be complete. */
function wholeLength(text: string): number {
  const last = text.lastIndexOf('\\');
  if (last < text.length - LONGEST_ESCAPE || last < 0) return text.length;
  let first = last;
  while (first > 0 && text[first - 1] === '\\') first--;
  // Of an even number of backslashes, each pair is an escape sequence.
  return (last - first) % 2 === 1 ? text.length : last;
}
