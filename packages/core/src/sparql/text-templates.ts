import type * as RDF from '@rdfjs/types';
import { IriBase, isAbsoluteIri } from '../model/iri.ts';
import { DEFAULT_REQUEST_LIMITS, type RequestLimits } from '../model/request-limits.ts';
import { Literal, NamedNode } from '../model/term.ts';
import type { Constant, Written, WrittenText } from './algebra/algebra.ts';
import { keyOf } from './parsed-texts.ts';
import { RecentTexts } from './recent-texts.ts';

/** Limits of the cache. */
const KEPT = { texts: 256, length: 1 << 18 };
/** Longer texts are parsed; so few characters also keep far from the limits of a request. */
const MAX_LENGTH = 1 << 12;

const IRI = String.raw`<[^\u0000-\u0020<>"{}|^\x60\\]*>`;
/** Taken only where it cannot be a part of a longer token. */
const NAME = String.raw`(?:[A-Za-z][\w-]*)?:[A-Za-z0-9_][\w-]*(?=[\s;,)}]|$)`;
const STRING = String.raw`(?:"[^"\\\n\r]+"|'[^'\\\n\r]+')`;
/** A language tag, with a base direction or without, or a datatype. */
const OF_STRING = String.raw`(?:@[A-Za-z]+(?:-[A-Za-z0-9]+)*(?:--[A-Za-z]+)?|\^\^(?:${IRI}|${NAME}))`;
const NUMBER = String.raw`[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?(?=[\s;,)}]|$)`;
/** Before a name or number. */
const NOT_WITHIN_TOKEN = String.raw`(?<![\w:.%\\\u0080-\uffff+-])`;

/**
 * What may be a whole token of SPARQL: an IRI (rule 139), a string without escapes that is not
 * empty, with what belongs to it (rule 129), a comment, a name with a prefix (rule 140) of ASCII
 * letters, digits, "_" and "-", or a number without a sign (rule 131).
 */
const PIECE = new RegExp(`${IRI}|${STRING}${OF_STRING}?|#[^\\n\\r]*|${NOT_WITHIN_TOKEN}(?:${NAME}|${NUMBER})`, 'g');

/**
 * Returns a pattern for texts that begin with one of these words, behind their declarations. It
 * tells early, without the parser, what a text may be; a comment before the words hides them.
 */
export function beginsWith(words: string): RegExp {
  return new RegExp(String.raw`^(?:\s*(?:PREFIX\s+\S*|BASE)\s*<[^>]*>)*\s*(?:${words})\b`, 'i');
}

/** How a piece is written. */
type Style = 'absolute' | 'relative' | 'literal' | 'integer' | 'decimal' | 'double' | 'name' | 'comment';

/** A piece that texts may differ in. */
interface Hole {
  /** Index among the pieces. */
  readonly piece: number;
  /** Index among the constants; undefined for a comment. */
  readonly constant: number | undefined;
  readonly style: Style;
  /** See {@link fixedPart}. */
  readonly fixed: string;
}

/** A text with holes for its constants and comments. */
interface Template<Operation, Kept> {
  readonly baseIri: string | undefined;
  readonly limits: RequestLimits | undefined;
  readonly kept: Kept;
  readonly operation: Operation;
  readonly pieces: readonly string[];
  readonly holes: readonly Hole[];
  readonly constants: readonly Constant[];
  /** Of the relative IRIs; made when needed. */
  base: IriBase | undefined;
}

/** A text that was recognized. */
export interface FilledTemplate<Operation, Kept> {
  readonly kept: Kept;
  /** The parsed operation of another text, which has the same template. */
  readonly operation: Operation;
  /** By constant of the text. */
  readonly terms: readonly (RDF.NamedNode | RDF.Literal)[];
}

/**
 * Recognizes texts that differ from a parsed one in comments and in constants (`WrittenText`)
 * alone, without parsing them: a regular expression cuts a text into pieces that may be tokens, and
 * what is between them. A text in which all else is the same has the same tokens, if a piece that
 * differs was a whole token of the parsed text, and is one of the same kind. Whatever is in doubt
 * is left to the parser.
 */
export class TextTemplates<Operation extends Written, Kept> {
  private readonly templates = new RecentTexts<Template<Operation, Kept>>(KEPT);

  /** Remembers a parsed text, and what to keep with it. */
  put(operation: Operation, baseIri: string | undefined, limits: RequestLimits | undefined, kept: Kept): void {
    const { writtenAs } = operation;
    if (!writtenAs || !isSimple(writtenAs.text)) return;
    const key = keyOf(writtenAs.text.replace(PIECE, '\0'), baseIri);
    if (this.templates.get(key)) return;
    const { constants } = writtenAs;
    const pieces = writtenAs.text.match(PIECE) ?? [];
    const holes = holesOf(writtenAs);
    this.templates.put(key, { baseIri, limits, kept, operation, pieces, holes, constants, base: undefined });
  }

  /** Returns undefined if the text has to be parsed. */
  find(
    text: string,
    baseIri: string | undefined,
    limits: RequestLimits | undefined,
  ): FilledTemplate<Operation, Kept> | undefined {
    if (!isSimple(text)) return undefined;
    const template = this.templates.get(keyOf(text.replace(PIECE, '\0'), baseIri));
    if (!template || template.baseIri !== baseIri || template.limits !== limits) return undefined;
    const terms = termsIn(template, text.match(PIECE) ?? []);
    return terms && { kept: template.kept, operation: template.operation, terms };
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
    const fixed = fixedPart(written, style);
    if (constant >= 0) holes.push({ piece, constant, style, fixed });
    else if (comments.some(isHere)) holes.push({ piece, constant: undefined, style, fixed });
    piece++;
  }
  return holes;
}

type AnyTemplate = Template<Written, unknown>;

/** Returns the constants of a text with these pieces; undefined if it has to be parsed. */
function termsIn(template: AnyTemplate, pieces: readonly string[]): (RDF.NamedNode | RDF.Literal)[] | undefined {
  const { pieces: known, holes, constants } = template;
  if (pieces.length !== known.length) return undefined;
  const terms = constants.map(({ term }) => term);
  let hole = 0;
  for (let i = 0; i < pieces.length; i++) {
    const isHole = holes[hole]?.piece === i;
    if (pieces[i] !== known[i]) {
      if (!isHole) return undefined;
      const { constant, style, fixed } = holes[hole];
      if (styleOf(pieces[i]) !== style || fixedPart(pieces[i], style) !== fixed) return undefined;
      if (constant !== undefined) {
        const term = termOf(template, pieces[i], holes[hole], terms[constant]);
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
      return 'literal';
    case '#':
      return 'comment';
    default:
      if (piece.includes(':')) return 'name';
      if (/[eE]/.test(piece)) return 'double';
      return piece.includes('.') ? 'decimal' : 'integer';
  }
}

/**
 * The part of a piece in which texts must not differ: the prefix of a name with its colon, and the
 * language tag or datatype of a string.
 */
function fixedPart(piece: string, style: Style): string {
  if (style === 'name') return piece.slice(0, piece.indexOf(':') + 1);
  return style === 'literal' ? piece.slice(piece.indexOf(piece[0], 1) + 1) : '';
}

/** Reads a constant as the parser does. `like` is one that was parsed, of the same kind. */
function termOf(
  template: AnyTemplate,
  piece: string,
  { style, fixed }: Hole,
  like: RDF.NamedNode | RDF.Literal,
): RDF.NamedNode | RDF.Literal | undefined {
  switch (style) {
    case 'absolute':
      return iriOf(template, piece.slice(1, -1));
    case 'relative': {
      const { operation } = template;
      if (operation.baseIri === undefined) return undefined;
      template.base ??= new IriBase(operation.baseIri);
      return iriOf(template, template.base.resolve(piece.slice(1, -1)));
    }
    case 'literal':
      return literalLike(like, piece.slice(1, piece.length - fixed.length - 1));
    case 'integer':
    case 'decimal':
    case 'double':
      return literalLike(like, piece);
    case 'name': {
      const namespace = template.operation.prefixes?.get(fixed.slice(0, -1));
      return namespace === undefined ? undefined : iriOf(template, namespace + piece.slice(fixed.length));
    }
    case 'comment':
      return undefined;
  }
}

/** Returns a literal of the same language or datatype. */
function literalLike(like: RDF.NamedNode | RDF.Literal, value: string): RDF.Literal | undefined {
  if (like.termType !== 'Literal') return undefined;
  const { language, datatype, direction } = like;
  return new Literal(value, language, datatype, direction);
}

function iriOf({ limits = DEFAULT_REQUEST_LIMITS }: AnyTemplate, iri: string): RDF.NamedNode | undefined {
  return iri.length <= limits.maxIriLength && isAbsoluteIri(iri) ? new NamedNode(iri) : undefined;
}
