import type * as RDF from '@rdfjs/types';
import { XSD_DECIMAL, XSD_DOUBLE, XSD_INTEGER, XSD_STRING } from '../../model/vocabulary.ts';
import { jsonString } from './json-string.ts';

/**
 * Number forms that are Turtle and SPARQL tokens for the same literal (Turtle 2.5.2), restricted to
 * forms that every parser reads correctly.
 */
const ABBREVIATED = new Map([
  [XSD_INTEGER, /^[+-]?[0-9]+$/],
  [XSD_DECIMAL, /^[+-]?[0-9]*\.[0-9]+$/],
  [XSD_DOUBLE, /^[+-]?[0-9]+(?:\.[0-9]+)?[eE][+-]?[0-9]+$/],
]);

// biome-ignore lint/suspicious/noControlCharactersInRegex: IRIREF excludes the range #x00-#x20
const ESCAPED_IN_IRI = /[\u0000-\u0020<>"{}|^`\\]/g;

/**
 * Formats a term in Turtle syntax with full IRIs, on one line and without tabs; triple terms in
 * Turtle 1.2 syntax.
 */
export function turtleTerm(term: RDF.Term): string {
  switch (term.termType) {
    case 'NamedNode':
      return iri(term.value);
    case 'BlankNode':
      return `_:${term.value}`;
    case 'Literal': {
      const { value, language, direction, datatype } = term;
      if (ABBREVIATED.get(datatype.value)?.test(value)) return value;
      // JSON escapes are valid in STRING_LITERAL_QUOTE: quote, backslash and all control characters
      // (Turtle 6.4).
      const quoted = jsonString(value);
      if (language) return `${quoted}@${language}${direction ? `--${direction}` : ''}`;
      return datatype.value === XSD_STRING ? quoted : `${quoted}^^${iri(datatype.value)}`;
    }
    case 'Quad':
      return `<<( ${turtleTerm(term.subject)} ${turtleTerm(term.predicate)} ${turtleTerm(term.object)} )>>`;
    default:
      throw new TypeError(`A ${term.termType} cannot be a value of a solution.`);
  }
}

function iri(value: string): string {
  return `<${value.replace(ESCAPED_IN_IRI, numericEscape)}>`;
}

function numericEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
}
