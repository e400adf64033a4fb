import type * as RDF from '@rdfjs/types';
import { dataFactory } from '../model/term.ts';
import { XSD_STRING } from '../model/vocabulary.ts';
import { WorldsError } from '../model/worlds-error.ts';
import type { SparqlValue } from './sparql-results.ts';

/** Maximum nesting of triple terms, the same as in data. */
const MAX_TRIPLE_DEPTH = 64;

/**
 * Converts a term to SPARQL JSON. Plain and language-tagged strings have no datatype (SPARQL 1.1
 * Query Results JSON Format 3.2.2).
 */
export function toWireValue(term: RDF.Term): SparqlValue {
  switch (term.termType) {
    case 'NamedNode':
      return { type: 'uri', value: term.value };
    case 'BlankNode':
      return { type: 'bnode', value: term.value };
    case 'Literal':
      if (term.language) {
        const { value, language, direction } = term;
        // SPARQL 1.2 Query Results JSON Format, section 3.2.2: base direction.
        return { type: 'literal', value, 'xml:lang': language, ...(direction ? { 'its:dir': direction } : {}) };
      }
      if (term.datatype.value === XSD_STRING) return { type: 'literal', value: term.value };
      return { type: 'literal', value: term.value, datatype: term.datatype.value };
    case 'Quad':
      return {
        type: 'triple',
        value: {
          subject: toWireValue(term.subject),
          predicate: toWireValue(term.predicate),
          object: toWireValue(term.object),
        },
      };
    default:
      throw new TypeError(`A ${term.termType} cannot be a value of a solution.`);
  }
}

/**
 * Converts a value of SPARQL JSON to a term; the inverse of {@link toWireValue}. Also accepts
 * `typed-literal` of the early drafts, which some writers still produce. Throws INVALID_ARGUMENT
 * that names `field` for anything else.
 */
export function fromWireValue(value: unknown, field: string): RDF.Term {
  return termOf(value, field, 0);
}

function termOf(given: unknown, field: string, depth: number): RDF.Term {
  const {
    type,
    value,
    'xml:lang': language,
    'its:dir': direction,
    datatype,
  } = (given ?? {}) as {
    readonly [Member in 'type' | 'value' | 'xml:lang' | 'its:dir' | 'datatype']?: unknown;
  };
  if (type === 'triple' && typeof value === 'object' && value !== null && depth < MAX_TRIPLE_DEPTH) {
    const { subject, predicate, object } = value as { subject?: unknown; predicate?: unknown; object?: unknown };
    return dataFactory.quad(
      termOf(subject, field, depth + 1) as RDF.Quad_Subject,
      termOf(predicate, field, depth + 1) as RDF.Quad_Predicate,
      termOf(object, field, depth + 1) as RDF.Quad_Object,
    );
  }
  if (typeof value === 'string') {
    switch (type) {
      case 'uri':
        return dataFactory.namedNode(value);
      case 'bnode':
        return dataFactory.blankNode(value);
      case 'literal':
      case 'typed-literal':
        if (typeof language === 'string' && language !== '')
          return dataFactory.literal(value, {
            language,
            direction: direction === 'ltr' || direction === 'rtl' ? direction : undefined,
          });
        return typeof datatype === 'string'
          ? dataFactory.literal(value, dataFactory.namedNode(datatype))
          : dataFactory.literal(value);
    }
  }
  throw new WorldsError(
    'INVALID_ARGUMENT',
    `${field}: expected a term in SPARQL JSON, such as {"type": "uri", "value": "https://example.org/"}.`,
  );
}
