import { TokenEnd } from './token-end.ts';

/** The properties of n3's tokens; lines start at 1, columns at 0. */
export interface N3Token {
  readonly type: string;
  readonly value?: string;
  readonly line: number;
  readonly start: number;
  readonly end: number;
  readonly endLine?: number;
}

type OnToken = (error: Error | null, token?: N3Token) => void;

/** The internals of n3's lexer used here. */
export interface N3Lexer {
  /**
   * Input that does not form a whole token yet; undefined before the first, null after an error.
   */
  _input: string | null | undefined;
  tokenize(input: unknown, callback: OnToken): void;
  _startTokenization(): void;
  _readStartingBom(text: string): string;
  _tryTokenizeToEnd(callback: OnToken, isFinished: boolean): void;
  _unescape(text: string, replacements: Readonly<Record<string, string>>): string | null;
}

/** Unfinished tokens longer than this are collected until they can be whole. */
const LONG_TOKEN = 1 << 10;
/**
 * A token that looked whole and was not is scanned again from its start, but not before it has
 * grown by this part of its length: the total cost stays linear.
 */
const PART_OF_TOKEN = 32;

/**
 * Feeds n3's lexer with text in pieces. Left to itself, the lexer waits after a long unfinished
 * token until its input has doubled, and then reads everything behind the token in one piece, with
 * all the quads that it makes. Here the token is collected first, and the lexer receives it without
 * the text behind it.
 */
export class N3LexerFeed {
  private readonly lexer: N3Lexer;
  private onToken!: OnToken;
  /** The text of a long token beyond the lexer's input; undefined if there is none. */
  private collected = '';
  private end: TokenEnd | undefined;
  /** Length at which a collected token is passed on if it may have ended. */
  private leastLength = 0;
  /** Whether the token may have ended before `leastLength`. */
  private mayBeWhole = false;

  /** Takes over the input of the lexer; before the parser starts. */
  constructor(lexer: N3Lexer) {
    this.lexer = lexer;
    lexer.tokenize = (_, onToken) => {
      lexer._startTokenization();
      this.onToken = onToken;
    };
  }

  /** Length of the token that has started and not ended. */
  get unfinished(): number {
    return (this.lexer._input?.length ?? 0) + this.collected.length;
  }

  /** The first character of that token, or ''. */
  get firstOfUnfinished(): string {
    return this.lexer._input?.[0] ?? '';
  }

  /** Reads text up to the end of a long token if there is one in it. Returns how much it took. */
  feed(text: string): number {
    const { lexer, end } = this;
    if (!end) {
      this.tokenize(lexer._input === undefined ? lexer._readStartingBom(text) : text);
      return text.length;
    }
    const found = end.find(text);
    const length = found < 0 ? text.length : found;
    this.collected += found < 0 ? text : text.slice(0, found);
    this.mayBeWhole ||= found >= 0;
    if (this.mayBeWhole && this.unfinished >= this.leastLength) this.tokenize('');
    return length;
  }

  /** Reads what is left, as the end of the document. */
  finish(): void {
    const { lexer } = this;
    if (typeof lexer._input !== 'string') return;
    lexer._input += this.collected;
    this.collected = '';
    lexer._tryTokenizeToEnd(this.onToken, true);
  }

  private tokenize(text: string): void {
    const { lexer, collected } = this;
    const before = this.end && this.unfinished;
    lexer._input = (lexer._input ?? '') + collected + text;
    this.collected = '';
    lexer._tryTokenizeToEnd(this.onToken, false);
    const { unfinished } = this;
    if (unfinished <= LONG_TOKEN) {
      this.end = undefined;
      return;
    }
    this.mayBeWhole = false;
    // The same token, which was not whole: `end` is where it stopped.
    if (before === unfinished) {
      this.leastLength = Math.ceil(unfinished * (1 + 1 / PART_OF_TOKEN));
      return;
    }
    this.leastLength = 0;
    this.end = new TokenEnd(lexer._input!);
    // Ends that the lexer has already seen and passed over, such as an illegal character in an IRI.
    for (let at = this.end.opening; at >= 0; ) {
      at = this.end.find(lexer._input!, at);
      if (at >= 0) this.leastLength = Math.ceil(unfinished * (1 + 1 / PART_OF_TOKEN));
    }
  }
}
