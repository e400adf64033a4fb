import type * as RDF from '@rdfjs/types';

/**
 * Escapes what would make two different terms print alike; everything else stays readable in a
 * failure message.
 */
const quoted = (text: string) => JSON.stringify(text);

/**
 * A string that two terms share exactly when they are the same RDF term (RDF 1.1 Concepts 3.3). It
 * looks like N-Triples; language tags compare case-insensitively, so they are lowered. `blankNode`
 * may give blank nodes other names.
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

/** The same for a whole quad. */
export function quadKey(quad: RDF.BaseQuad, blankNode?: (label: string) => string): string {
  return [quad.subject, quad.predicate, quad.object, quad.graph].map((term) => termKey(term, blankNode)).join(' ');
}
