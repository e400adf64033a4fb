const DOUBLE_QUOTE = 0x22;
const HASH = 0x23;
const SINGLE_QUOTE = 0x27;
const LESS = 0x3c;
const GREATER = 0x3e;
const BACKSLASH = 0x5c;
const LF = 0x0a;
const CR = 0x0d;

/** A character that no name, number, keyword or language tag holds unless it is escaped. */
const AFTER_WORD = new Set([...` \t\n\r<>#"'()[]{},;`].map((character) => character.charCodeAt(0)));

/**
 * Finds where a token of Turtle, TriG or N3 may end. It is given the token's text piece by piece
 * and looks at each character once.
 *
 * What it finds is the first character at which a lexer can decide: the end of the token, or a line
 * break where the token must not have one.
 */
export class TokenEnd {
  /** The character that ends a string or an IRI; 0 for words. */
  private readonly closing: number;
  /** Number of quotes on either side; 0 if the token is not a string. */
  readonly quotes: 0 | 1 | 3;
  private readonly endsWithLine: boolean;
  private isEscaped = false;
  /** A line break ends with the character behind CR, which may be LF. */
  private isBehindCr = false;
  private found = 0;

  /**
   * @param token the beginning of the token: at least three characters, all of which are skipped
   */
  constructor(token: string) {
    const first = token.charCodeAt(0);
    const isString = first === DOUBLE_QUOTE || first === SINGLE_QUOTE;
    this.closing = isString ? first : first === LESS ? GREATER : first === HASH ? LF : 0;
    const isLong = token.charCodeAt(1) === first && token.charCodeAt(2) === first;
    this.quotes = !isString ? 0 : isLong ? 3 : 1;
    this.endsWithLine = this.quotes !== 3;
  }

  /** Number of characters at the start of the token that cannot end it. */
  get openingLength(): number {
    return this.quotes || 1;
  }

  /** Returns the position behind the first possible end at or after `start`, or -1. */
  find(text: string, start = 0): number {
    const { closing, openingLength, endsWithLine } = this;
    for (let at = start; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      if (this.isBehindCr || (endsWithLine && unit === LF)) {
        this.isBehindCr = false;
        return at + 1;
      }
      if (endsWithLine && unit === CR) {
        this.isBehindCr = true;
        continue;
      }
      if (this.isEscaped) {
        this.isEscaped = false;
        continue;
      }
      if (unit === BACKSLASH) {
        this.isEscaped = true;
        this.found = 0;
      } else if (closing === 0 ? AFTER_WORD.has(unit) : unit === closing) {
        if (++this.found < openingLength) continue;
        this.found = 0;
        return at + 1;
      } else this.found = 0;
    }
    return -1;
  }
}
