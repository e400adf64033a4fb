import type * as RDF from '@rdfjs/types';
import type { Triple } from './fact.ts';

/** Returns a text that is equal exactly for equal terms. */
export function termKey(term: RDF.Term): string {
  switch (term.termType) {
    case 'Literal':
      return JSON.stringify([term.value, term.datatype.value, term.language.toLowerCase(), term.direction ?? '']);
    case 'Quad':
      return `<<${tripleKey(term as unknown as Triple)}>>`;
    case 'BlankNode':
      return `_:${term.value}`;
    default:
      return `<${term.value}>`;
  }
}

/** Returns a text that is equal exactly for equal triples. */
export function tripleKey({ subject, predicate, object }: Triple): string {
  return `${termKey(subject)} ${termKey(predicate)} ${termKey(object)}`;
}
