import type * as RDF from '@rdfjs/types';
import type { Triple } from './fact.ts';

/** Returns a text that is equal exactly for equal terms. */
export function termKey(term: RDF.Term): string {
  switch (term.termType) {
    case 'Literal': {
      const { value, datatype, language, direction = '' } = term;
      // With the lengths nothing needs to be escaped, which takes long in long texts.
      return `"${value.length} ${datatype.value.length} ${value}${datatype.value}@${language.toLowerCase()}--${direction}`;
    }
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
