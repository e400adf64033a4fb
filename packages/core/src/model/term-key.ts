import type * as RDF from '@rdfjs/types';

/**
 * A text that is equal for equal terms alone (RDF 1.2 Concepts 3.3: language tags compare without
 * case).
 */
export function termKey(term: RDF.Term): string {
  switch (term.termType) {
    case 'Literal':
      return JSON.stringify([term.value, term.language.toLowerCase(), term.direction ?? '', term.datatype.value]);
    case 'Quad':
      return quadKey(term);
    default:
      return `${term.termType} ${term.value}`;
  }
}

/** The same of a quad, its graph included. */
export function quadKey({ subject, predicate, object, graph }: RDF.BaseQuad): string {
  return JSON.stringify([termKey(subject), termKey(predicate), termKey(object), termKey(graph)]);
}
