import type * as RDF from '@rdfjs/types';

/**
 * Returns a text that is equal for equal terms only (RDF 1.2 Concepts 3.3: language tags compare
 * without case).
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

/** Like {@link termKey}, for a quad with its graph. */
export function quadKey({ subject, predicate, object, graph }: RDF.BaseQuad): string {
  return JSON.stringify([termKey(subject), termKey(predicate), termKey(object), termKey(graph)]);
}
