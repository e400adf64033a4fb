import { LongString } from './long-string.ts';
import { TokenEnd } from './token-end.ts';

/** The properties of n3's tokens; lines start at 1, columns at 0. */
export interface N3Token {
  readonly type: string;
  readonly value?: string;
  readonly line: number;
  readonly start: number;
  readonly end: number;
  readonly endLine?: number;
  readonly prefix?: string;
  readonly tripleQuoted?: boolean;
}

type OnToken = (error: Error | null, token?: N3Token) => void;

/** The internals of n3's lexer used here. */
export interface N3Lexer {
  /**
   * Input that does not form a whole token yet; undefined before the first, null after an error.
   */
  _input: string | null | undefined;
  /** Column behind the last character read, or of the unfinished token. */
  _linePosition: number;
  _line: number;
  /** Type of the token before, if it says what may come next. */
  _previousMarker: string | undefined;
  previousToken: N3Token | undefined;
  _literalClosingPos: number;
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

/** Tokens that change what a string behind them means to the lexer. */
const BEFORE_OTHER_STRINGS = new Set(['^^', 'VERSION', '@version']);

/**
 * Feeds n3's lexer with text in pieces. Left to itself, the lexer waits after a long unfinished
 * token until its input has doubled, and then reads everything behind the token in one piece, with
 * all the quads that it makes. Here the token is collected first, and the lexer receives it without
 * the text behind it. Long strings are unescaped as they come, and passed on around the lexer.
 */
export class N3LexerFeed {
  private readonly lexer: N3Lexer;
  private onToken!: OnToken;
  /** The text of a long token beyond the lexer's input. */
  private collected = '';
  /** Where the long token may end; undefined if there is none. */
  private end: TokenEnd | undefined;
  private string: LongString | undefined;
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
    const piece = text.slice(0, length);
    this.collected += piece;
    this.string?.add(piece);
    this.mayBeWhole ||= found >= 0;
    if (this.mayBeWhole && this.unfinished >= this.leastLength && !this.passStringOn(piece)) this.tokenize('');
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

  /**
   * Passes a long string, of which `last` is the end, to the parser. Returns false if the lexer has
   * to look at the token.
   */
  private passStringOn(last: string): boolean {
    const { lexer, string, end, unfinished } = this;
    if (!string || !end || last.at(-1) !== this.firstOfUnfinished) return false;
    const { quotes } = end;
    if (string.lines > 0 && quotes === 1) return false;
    const written = string.value();
    if (written === null) return false;
    const { _line: line, _linePosition: start } = lexer;
    const isMultiline = string.lines > 0;
    const column = isMultiline ? string.lastLineLength : start + unfinished;
    lexer._line += string.lines;
    const token: N3Token = {
      type: 'literal',
      value: written.slice(0, -quotes),
      prefix: '',
      line,
      start,
      end: column,
      ...(isMultiline && { endLine: lexer._line }),
      ...(quotes === 3 && { tripleQuoted: true }),
    };
    lexer._input = '';
    lexer._linePosition = column;
    lexer._literalClosingPos = 0;
    lexer._previousMarker = token.type;
    lexer.previousToken = token;
    this.collected = '';
    this.end = this.string = undefined;
    this.onToken(null, token);
    return true;
  }

  private tokenize(text: string): void {
    const { lexer, end } = this;
    const before = end && this.unfinished;
    lexer._input = (lexer._input ?? '') + this.collected + text;
    this.collected = '';
    this.string = undefined;
    this.mayBeWhole = false;
    lexer._tryTokenizeToEnd(this.onToken, false);
    const { unfinished } = this;
    if (unfinished <= LONG_TOKEN) this.end = undefined;
    // The token was not whole: `end` continues where it stopped.
    else if (before === unfinished) this.leastLength = grown(unfinished);
    else this.beginLongToken(lexer._input!);
  }

  private beginLongToken(token: string): void {
    const end = new TokenEnd(token);
    this.end = end;
    this.leastLength = 0;
    // Ends that the lexer has passed over, such as a > behind an illegal character of an IRI.
    let at = end.find(token, end.openingLength);
    if (at >= 0) this.leastLength = grown(token.length);
    else if (end.quotes > 0 && !BEFORE_OTHER_STRINGS.has(this.lexer._previousMarker ?? '')) {
      this.string = new LongString();
      this.string.add(token.slice(end.openingLength));
    }
    while (at >= 0) at = end.find(token, at);
  }
}

function grown(length: number): number {
  return Math.ceil(length * (1 + 1 / PART_OF_TOKEN));
}
