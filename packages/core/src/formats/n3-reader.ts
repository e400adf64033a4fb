import type * as RDF from '@rdfjs/types';
import type { QuadSink } from '../contracts/quad-sink.ts';
import { IriBase } from '../model/iri.ts';
import { DEFAULT_REQUEST_LIMITS, limitExceeded } from '../model/request-limits.ts';
import { type TextLocation, WorldsError } from '../model/worlds-error.ts';
import { addQuad } from './add-quad.ts';
import { checkedBaseIri } from './base-iri.ts';
import { DocumentTerms } from './document-terms.ts';
import { IriMeter } from './iri-meter.ts';
import { type N3Lexer, N3LexerFeed, type N3Token } from './n3-lexer-feed.ts';
import { messageOfN3 } from './n3-messages.ts';
import { PacedText } from './paced-text.ts';
import type { ReadOptions } from './rdf-format.ts';
import { unescapeLong } from './unescape-long.ts';
import { utf8Text } from './utf8-text.ts';

type N3Syntax = 'Turtle' | 'TriG' | 'N3';

/**
 * The same limit as in the N-Quads reader, so that everything read can be written and read again.
 */
const MAX_TRIPLE_TERM_DEPTH = 64;

/** Length of `\U` with eight digits. */
const LONGEST_ESCAPE = 10;
/**
 * Written units per unit of the longest IRI in a prefixed name: escapes of two units, and a prefix
 * as long as the IRI. The lexer scans a name again as it grows.
 */
const LONGEST_NAME = 3;
/** Begins a prefixed name or a word, but no string, number, blank node or other token. */
const FIRST_OF_NAME = /^[^<"'@#+\-.0-9_]/;

/** Longer strings are unescaped by {@link unescapeLong}. */
const LONG_STRING = 1 << 14;

/**
 * The internals of n3's parser used here; {@link N3LexerFeed} feeds its lexer.
 */
interface N3Parser {
  /** The current base without its fragment, or ''. */
  readonly _base: string;
  /** Prefix to namespace IRI; {@link parse} replaces the object. */
  readonly _prefixes: Record<string, string>;
  /** The statements around the open brackets; {@link parse} replaces the array. */
  readonly _contextStack: readonly unknown[];
  _resolveRelativeIRI(reference: string): string | null;
  _setBase(iri: string | undefined): void;
  /**
   * Makes a literal of a string and the token after it; a base direction may follow a language tag.
   */
  _completeLiteral(
    token: N3Token,
    component: unknown,
  ): { token: N3Token | null; literal: RDF.Literal; readCb: boolean };
  readonly _literalValue: string;
  _literalLanguage: string;
  _literalComponent: unknown;
  readonly _lexer: N3Lexer;
  parse(
    input: undefined,
    callbacks: {
      onQuad(error: (Error & { context?: { line?: number; previousToken?: N3Token } }) | null, quad?: RDF.Quad): void;
      onPrefix(prefix: string, iri: string | RDF.NamedNode): void;
      onToken(token: N3Token): void;
    },
  ): void;
}

type N3ParserClass = new (options: Record<string, unknown>) => N3Parser;

/**
 * Import shapes of CommonJS with `exports.default`: in Node the default is the whole `exports`, in
 * some bundlers its `default`.
 */
interface CommonJsDefault<T> {
  readonly default: T | { readonly default: T };
}

/** Notation3 constructs beyond RDF, by n3's token type, or by type and value. */
const BEYOND_RDF = new Map([
  ['{', 'a formula'],
  ['var', 'a variable'],
  ['@forAll', 'a quantifier'],
  ['@forSome', 'a quantifier'],
  ['abbreviation >', 'a rule'],
  ['abbreviation <', 'a rule'],
  ['inverse >', 'a rule'],
]);

/**
 * Reads Turtle (RDF 1.1 and 1.2). Streams: holds one token and one statement's nesting in memory.
 * Lines and columns of errors count UTF-16 units.
 */
export function readTurtle(chunks: AsyncIterable<Uint8Array>, sink: QuadSink, options: ReadOptions): Promise<void> {
  return read('Turtle', chunks, sink, options);
}

/** Reads TriG; like {@link readTurtle}. */
export function readTrig(chunks: AsyncIterable<Uint8Array>, sink: QuadSink, options: ReadOptions): Promise<void> {
  return read('TriG', chunks, sink, options);
}

/**
 * Reads the RDF subset of Notation3: Turtle, paths, `is ... of`, `=`. Formulas, variables,
 * quantifiers and rules are INVALID_RDF.
 */
export function readN3(chunks: AsyncIterable<Uint8Array>, sink: QuadSink, options: ReadOptions): Promise<void> {
  return read('N3', chunks, sink, options);
}

/**
 * Loads n3's parser on first use, so that importing the library stays cheap. Imports its file
 * directly: n3's index also loads a store that calls `require('stream')`, which fails in an ES
 * module made by esbuild.
 */
async function n3Parser(): Promise<N3ParserClass> {
  // @ts-expect-error: @types/n3 declares the index only
  const module = (await import('n3/lib/N3Parser.js')) as CommonJsDefault<N3ParserClass>;
  return 'default' in module.default ? module.default.default : module.default;
}

async function read(
  syntax: N3Syntax,
  chunks: AsyncIterable<Uint8Array>,
  sink: QuadSink,
  options: ReadOptions,
): Promise<void> {
  const baseIRI = checkedBaseIri(options.baseIri);
  const Parser = await n3Parser();

  let token: N3Token | undefined;
  let complete = false;
  let empty = true;
  const location = (): TextLocation => ({ line: token?.line ?? 1, column: (token?.start ?? 0) + 1 });
  const fail = (message: string): never => {
    throw invalid(syntax, message, token && location());
  };
  const { limits = DEFAULT_REQUEST_LIMITS } = options;
  const meter = new IriMeter(limits, location);

  const factory = new DocumentTerms(fail, meter);
  const parser = new Parser({
    format: syntax,
    baseIRI,
    factory,
    // Passes labels to the factory as written; by default n3 numbers the documents of a process.
    blankNodePrefix: '_:',
    // Otherwise a label inside [] or () denotes a different node than the same label outside.
    formulaScopedBlankNodes: true,
    maxTripleTermDepth: MAX_TRIPLE_TERM_DEPTH,
  });

  // n3 appends to a base without a slash, such as a URN, instead of replacing its path.
  let base: IriBase | undefined;
  parser._resolveRelativeIRI = (reference) => {
    if (parser._base === '') return reference;
    // RFC 3986 section 4.2: a first segment with a colon would be a scheme.
    if (/^[^/?#]*:/.test(reference)) return null;
    if (base?.iri !== parser._base) base = new IriBase(parser._base);
    return base.resolve(reference);
  };
  const setBase = parser._setBase;
  parser._setBase = (iri) => {
    if (iri !== undefined) meter.claim(iri);
    setBase.call(parser, iri);
  };

  // n3 rejects long subtags, which occur in real data; the factory validates language tags instead.
  const completeLiteral = parser._completeLiteral;
  parser._completeLiteral = (next, component) => {
    if (next.type !== 'langcode') return completeLiteral.call(parser, next, component);
    const language = next.value!;
    parser._literalLanguage = language;
    parser._literalComponent = component;
    return { token: null, literal: factory.literal(parser._literalValue, language), readCb: true };
  };

  const lexer = parser._lexer;
  const unescapeShort = lexer._unescape;
  lexer._unescape = (text, replacements) =>
    text.length > LONG_STRING ? unescapeLong(text, replacements) : unescapeShort.call(lexer, text, replacements);

  const input = new N3LexerFeed(lexer);
  const text = new PacedText(meter, options.slicer, (piece) => {
    const read = input.feed(piece);
    const { unfinished } = input;
    if (unfinished > limits.maxTokenLength) throw limitExceeded('maxTokenLength', limits, token && location());
    if (input.firstOfUnfinished === '<' && unfinished > limits.maxIriLength * LONGEST_ESCAPE)
      throw limitExceeded('maxIriLength', limits, token && location());
    if (unfinished > limits.maxIriLength * LONGEST_NAME && FIRST_OF_NAME.test(input.firstOfUnfinished))
      throw limitExceeded('maxIriLength', limits, token && location());
    if (unfinished > limits.maxLanguageTagLength && input.firstOfUnfinished === '@')
      throw limitExceeded('maxLanguageTagLength', limits, token && location());
    return read;
  });
  parser.parse(undefined, {
    onQuad(error, quad) {
      if (error) throw syntaxError(syntax, error);
      if (!quad) complete = true;
      else {
        text.quads++;
        addQuad(sink, quad, fail);
      }
    },
    onPrefix() {},
    onToken(next) {
      // Before `token` is replaced: the error names the bracket that opened the level.
      meter.claimNesting(parser._contextStack.length);
      token = next;
      if (syntax === 'N3') {
        const found = BEYOND_RDF.get(next.type) ?? BEYOND_RDF.get(`${next.type} ${next.value}`);
        if (found) fail(`${found} is Notation3 but not RDF`);
      }
    },
  });

  // Notation3, section "Shorthand": "The parser behaves as though there were a @prefix : <#>. just
  // before the file."
  if (syntax === 'N3') parser._prefixes[''] = baseIRI === undefined ? '#' : new IriBase(baseIRI).resolve('#');

  try {
    for await (const piece of utf8Text(chunks, options)) {
      if (piece.length === 0) continue;
      empty = false;
      await text.add(piece);
    }
    input.finish();
  } catch (error) {
    if (error instanceof WorldsError) throw error;
    // Some malformed statements make n3 dereference null; the document is still at fault.
    throw invalid(syntax, 'the statement is malformed', token && { line: token.line, column: token.start + 1 }, error);
  }
  if (!complete && !empty) fail('the document ends in the middle of a statement');
}

function syntaxError(
  syntax: N3Syntax,
  error: Error & { context?: { line?: number; token?: N3Token; previousToken?: N3Token } },
): WorldsError {
  const { line, token, previousToken } = error.context ?? {};
  let location: TextLocation | undefined;
  if (token) location = { line: token.line, column: token.start + 1 };
  else if (line !== undefined) {
    // The lexer reports only the line; the unreadable input follows the last token read.
    const sameLine = previousToken && (previousToken.endLine ?? previousToken.line) === line;
    location = { line, column: sameLine ? previousToken.end + 1 : 1 };
  }
  return invalid(syntax, messageOfN3(error.message, token), location, error);
}

function invalid(syntax: N3Syntax, message: string, location?: TextLocation, cause?: unknown): WorldsError {
  return new WorldsError('INVALID_RDF', `Invalid ${syntax}: ${message}`, { location, cause });
}
