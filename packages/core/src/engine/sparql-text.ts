import type * as RDF from '@rdfjs/types';
import { isAbsoluteIri } from '../model/iri.ts';
import { isLanguageTag } from '../model/language-tag.ts';
import { XSD_STRING } from '../model/vocabulary.ts';
import { WorldsError } from '../model/worlds-error.ts';
import { type TermValue, toTerm } from './term-value.ts';

/** Marks instances of {@link SparqlText}, including those of another copy of this module. */
const SPARQL_TEXT = Symbol.for('rdf-worlds.SparqlText');

/** Returns whether a value is a {@link SparqlText}, of this or another copy of the library. */
export function isSparqlText(value: unknown): boolean {
  return typeof value === 'object' && value !== null && SPARQL_TEXT in value;
}

/** A SPARQL text into which values were inserted as terms. */
export class SparqlText {
  /** @internal */
  readonly [SPARQL_TEXT] = true;
  private readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
  /** Returns the text. */
  toString(): string {
    return this.text;
  }
}

/**
 * Builds a SPARQL text: sparql`SELECT * { ?s ?p ${value} }`. Each value becomes one escaped term,
 * whatever characters it contains: RDF/JS named nodes and literals are written as such, strings as
 * xsd:string, and numbers, bigints, booleans and dates with their XSD types. Another `sparql` text
 * is inserted unchanged. Throws INVALID_ARGUMENT for values without a term, such as undefined, and
 * for blank nodes, which cannot be named in a text: pass them in `bindings`.
 */
export function sparql(strings: TemplateStringsArray, ...values: readonly (TermValue | SparqlText)[]): SparqlText {
  if (strings.includes(undefined as never))
    throw new WorldsError(
      'INVALID_ARGUMENT',
      'The template contains an invalid JavaScript escape; double its backslash.',
    );
  let text = strings[0];
  values.forEach((value, i) => {
    text += (isSparqlText(value) ? String(value) : writeTerm(toTerm(value, `value ${i + 1}`))) + strings[i + 1];
  });
  return new SparqlText(text);
}

function writeTerm(term: RDF.Term): string {
  switch (term.termType) {
    case 'NamedNode':
      return writeIri(term.value);
    case 'Literal': {
      const text = `"${escapeString(term.value)}"`;
      if (term.language) {
        if (!isLanguageTag(term.language)) {
          throw new WorldsError(
            'INVALID_ARGUMENT',
            `${JSON.stringify(term.language)} is not a well-formed language tag.`,
          );
        }
        const { direction } = term;
        if (direction && direction !== 'ltr' && direction !== 'rtl')
          throw new WorldsError(
            'INVALID_ARGUMENT',
            `${JSON.stringify(direction)} is not a base direction; use ltr or rtl.`,
          );
        // SPARQL 1.2 section 19.8, LANG_DIR
        return `${text}@${term.language}${direction ? `--${direction}` : ''}`;
      }
      return term.datatype.value === XSD_STRING ? text : `${text}^^${writeIri(term.datatype.value)}`;
    }
    case 'Quad':
      return `<<( ${writeTerm(term.subject)} ${writeTerm(term.predicate)} ${writeTerm(term.object)} )>>`;
    default:
      throw new WorldsError(
        'INVALID_ARGUMENT',
        `A ${term.termType} cannot be written into a SPARQL text; pass it in bindings.`,
      );
  }
}

function writeIri(iri: string): string {
  if (!isAbsoluteIri(iri))
    throw new WorldsError('INVALID_ARGUMENT', `${JSON.stringify(iri)} is not an absolute, well-formed IRI.`);
  return `<${iri}>`;
}

const ESCAPES: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\b': '\\b',
  '\f': '\\f',
};

/**
 * SPARQL 1.1 section 19.8, STRING_LITERAL2: escapes the characters that must not, or need not,
 * appear unescaped.
 */
function escapeString(value: string): string {
  if (!value.isWellFormed())
    throw new WorldsError('INVALID_ARGUMENT', 'A string contains a lone surrogate, which is not a Unicode character.');
  // Backslashes are escaped, so a value cannot introduce a codepoint escape (section 19.2).
  return value.replace(/["\\\n\r\t\b\f]/g, (char) => ESCAPES[char]);
}
