import type * as RDF from '@rdfjs/types';
import { IriBase, isAbsoluteIri } from '../model/iri.ts';
import { DEFAULT_REQUEST_LIMITS, type RequestLimits } from '../model/request-limits.ts';
import { Literal, NamedNode } from '../model/term.ts';
import { XSD_STRING } from '../model/vocabulary.ts';
import type { Constant, Query, WrittenText } from './algebra/algebra.ts';
import { keyOf } from './parsed-texts.ts';
import { RecentTexts } from './recent-texts.ts';

/** Limits of the cache. */
const KEPT = { texts: 256, length: 1 << 18 };
/** Longer texts are parsed; so few characters also keep far from the limits of a request. */
const MAX_LENGTH = 1 << 12;

/**
 * What may be a whole token of SPARQL, in this order: an IRI (rule 139), a string without escapes
 * that is not empty, a comment, or a name with a prefix (rule 140) of ASCII letters, digits, "_"
 * and "-". A name is taken only where it cannot be a part of a longer token.
 */
const PIECE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: rule 139 excludes the range #x00-#x20
  /<[^\u0000-\u0020<>"{}|^`\\]*>|"[^"\\\n\r]+"|'[^'\\\n\r]+'|#[^\n\r]*|(?<![\w:.%\\\u0080-\uffff-])(?:[A-Za-z][\w-]*)?:[A-Za-z0-9_][\w-]*(?=[\s;,)}]|$)/g;

/** Behind declarations, the first word of most updates, which are told apart from queries early. */
const UPDATE =
  /^(?:\s*(?:PREFIX\s+\S*|BASE)\s*<[^>]*>)*\s*(?:INSERT|DELETE|WITH|LOAD|CLEAR|DROP|CREATE|ADD|MOVE|COPY)\b/i;

const STRING = new NamedNode(XSD_STRING);

/** How a piece is written. */
type Style = 'absolute' | 'relative' | 'string' | 'name' | 'comment';

/** A piece that texts may differ in. */
interface Hole {
  /** Index among the pieces. */
  readonly piece: number;
  /** Index among the constants; undefined for a comment. */
  readonly constant: number | undefined;
  readonly style: Style;
  /** For a name: with its colon. */
  readonly prefix: string;
}

/** A text with holes for its constants and comments. */
interface Template<Shape> {
  readonly baseIri: string | undefined;
  readonly limits: RequestLimits | undefined;
  readonly shape: Shape;
  readonly query: Query;
  readonly pieces: readonly string[];
  readonly holes: readonly Hole[];
  readonly constants: readonly Constant[];
  /** Of the relative IRIs; made when needed. */
  base: IriBase | undefined;
}

/** A text that was recognized. */
export interface FilledTemplate<Shape> {
  readonly shape: Shape;
  /** A query whose text has the same template. */
  readonly query: Query;
  /** By constant of the text. */
  readonly terms: readonly RDF.Term[];
}

/**
 * Recognizes texts that differ from a parsed one in comments and constant subjects and objects
 * alone, without parsing them: a regular expression cuts a text into pieces that may be tokens, and
 * what is between them. A text in which all else is the same has the same tokens, if a piece that
 * differs was a whole token of the parsed text, and is one of the same kind. Whatever is in doubt
 * is left to the parser.
 */
export class TextTemplates<Shape> {
  private readonly templates = new RecentTexts<Template<Shape>>(KEPT);

  /** Remembers a parsed text. */
  put(query: Query, baseIri: string | undefined, limits: RequestLimits | undefined, shape: Shape): void {
    const { writtenAs } = query;
    if (!writtenAs || !isSimple(writtenAs.text)) return;
    const key = keyOf(writtenAs.text.replace(PIECE, '\0'), baseIri);
    if (this.templates.get(key)) return;
    const { constants } = writtenAs;
    const pieces = writtenAs.text.match(PIECE) ?? [];
    const holes = holesOf(writtenAs);
    this.templates.put(key, { baseIri, limits, shape, query, pieces, holes, constants, base: undefined });
  }

  /** Returns undefined if the text has to be parsed. */
  find(
    text: string,
    baseIri: string | undefined,
    limits: RequestLimits | undefined,
  ): FilledTemplate<Shape> | undefined {
    if (!isSimple(text) || UPDATE.test(text)) return undefined;
    const template = this.templates.get(keyOf(text.replace(PIECE, '\0'), baseIri));
    if (!template || template.baseIri !== baseIri || template.limits !== limits) return undefined;
    const terms = termsIn(template, text.match(PIECE) ?? []);
    return terms && { shape: template.shape, query: template.query, terms };
  }
}

/** A text that contains NUL could be mistaken for one with a hole there. */
function isSimple(text: string): boolean {
  return text.length <= MAX_LENGTH && !text.includes('\0') && text.isWellFormed();
}

/** The pieces that are exactly a constant or a comment. */
function holesOf({ text, constants, comments }: WrittenText): Hole[] {
  const holes: Hole[] = [];
  let piece = 0;
  for (const { 0: written, index } of text.matchAll(PIECE)) {
    const isHere = ({ start, end }: { start: number; end: number }) =>
      start === index && end === index + written.length;
    const constant = constants.findIndex(isHere);
    const style = styleOf(written);
    if (constant >= 0) holes.push({ piece, constant, style, prefix: prefixOf(written, style) });
    else if (comments.some(isHere)) holes.push({ piece, constant: undefined, style, prefix: '' });
    piece++;
  }
  return holes;
}

/** Returns the constants of a text with these pieces; undefined if it has to be parsed. */
function termsIn<Shape>(template: Template<Shape>, pieces: readonly string[]): readonly RDF.Term[] | undefined {
  const { pieces: known, holes, constants } = template;
  if (pieces.length !== known.length) return undefined;
  const terms: RDF.Term[] = constants.map(({ term }) => term);
  let hole = 0;
  for (let i = 0; i < pieces.length; i++) {
    const isHole = holes[hole]?.piece === i;
    if (pieces[i] !== known[i]) {
      if (!isHole) return undefined;
      const { constant, style, prefix } = holes[hole];
      if (styleOf(pieces[i]) !== style || prefixOf(pieces[i], style) !== prefix) return undefined;
      if (constant !== undefined) {
        const term = termOf(template, pieces[i], style);
        if (!term) return undefined;
        terms[constant] = term;
      }
    }
    if (isHole) hole++;
  }
  return terms;
}

function styleOf(piece: string): Style {
  switch (piece[0]) {
    case '<':
      return isAbsoluteIri(piece.slice(1, -1)) ? 'absolute' : 'relative';
    case '"':
    case "'":
      return 'string';
    case '#':
      return 'comment';
    default:
      return 'name';
  }
}

/** Up to the colon of a name; for all else, nothing. */
function prefixOf(piece: string, style: Style): string {
  return style === 'name' ? piece.slice(0, piece.indexOf(':') + 1) : '';
}

/** Reads a constant as the parser does. */
function termOf<Shape>(template: Template<Shape>, piece: string, style: Style): RDF.Term | undefined {
  switch (style) {
    case 'absolute':
      return iriOf(template, piece.slice(1, -1));
    case 'relative': {
      const { query } = template;
      if (query.baseIri === undefined) return undefined;
      template.base ??= new IriBase(query.baseIri);
      return iriOf(template, template.base.resolve(piece.slice(1, -1)));
    }
    case 'string':
      return new Literal(piece.slice(1, -1), '', STRING);
    case 'name': {
      const colon = piece.indexOf(':');
      const namespace = template.query.prefixes?.get(piece.slice(0, colon));
      return namespace === undefined ? undefined : iriOf(template, namespace + piece.slice(colon + 1));
    }
    case 'comment':
      return undefined;
  }
}

function iriOf<Shape>({ limits = DEFAULT_REQUEST_LIMITS }: Template<Shape>, iri: string): RDF.NamedNode | undefined {
  return iri.length <= limits.maxIriLength && isAbsoluteIri(iri) ? new NamedNode(iri) : undefined;
}
