import { Buffer } from '#platform';
import type { QuadSink, TermWriter } from '../contracts/quad-sink.ts';
import { DEFAULT_GRAPH, NO_TERM, type TermId } from '../contracts/term-source.ts';
import { MAX_LANGUAGE_LENGTH } from '../model/language-tag.ts';
import { DEFAULT_REQUEST_LIMITS, limitExceeded, type RequestLimits } from '../model/request-limits.ts';
import { type TextLocation, WorldsError } from '../model/worlds-error.ts';
import { codePointAt, isLabelPart, isLabelStart, utf8Length, writeCodePoint } from './code-points.ts';
import { IriMemo, IriMemos } from './iri-memo.ts';
import { skipPlainIri, skipPlainString } from './plain-bytes.ts';

/** Nesting limit of triple terms. */
const MAX_DEPTH = 64;
/** Runs of at least this many bytes are copied natively. */
const LONG_RUN = 32;

const TAB = 0x09;
const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;
const QUOTE = 0x22;
const HASH = 0x23;
const HYPHEN = 0x2d;
const DOT = 0x2e;
const COLON = 0x3a;
const LESS = 0x3c;
const GREATER = 0x3e;
const AT = 0x40;
const BACKSLASH = 0x5c;
const CARET = 0x5e;
const UNDERSCORE = 0x5f;

/** RDF 1.1 N-Triples section 7, IRIREF: the ASCII characters allowed unescaped in an IRI. */
const IRI_BYTE = new Uint8Array(256);
for (let byte = 0x21; byte < 0x80; byte++) if (!'<>"{}|^`\\'.includes(String.fromCharCode(byte))) IRI_BYTE[byte] = 1;
/** STRING_LITERAL_QUOTE: the ASCII characters allowed unescaped in a string. */
const STRING_BYTE = new Uint8Array(256);
for (let byte = 0; byte < 0x80; byte++) if (![QUOTE, BACKSLASH, LF, CR].includes(byte)) STRING_BYTE[byte] = 1;
/** RFC 3986 section 3.1: the characters of a scheme after its first letter. */
const SCHEME_BYTE = new Uint8Array(256);
for (const char of 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-.')
  SCHEME_BYTE[char.charCodeAt(0)] = 1;

/** ECHAR: the character after a backslash and the code point it stands for. */
const ESCAPES: Readonly<Record<string, number>> = { t: 9, b: 8, n: 10, r: 13, f: 12, '"': 0x22, "'": 0x27, '\\': 0x5c };
const ESCAPE_BYTE = new Int16Array(256).fill(-1);
for (const [char, point] of Object.entries(ESCAPES)) ESCAPE_BYTE[char.charCodeAt(0)] = point;

/** The line syntax of another format that embeds N-Quads statements. */
export interface LineSyntax {
  /** Parses one line up to its end or a comment, using the parser's methods. */
  line(parser: LineParser): void;
}

/** Parses whole lines. A line end terminates every loop below, so no loop checks the length. */
export class LineParser {
  private readonly sink: QuadSink;
  private readonly syntax: LineSyntax | undefined;
  private readonly terms: TermWriter;
  private readonly allowGraph: boolean;
  private readonly limits: RequestLimits;
  private readonly maxIriLength: number;
  private bytes: Uint8Array = new Uint8Array(0);
  /** A view of the same bytes, for comparing four at a time. */
  private view: DataView = new DataView(new ArrayBuffer(0));
  private at = 0;
  private line = 1;
  private lineStart = 0;
  private lastByte = 0;
  /** False at the very beginning, where a byte-order mark is allowed and skipped. */
  private begun = false;
  private scratch = new Uint8Array(256);
  private readonly subjectMemo = new IriMemo();
  /** Keyed by the previous statement's predicate. */
  private readonly predicateMemos = new IriMemos();
  /** Keyed by the statement's predicate. */
  private readonly objectMemos = new IriMemos();
  private lastPredicate: TermId = NO_TERM;

  /** @param syntax the line syntax; a statement per line by default */
  constructor(sink: QuadSink, allowGraph: boolean, limits = DEFAULT_REQUEST_LIMITS, syntax?: LineSyntax) {
    this.syntax = syntax;
    this.limits = limits;
    this.maxIriLength = limits.maxIriLength;
    this.sink = sink;
    this.terms = sink.terms;
    this.allowGraph = allowGraph;
  }

  parse(bytes: Uint8Array, start: number, end: number): void {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.at = start;
    this.lineStart = start;
    if (!this.begun && bytes[start] === 0xef && bytes[start + 1] === 0xbb && bytes[start + 2] === 0xbf) {
      this.at += 3;
    }
    this.begun = true;
    while (this.at < end) this.parseLine();
  }

  private parseLine(): void {
    this.skipSpace();
    const byte = this.bytes[this.at];
    if (byte !== LF && byte !== CR && byte !== HASH) {
      if (this.syntax === undefined) this.statement();
      else this.syntax.line(this);
      this.skipSpace();
    }
    if (this.bytes[this.at] === HASH) this.skipComment();
    this.endLine();
  }

  /** Parses a statement with its dot and adds it to the sink. */
  statement(): void {
    const subject = this.subject();
    this.skipSpace();
    if (this.bytes[this.at] !== LESS) this.fail('expected the IRI of a predicate, in < and >');
    const predicate = this.likelyIri(this.predicateMemos.after(this.lastPredicate));
    this.lastPredicate = predicate;
    this.skipSpace();
    const object = this.object(0);
    this.skipSpace();
    let graph: TermId = DEFAULT_GRAPH;
    const byte = this.bytes[this.at];
    if (byte === LESS || byte === UNDERSCORE) {
      if (!this.allowGraph) this.fail('N-Triples has no graph labels; import it as application/n-quads');
      graph = byte === UNDERSCORE ? this.blankNode() : this.isNodeInBrackets() ? this.nodeInBrackets() : this.iri();
      this.skipSpace();
    }
    this.dot();
    this.sink.add(subject, predicate, object, graph);
  }

  /** Parses the dot at the end of a statement. */
  dot(): void {
    if (this.bytes[this.at] !== DOT) this.fail('expected a dot at the end of the statement');
    this.at++;
  }

  /**
   * Parses a word of letters, digits, `_`, `-` and inner dots, and the space after it. Returns ''
   * if there is none.
   */
  word(): string {
    const { bytes, at: start } = this;
    let end = start;
    for (let at = start; isWordByte(bytes[at]) || bytes[at] === DOT; at++) if (bytes[at] !== DOT) end = at + 1;
    this.at = end;
    this.skipSpace();
    return Buffer.from(bytes.subarray(start, end)).toString('latin1');
  }

  /** Parses and checks an IRI, blank node or literal and the space after it, and discards it. */
  skipTerm(): void {
    this.object(0);
    this.skipSpace();
  }

  /** Whether a string starts here. */
  get isAtString(): boolean {
    return this.bytes[this.at] === QUOTE;
  }

  /**
   * Returns whether a blank node is written as `<_:label>`, the form RDF Patch uses for labels that
   * N-Quads cannot express.
   */
  private isNodeInBrackets(): boolean {
    return this.syntax !== undefined && this.bytes[this.at + 1] === UNDERSCORE;
  }

  private nodeInBrackets(): TermId {
    const { bytes } = this;
    this.expect('<_:');
    const start = this.at;
    while (bytes[this.at] !== GREATER && bytes[this.at] > SPACE) {
      const point = codePointAt(bytes, this.at);
      if (point < 0) this.fail('these bytes are not valid UTF-8');
      this.at += utf8Length(point);
    }
    if (this.at === start || bytes[this.at] !== GREATER) this.fail('expected the label of a blank node');
    return this.terms.blankNode(bytes, start, this.at++);
  }

  private subject(): TermId {
    const byte = this.bytes[this.at];
    if (byte === LESS) return this.isNodeInBrackets() ? this.nodeInBrackets() : this.likelyIri(this.subjectMemo);
    if (byte === UNDERSCORE) return this.blankNode();
    return this.fail('expected a subject: an IRI in < and >, or a blank node');
  }

  /** Parses an IRI that is likely to be the one in the memo. */
  private likelyIri(memo: IriMemo): TermId {
    const start = this.at;
    const length = memo.matches(this.view, start);
    if (length > 0) {
      this.at = start + length;
      return memo.id;
    }
    const id = this.iri();
    memo.remember(this.view, start, this.at, id);
    return id;
  }

  private object(depth: number): TermId {
    const byte = this.bytes[this.at];
    if (byte === LESS) {
      if (this.bytes[this.at + 1] === LESS) return this.tripleTerm(depth);
      if (this.isNodeInBrackets()) return this.nodeInBrackets();
      return depth === 0 ? this.likelyIri(this.objectMemos.after(this.lastPredicate)) : this.iri();
    }
    if (byte === QUOTE) return this.literal();
    if (byte === UNDERSCORE) return this.blankNode();
    return this.fail('expected an object: an IRI in < and >, a blank node or a literal in double quotes');
  }

  /** RDF 1.2 N-Triples: tripleTerm ::= '<<(' subject predicate object ')>>'. */
  private tripleTerm(depth: number): TermId {
    if (depth === MAX_DEPTH) this.fail(`triple terms are nested more than ${MAX_DEPTH} levels deep`);
    this.expect('<<(');
    this.skipSpace();
    const subject = this.subject();
    this.skipSpace();
    if (this.bytes[this.at] !== LESS) this.fail('expected the IRI of a predicate, in < and >');
    const predicate = this.iri();
    this.skipSpace();
    const object = this.object(depth + 1);
    this.skipSpace();
    this.expect(')>>');
    return this.terms.triple(subject, predicate, object);
  }

  private iri(): TermId {
    const { bytes } = this;
    const start = this.at + 1;
    let at = skipPlainIri(this.view, start);
    while (IRI_BYTE[bytes[at]] === 1) at = skipPlainIri(this.view, at + 1);
    if (bytes[at] !== GREATER) return this.unusualIri();
    this.requireScheme(bytes, start, at);
    if (at - start > this.maxIriLength) this.failIriLength(start);
    this.at = at + 1;
    return this.terms.iri(bytes, start, at);
  }

  /** Parses an IRI with escapes or non-ASCII characters. */
  private unusualIri(): TermId {
    const { bytes } = this;
    const start = this.at + 1;
    this.at = start;
    let length = 0;
    for (;;) {
      const byte = bytes[this.at];
      this.reserve(length + 4);
      if (byte === GREATER) break;
      if (IRI_BYTE[byte] === 1) {
        this.scratch[length++] = byte;
        this.at++;
      } else if (byte === BACKSLASH) {
        const escapeAt = this.at;
        const point = this.numericEscape();
        if (point < 0x80 && IRI_BYTE[point] === 0) {
          this.at = escapeAt;
          this.fail('an escape in an IRI denotes a character that is not allowed in IRIs');
        }
        length = writeCodePoint(this.scratch, length, point);
      } else if (byte >= 0x80) {
        length = this.copyCodePoint(length);
      } else if (byte === LF || byte === CR) {
        this.fail('the line ends inside an IRI');
      } else {
        this.fail(`${describe(byte)} is not allowed in an IRI`);
      }
    }
    this.requireScheme(this.scratch, 0, length, start);
    if (length > this.maxIriLength) this.failIriLength(start);
    this.at++;
    return this.terms.iri(this.scratch, 0, length);
  }

  /**
   * Checks that an IRI starts with a scheme: IRIs in these formats are absolute (RDF 1.1 N-Triples
   * section 3.1; RFC 3986 section 3.1).
   */
  private requireScheme(bytes: Uint8Array, start: number, end: number, errorAt = start): void {
    const first = bytes[start] | 0x20;
    let at = start;
    if (first >= 0x61 && first <= 0x7a) while (at < end && SCHEME_BYTE[bytes[at]] === 1) at++;
    if (at === start || at === end || bytes[at] !== COLON) {
      this.at = errorAt;
      this.fail('expected an absolute IRI, with a scheme such as http:');
    }
  }

  private blankNode(): TermId {
    const { bytes } = this;
    this.expect('_:');
    const start = this.at;
    let point = codePointAt(bytes, this.at);
    if (!isLabelStart(point)) this.fail('expected the label of a blank node');
    let end = this.at;
    while (isLabelPart(point) || point === DOT) {
      this.at += utf8Length(point);
      // A dot is allowed inside a label but not at its end.
      if (point !== DOT) end = this.at;
      point = codePointAt(bytes, this.at);
    }
    if (point < 0) this.fail('these bytes are not valid UTF-8');
    this.at = end;
    return this.terms.blankNode(bytes, start, end);
  }

  private literal(): TermId {
    const { bytes } = this;
    const start = this.at + 1;
    let at = skipPlainString(this.view, start);
    while (STRING_BYTE[bytes[at]] === 1) at = skipPlainString(this.view, at + 1);
    if (bytes[at] === QUOTE) {
      this.at = at + 1;
      this.skipSpace();
      return this.literalOf(bytes, start, at);
    }
    const length = this.unusualString(at);
    this.skipSpace();
    // Parsing the datatype may overwrite the scratch buffer.
    const copy = this.bytes[this.at] === CARET ? this.scratch.slice(0, length) : this.scratch;
    return this.literalOf(copy, 0, length);
  }

  /**
   * Unescapes a string with escapes or non-ASCII characters into the scratch buffer. Returns its
   * length.
   * @param plainEnd end of its leading characters that need no processing
   */
  private unusualString(plainEnd: number): number {
    const { bytes } = this;
    this.at++;
    let length = 0;
    if (plainEnd - this.at >= LONG_RUN) {
      length = plainEnd - this.at;
      this.reserve(length);
      this.scratch.set(bytes.subarray(this.at, plainEnd));
      this.at = plainEnd;
    }
    for (;;) {
      const byte = bytes[this.at];
      this.reserve(length + 4);
      if (STRING_BYTE[byte] === 1) {
        this.scratch[length++] = byte;
        this.at++;
      } else if (byte === QUOTE) {
        this.at++;
        return length;
      } else if (byte === BACKSLASH) {
        const escaped = ESCAPE_BYTE[bytes[this.at + 1]];
        if (escaped >= 0) {
          this.scratch[length++] = escaped;
          this.at += 2;
        } else {
          length = writeCodePoint(this.scratch, length, this.numericEscape());
        }
      } else if (byte >= 0x80) {
        length = this.copyCodePoint(length);
      } else {
        this.fail('the line ends inside a string');
      }
    }
  }

  /**
   * Returns the literal with the given text and the language or datatype that follows at `this.at`.
   */
  private literalOf(text: Uint8Array, start: number, end: number): TermId {
    const { bytes } = this;
    const byte = bytes[this.at];
    if (byte === AT) {
      const tag = ++this.at;
      this.languageTag();
      return this.terms.languageLiteral(text, start, end, bytes, tag, this.at);
    }
    if (byte !== CARET) return this.terms.literal(text, start, end, NO_TERM);
    this.expect('^^');
    this.skipSpace();
    if (bytes[this.at] !== LESS) this.fail('expected the IRI of a datatype, in < and >');
    const datatypeAt = this.at;
    const datatype = this.iri();
    if (this.isLanguageDatatype(datatypeAt)) {
      this.at = datatypeAt;
      this.fail('a literal with this datatype needs a language tag instead');
    }
    return this.terms.literal(text, start, end, datatype);
  }

  /** RDF 1.1 Concepts 3.3: a literal has rdf:langString if and only if it has a language tag. */
  private isLanguageDatatype(at: number): boolean {
    const length = this.at - at;
    if (length !== LANG_STRING.length && length !== DIR_LANG_STRING.length) return false;
    const text = Buffer.from(this.bytes.buffer, this.bytes.byteOffset + at, length).toString('latin1');
    return text === LANG_STRING || text === DIR_LANG_STRING;
  }

  /**
   * LANG_DIR ::= '@' [a-zA-Z]+ ('-' [a-zA-Z0-9]+)* ('--' [a-zA-Z]+)? (RDF 1.2 N-Quads section 5),
   * with a language of at most 8 letters (language-tag.ts).
   */
  private languageTag(): void {
    const { bytes, at: start } = this;
    let partStart = start;
    while (isLetter(bytes[this.at])) this.at++;
    if (this.at === partStart) this.fail('expected a language tag');
    if (this.at > partStart + MAX_LANGUAGE_LENGTH) this.fail('this is not a well-formed language tag');
    while (bytes[this.at] === HYPHEN) {
      partStart = ++this.at;
      if (bytes[this.at] === HYPHEN) {
        const direction = Buffer.from(bytes.subarray(this.at + 1, this.at + 4)).toString('latin1');
        if (direction !== 'ltr' && direction !== 'rtl') this.fail('expected the base direction ltr or rtl');
        this.at += 4;
        return;
      }
      while (isLetter(bytes[this.at]) || isDigit(bytes[this.at])) this.at++;
      if (this.at === partStart) this.fail('expected letters or digits in a language tag');
      if (this.at - start > this.limits.maxLanguageTagLength)
        throw limitExceeded('maxLanguageTagLength', this.limits, this.lineLocation());
    }
  }

  /** UCHAR ::= '\\u' HEX{4} | '\\U' HEX{8}. */
  private numericEscape(): number {
    const { bytes } = this;
    const kind = bytes[this.at + 1];
    const digits = kind === 0x75 ? 4 : kind === 0x55 ? 8 : 0;
    if (digits === 0) this.fail('this is not an escape sequence');
    let point = 0;
    for (let i = 0; i < digits; i++) {
      const value = hexValue(bytes[this.at + 2 + i]);
      if (value < 0) this.fail(`expected ${digits} hexadecimal digits`);
      point = point * 16 + value;
    }
    if (point > 0x10_ffff || (point >= 0xd800 && point <= 0xdfff))
      this.fail('this escape does not denote a Unicode character');
    this.at += 2 + digits;
    return point;
  }

  private copyCodePoint(length: number): number {
    const point = codePointAt(this.bytes, this.at);
    if (point < 0) this.fail('these bytes are not valid UTF-8');
    this.at += utf8Length(point);
    return writeCodePoint(this.scratch, length, point);
  }

  private reserve(length: number): void {
    if (length <= this.scratch.length) return;
    const grown = new Uint8Array(Math.max(length, this.scratch.length * 2));
    grown.set(this.scratch);
    this.scratch = grown;
  }

  skipSpace(): void {
    const { bytes } = this;
    let { at } = this;
    while (bytes[at] === SPACE || bytes[at] === TAB) at++;
    this.at = at;
  }

  private skipComment(): void {
    const { bytes } = this;
    while (bytes[this.at] !== LF && bytes[this.at] !== CR) {
      const point = codePointAt(bytes, this.at);
      if (point < 0) this.fail('these bytes are not valid UTF-8');
      this.at += utf8Length(point);
    }
  }

  private endLine(): void {
    const byte = this.bytes[this.at];
    if (byte !== LF && byte !== CR) this.fail('expected the end of the line or a comment');
    // CR LF is one line end, even if a chunk ends between them.
    if (!(byte === LF && this.lastByte === CR && this.at === this.lineStart)) this.line++;
    this.lastByte = byte;
    this.at++;
    this.lineStart = this.at;
  }

  private expect(text: string): void {
    for (let i = 0; i < text.length; i++) {
      if (this.bytes[this.at + i] !== text.charCodeAt(i)) this.fail(`expected ${text}`);
    }
    this.at += text.length;
  }

  /** The start of the next line to parse. */
  lineLocation(): TextLocation {
    return { line: this.line, column: 1 };
  }

  private failIriLength(start: number): never {
    throw limitExceeded('maxIriLength', this.limits, { line: this.line, column: start - this.lineStart });
  }

  /** Throws INVALID_RDF with the parser's current location. */
  fail(problem: string): never {
    const location = { line: this.line, column: this.at - this.lineStart + 1 };
    throw new WorldsError('INVALID_RDF', `The document is not well-formed: ${problem}.`, { location });
  }
}

const LANG_STRING = '<http://www.w3.org/1999/02/22-rdf-syntax-ns#langString>';
const DIR_LANG_STRING = '<http://www.w3.org/1999/02/22-rdf-syntax-ns#dirLangString>';

function isLetter(byte: number): boolean {
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x7a;
}

function isWordByte(byte: number): boolean {
  return isLetter(byte) || isDigit(byte) || byte === UNDERSCORE || byte === HYPHEN;
}

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39;
}

function hexValue(byte: number): number {
  if (isDigit(byte)) return byte - 0x30;
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}

function describe(byte: number): string {
  return byte > SPACE && byte < 0x7f ? `The character ${String.fromCharCode(byte)}` : `The byte 0x${byte.toString(16)}`;
}
