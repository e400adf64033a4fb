import type * as RDF from '@rdfjs/types';

/**
 * Escapes text so that different terms never print alike; everything else stays readable in failure
 * messages.
 */
const quoted = (text: string) => JSON.stringify(text);

/**
 * Returns a string that is equal for two terms if and only if they are the same RDF term (RDF 1.1
 * Concepts 3.3). It resembles N-Triples; language tags compare case-insensitively, so they are
 * lowercased. `blankNode` may rename blank nodes.
 */
export function termKey(term: RDF.Term, blankNode: (label: string) => string = (label) => label): string {
  switch (term.termType) {
    case 'NamedNode':
      return `<${term.value}>`;
    case 'BlankNode':
      return `_:${blankNode(term.value)}`;
    case 'Literal': {
      if (!term.language) return `${quoted(term.value)}^^<${term.datatype.value}>`;
      const direction = term.direction ? `--${term.direction}` : '';
      return `${quoted(term.value)}@${term.language.toLowerCase()}${direction}`;
    }
    case 'Quad': {
      const { subject, predicate, object } = term;
      return `<<( ${termKey(subject, blankNode)} ${termKey(predicate, blankNode)} ${termKey(object, blankNode)} )>>`;
    }
    case 'DefaultGraph':
      return '';
    default:
      return `?${term.value}`;
  }
}

/** Returns the key of a whole quad: see {@link termKey}. */
export function quadKey(quad: RDF.BaseQuad, blankNode?: (label: string) => string): string {
  return [quad.subject, quad.predicate, quad.object, quad.graph].map((term) => termKey(term, blankNode)).join(' ');
}
