import type * as RDF from '@rdfjs/types';
import type { TermBytesSource } from '../contracts/term-bytes.ts';
import type { TermId } from '../contracts/term-source.ts';
import { isAbsoluteIri } from '../model/iri.ts';
import { XSD_BOOLEAN, XSD_DECIMAL, XSD_DOUBLE, XSD_INTEGER, XSD_STRING } from '../model/vocabulary.ts';

/**
 * Patterns of lexical forms that can be written as Turtle tokens of the same literal (Turtle 2.5.2,
 * 2.5.3).
 */
const ABBREVIATED = new Map([
  [XSD_INTEGER, /^[+-]?[0-9]+$/],
  [XSD_DECIMAL, /^[+-]?[0-9]*\.[0-9]+$/],
  [XSD_DOUBLE, /^[+-]?[0-9]+(?:\.[0-9]+)?[eE][+-]?[0-9]+$/],
  [XSD_BOOLEAN, /^(?:true|false)$/],
]);

/**
 * The subset of PN_PREFIX and PN_LOCAL that needs no escapes and that every reader parses
 * correctly.
 */
const PREFIX = /^(?:[A-Za-z](?:[A-Za-z0-9_-]*[A-Za-z0-9_])?)?$/;
const LOCAL_NAME = /^(?:[A-Za-z0-9_](?:[A-Za-z0-9_-]*[A-Za-z0-9_])?)?$/;

// biome-ignore lint/suspicious/noControlCharactersInRegex: controls must be escaped
const ESCAPED_IN_STRING = /["\\\u0000-\u001f\u007f]/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: IRIREF excludes the range #x00-#x20
const ESCAPED_IN_IRI = /[\u0000-\u0020<>"{}|^`\\]/g;
const STRING_ESCAPES = new Map([
  ['"', '\\"'],
  ['\\', '\\\\'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
  ['\b', '\\b'],
  ['\f', '\\f'],
]);

/** Number of IRIs and short literals cached as text. */
const CACHE_SIZE = 1 << 14;

/**
 * Writes terms in Turtle 1.1 syntax, and triple terms in Turtle 1.2 syntax. Whatever a term
 * contains, its text parses as exactly that one term.
 */
export class TurtleTerms {
  /**
   * The usable prefixes, name to namespace: those whose name is valid in Turtle and whose IRI is
   * absolute.
   */
  readonly prefixes: ReadonlyMap<string, string>;
  private readonly terms: TermBytesSource;
  private readonly names: ReadonlyMap<string, string>;
  /**
   * The last characters of the namespaces: the places where an IRI can be split into a namespace
   * and a local name.
   */
  private readonly separators: readonly string[];
  private readonly cache = new Map<TermId, string>();

  constructor(terms: TermBytesSource, prefixes: Readonly<Record<string, string>> = {}) {
    this.terms = terms;
    const valid = Object.entries(prefixes).filter(([name, namespace]) => PREFIX.test(name) && isAbsoluteIri(namespace));
    this.prefixes = new Map(valid);
    // If two names share a namespace, the first is used.
    this.names = new Map(valid.reverse().map(([name, namespace]) => [namespace, name]));
    this.separators = [...new Set([...this.names.keys()].map((namespace) => namespace[namespace.length - 1]))];
  }

  /** Returns the text of a term. */
  text(id: TermId): string {
    const cached = this.cache.get(id);
    if (cached !== undefined) return cached;
    const kind = this.terms.kind(id);
    if (kind === 'blank') return `_:${this.terms.blankNodeLabel(id)}`;
    if (kind === 'triple') {
      const [subject, predicate, object] = this.terms.tripleOf(id);
      return `<<( ${this.text(subject)} ${this.text(predicate)} ${this.text(object)} )>>`;
    }
    const term = this.terms.term(id);
    if (kind === 'literal') return this.literal(term as RDF.Literal);
    const text = this.iri(term.value);
    if (this.cache.size === CACHE_SIZE) this.cache.clear();
    this.cache.set(id, text);
    return text;
  }

  iri(iri: string): string {
    for (const separator of this.separators) {
      const end = iri.lastIndexOf(separator) + 1;
      const name = this.names.get(iri.slice(0, end));
      if (name === undefined) continue;
      const local = iri.slice(end);
      if (LOCAL_NAME.test(local)) return `${name}:${local}`;
    }
    return `<${iri.replace(ESCAPED_IN_IRI, numericEscape)}>`;
  }

  private literal({ value, language, direction, datatype }: RDF.Literal): string {
    const iri = datatype.value;
    if (ABBREVIATED.get(iri)?.test(value)) return value;
    const quoted = `"${value.replace(ESCAPED_IN_STRING, (character) => STRING_ESCAPES.get(character) ?? numericEscape(character))}"`;
    if (language) return `${quoted}@${language}${direction ? `--${direction}` : ''}`;
    return iri === XSD_STRING ? quoted : `${quoted}^^${this.iri(iri)}`;
  }
}

function numericEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
}
