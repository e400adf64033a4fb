import type { TextLocation } from '../../model/worlds-error.ts';
import type { TextRange } from '../algebra/algebra.ts';
import { codepointAt, endOfIri, isCodepointEscape, type UnescapedText } from './codepoint-escapes.ts';
import {
  ASCII,
  HEX,
  isDigit,
  isName,
  isNameStart,
  isVariable,
  LOCAL_ESCAPE,
  NAME_START,
  WORD,
} from './name-characters.ts';
import { failAt, type ScannableText } from './scannable-text.ts';
import { textLocation } from './text-location.ts';
import { wordToken } from './words.ts';

/** ECHAR (rule 160): characters by the letter after the backslash. */
/** Comments of a text that are remembered. */
const MAX_COMMENTS = 16;

const CHARACTER_ESCAPES: ReadonlyMap<number, string> = new Map(
  [...'t\tb\bn\nr\rf\f""\'\'\\\\'].reduce<[number, string][]>((pairs, character, at, all) => {
    if (at % 2 === 0) pairs.push([character.charCodeAt(0), all[at + 1]]);
    return pairs;
  }, []),
);

/**
 * Tokenizes a SPARQL text, one token at a time: the terminals of section 19.8 with longest match.
 * `token` identifies the current token. Punctuation and keywords stand for themselves (keywords in
 * upper case); other tokens have a name in angle brackets: `<iri>`, `<name>` (a prefixed name),
 * `<blank>`, `<variable>`, `<language>`, `<string>`, `<integer>`, `<decimal>`, `<double>`, `<word>`
 * (not a SPARQL word), `<end>`.
 */
export class Scanner {
  protected readonly text: string;
  protected token = '';
  protected start = 0;
  protected end = 0;
  /**
   * Content of the current token without delimiters and escapes: the IRI, string, local name, label
   * or variable name.
   */
  protected value = '';
  /**
   * Whether the current IRI was written with escapes, so that `value` differs from the source text.
   */
  protected escaped = false;
  /** For a `<name>`: offset of its colon. */
  protected colon = 0;
  private noColonBefore = 0;
  /** End of the token before the current one. */
  protected previousEnd = 0;
  /** The first comments. */
  protected readonly comments: TextRange[] = [];
  private readonly original: string;
  private readonly unescaped: UnescapedText | undefined;

  constructor({ original, unescaped }: ScannableText) {
    this.original = original;
    this.unescaped = unescaped;
    this.text = unescaped?.text ?? original;
    this.next();
  }

  /** Throws INVALID_SPARQL with a location; `offset` defaults to the current token. */
  protected fail(message: string, offset = this.start): never {
    this.failAt(this.unescaped?.originalOffset(offset) ?? offset, message);
  }

  /** Throws INVALID_SPARQL for an unexpected token. */
  protected failExpected(what: string): never {
    this.fail(`Expected ${what}, but found ${this.found()}`);
  }

  /** Returns the location of the current token. */
  protected location(): TextLocation {
    return textLocation(this.original, this.unescaped?.originalOffset(this.start) ?? this.start);
  }

  private failAt(offset: number, message: string): never {
    failAt(this.original, offset, message);
  }

  private found(): string {
    if (this.token === '<end>') return 'the end of the text';
    const token = this.text.slice(this.start, Math.min(this.end, this.start + 60));
    const cut = this.end > this.start + 60 ? `${token.toWellFormed()}...` : token;
    return this.token === '<'
      ? '"<", which does not begin an IRI (an IRI ends with ">" and contains no space, quote or brace)'
      : JSON.stringify(cut);
  }

  protected at(token: string): boolean {
    return this.token === token;
  }

  /** Consumes a token if it is the current one, and returns whether it was. */
  protected accept(token: string): boolean {
    if (this.token !== token) return false;
    this.next();
    return true;
  }

  /** Consumes the given token; throws INVALID_SPARQL if it is not the current one. */
  protected expect(token: string, what = `"${token}"`): void {
    if (this.token !== token) this.failExpected(what);
    this.next();
  }

  /** Returns the text from an offset to the end of the previous token. */
  protected textBefore(start: number): string {
    return this.text.slice(start, this.previousEnd);
  }

  /** Splits a longer token so that its first `<` becomes the current token. */
  protected splitLess(): void {
    this.token = '<';
    this.end = this.start + 1;
  }

  /** Moves to the first token at or after an offset. */
  protected skipTo(offset: number): void {
    this.end = offset;
    this.next();
  }

  protected next(): void {
    const { text } = this;
    const { length } = text;
    let at = (this.previousEnd = this.end);
    let code = 0;
    for (; at < length; at++) {
      code = text.charCodeAt(at);
      if (code === 32 || code === 10 || code === 13 || code === 9) continue;
      if (code !== 35) break;
      // A comment extends to the end of the line (section 19.4).
      const start = at;
      while (++at < length && (code = text.charCodeAt(at)) !== 10 && code !== 13);
      if (this.comments.length < MAX_COMMENTS) this.comments.push({ start, end: at });
    }
    this.start = at;
    this.end = at + 1;
    if (at >= length) {
      this.start = this.end = length;
      this.token = '<end>';
    } else if (code < 128 && (ASCII[code] & NAME_START) === 0) this.token = this.punctuation(code, at);
    else this.token = this.word(code, at);
  }

  /**
   * Returns the token that starts with a non-word character. `end` must already be after that
   * character.
   */
  private punctuation(code: number, at: number): string {
    const following = at + 1 < this.text.length ? this.text.charCodeAt(at + 1) : 0;
    switch (code) {
      case 0x7b:
        return following === 0x7c ? this.long('{|') : '{';
      case 0x7d:
        return '}';
      case 0x28:
        return '(';
      case 0x29:
        return this.text.startsWith('>>', at + 1) ? this.long(')>>') : ')';
      case 0x5b:
        return '[';
      case 0x5d:
        return ']';
      case 0x2e:
        return isDigit(following) ? this.number(at) : '.';
      case 0x2c:
        return ',';
      case 0x3b:
        return ';';
      case 0x3f:
      case 0x24:
        return this.variableName(code, at, following);
      case 0x3c:
        return this.less(at, following);
      case 0x3e:
        return following === 0x3d ? this.long('>=') : following === 0x3e ? this.long('>>') : '>';
      case 0x22:
      case 0x27:
        return this.string(code, at);
      case 0x2a:
        return '*';
      case 0x2f:
        return '/';
      case 0x7c:
        return following === 0x7c ? this.long('||') : following === 0x7d ? this.long('|}') : '|';
      case 0x5e:
        return following === 0x5e ? this.long('^^') : '^';
      case 0x3d:
        return '=';
      case 0x21:
        return following === 0x3d ? this.long('!=') : '!';
      case 0x26:
        if (following === 0x26) return this.long('&&');
        break;
      case 0x7e:
        return '~';
      case 0x40:
        return this.language(at);
      case 0x3a:
        return this.prefixedName(at);
      case 0x2b:
      case 0x2d: {
        // "?x -1" is a variable and a signed number, by longest match.
        const third = at + 2 < this.text.length ? this.text.charCodeAt(at + 2) : 0;
        if (isDigit(following) || (following === 0x2e && isDigit(third))) return this.number(at + 1);
        return code === 0x2b ? '+' : '-';
      }
      default:
        if (isDigit(code)) return this.number(at);
    }
    this.end = at + 1;
    return '<word>';
  }

  private long(token: string): string {
    this.end = this.start + token.length;
    return token;
  }

  private variableName(code: number, at: number, following: number): string {
    const { text } = this;
    let end = at + 1;
    // VARNAME starts with PN_CHARS_U or a digit (rule 166).
    if (isNameStart(following) || isDigit(following)) {
      do end++;
      while (end < text.length && isVariable(text.charCodeAt(end)));
      this.value = text.slice(at + 1, end);
      this.end = end;
      return '<variable>';
    }
    return code === 0x3f ? '?' : '<word>';
  }

  private less(at: number, following: number): string {
    if (following === 0x3c) return this.text.charCodeAt(at + 2) === 0x28 ? this.long('<<(') : this.long('<<');
    const end = endOfIri(this.text, at);
    if (end < 0) return following === 0x3d ? this.long('<=') : '<';
    this.end = end;
    this.value = this.text.slice(at + 1, end - 1);
    this.escaped = this.value.includes('\\');
    if (this.escaped) this.value = this.unescapedIri(at + 1, end - 1);
    return '<iri>';
  }

  private unescapedIri(start: number, end: number): string {
    const { text } = this;
    let iri = '';
    for (let at = start; at < end; ) {
      const backslash = text.indexOf('\\', at);
      const stop = backslash < 0 || backslash > end ? end : backslash;
      iri += text.slice(at, stop);
      if (stop === end) break;
      iri += String.fromCodePoint(codepointAt(text, stop, (offset, message) => this.fail(message, offset)));
      at = stop + (text.charCodeAt(stop + 1) === 0x75 ? 6 : 10);
    }
    return iri;
  }

  /**
   * INTEGER, DECIMAL or DOUBLE (rules 146 to 148), from its first digit or dot. A sign before it is
   * part of the token.
   */
  private number(at: number): string {
    const { text } = this;
    const { length } = text;
    let end = at;
    while (end < length && isDigit(text.charCodeAt(end))) end++;
    let token = '<integer>';
    if (end + 1 < length && text.charCodeAt(end) === 0x2e && isDigit(text.charCodeAt(end + 1))) {
      token = '<decimal>';
      do end++;
      while (end < length && isDigit(text.charCodeAt(end)));
    }
    // "1.e5" is a DOUBLE, "1.e" is not.
    const mark = token === '<integer>' && end > at && text.charCodeAt(end) === 0x2e ? end + 1 : end;
    if (mark < length && (text.charCodeAt(mark) | 32) === 0x65) {
      let exponent = mark + 1;
      const sign = text.charCodeAt(exponent);
      if (sign === 0x2b || sign === 0x2d) exponent++;
      if (exponent < length && isDigit(text.charCodeAt(exponent))) {
        token = '<double>';
        end = exponent;
        while (end < length && isDigit(text.charCodeAt(end))) end++;
      }
    }
    this.end = end;
    this.value = text.slice(this.start, end);
    return token;
  }

  /** LANG_DIR (SPARQL 1.2): `value` is the language tag, including its base direction. */
  private language(at: number): string {
    LANGUAGE.lastIndex = at;
    const match = LANGUAGE.exec(this.text);
    if (!match) this.fail('Expected a language tag after "@"', at);
    this.end = at + match[0].length;
    this.value = match[0].slice(1);
    return '<language>';
  }

  private string(quote: number, at: number): string {
    const { text } = this;
    const { length } = text;
    const isLong = text.charCodeAt(at + 1) === quote && text.charCodeAt(at + 2) === quote;
    const first = isLong ? at + 3 : at + 1;
    let end = first;
    let kept = first;
    let value = '';
    for (; end < length; end++) {
      const code = text.charCodeAt(end);
      if (code === quote) {
        if (!isLong) break;
        if (text.charCodeAt(end + 1) === quote && text.charCodeAt(end + 2) === quote) break;
      } else if (code === 0x5c) {
        value += text.slice(kept, end);
        const character = CHARACTER_ESCAPES.get(text.charCodeAt(end + 1));
        if (character !== undefined) {
          value += character;
          end += 1;
        } else if (isCodepointEscape(text, end)) {
          value += String.fromCodePoint(codepointAt(text, end, (offset, message) => this.fail(message, offset)));
          end += text.charCodeAt(end + 1) === 0x75 ? 5 : 9;
        } else
          this.fail('A backslash in a string begins one of \\t \\b \\n \\r \\f \\" \\\' \\\\ \\uXXXX \\UXXXXXXXX', end);
        kept = end + 1;
      } else if ((code === 10 || code === 13) && !isLong)
        this.fail('A string in single quotation marks ends on its line: write \\n, or use three quotation marks', at);
    }
    if (end >= length) this.fail('The string is not closed', at);
    this.value = kept === first ? text.slice(first, end) : value + text.slice(kept, end);
    this.end = isLong ? end + 3 : end + 1;
    return '<string>';
  }

  /** Scans a keyword, `a`, a prefixed name or a blank node label. */
  private word(code: number, at: number): string {
    const { text } = this;
    const { length } = text;
    if (code === 0x5f && text.charCodeAt(at + 1) === 0x3a) return this.blankNodeLabel(at);
    if (!isNameStart(code)) {
      // Includes a whole astral character, two code units, for the error message.
      this.end = at + String.fromCodePoint(text.codePointAt(at)!).length;
      return '<word>';
    }
    let wordEnd = at;
    while (wordEnd < length && (code = text.charCodeAt(wordEnd)) < 128 && (ASCII[code] & WORD) !== 0) wordEnd++;
    // A prefix may extend beyond the characters of a keyword. The lookahead for its colon is not
    // repeated within a range that has none.
    if (wordEnd >= this.noColonBefore) {
      let end = wordEnd;
      while (end < length && (isName((code = text.charCodeAt(end))) || code === 0x2e)) end++;
      // PN_PREFIX (rule 168) does not start with an underscore or end with a dot.
      if (end < length && code === 0x3a && text.charCodeAt(end - 1) !== 0x2e && text.charCodeAt(at) !== 0x5f)
        return this.prefixedName(end);
      this.noColonBefore = end;
    }
    this.end = wordEnd > at ? wordEnd : this.noColonBefore;
    return wordToken(text.slice(at, this.end)) ?? '<word>';
  }

  private blankNodeLabel(at: number): string {
    const { text } = this;
    const { length } = text;
    let end = at + 2;
    const code = end < length ? text.charCodeAt(end) : 0;
    if (!isNameStart(code) && !isDigit(code)) this.fail('Expected the label of a blank node after "_:"', at);
    do end++;
    while (end < length && (isName(text.charCodeAt(end)) || text.charCodeAt(end) === 0x2e));
    while (text.charCodeAt(end - 1) === 0x2e) end--;
    this.end = end;
    this.value = text.slice(at + 2, end);
    return '<blank>';
  }

  /**
   * PNAME_NS or PNAME_LN, starting at its colon. `value` is the local name without the backslashes
   * of its escapes (rules 169 to 173).
   */
  private prefixedName(colon: number): string {
    const { text } = this;
    const { length } = text;
    const first = colon + 1;
    let end = first;
    let kept = first;
    let local = '';
    /** Offset after the last character that may end a local name: any except an unescaped dot. */
    let last = first;
    for (; end < length; end++) {
      const code = text.charCodeAt(end);
      if (code === 0x2e) {
        if (end === first) break;
        continue;
      }
      if (code === 0x5c) {
        const character = end + 1 < length ? text.charCodeAt(end + 1) : 0;
        if (character > 127 || (ASCII[character] & LOCAL_ESCAPE) === 0)
          this.fail(`A backslash in a name stands before one of _~.-!$&'()*+,;=/?#@%`, end);
        local += text.slice(kept, end);
        kept = ++end;
      } else if (code === 0x25) {
        if (!this.isHex(end + 1) || !this.isHex(end + 2)) this.fail('Expected two hexadecimal digits after "%"', end);
        end += 2;
      } else if (!(code === 0x3a || isDigit(code) || (end === first ? isNameStart(code) : isName(code)))) break;
      last = end + 1;
    }
    this.colon = colon;
    this.end = last;
    this.value = kept === first ? text.slice(first, last) : local + text.slice(kept, last);
    return '<name>';
  }

  private isHex(at: number): boolean {
    const code = at < this.text.length ? this.text.charCodeAt(at) : 0;
    return code < 128 && (ASCII[code] & HEX) !== 0;
  }
}

const LANGUAGE = /@[a-zA-Z]+(?:-[a-zA-Z0-9]+)*(?:--[a-zA-Z]+)?/y;
