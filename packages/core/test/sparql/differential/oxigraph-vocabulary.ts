import * as oxigraph from 'oxigraph';
import { type LiteralKind, STANDARD, Vocabulary } from './random/terms.ts';

/**
 * Whether Oxigraph's store keeps a literal unchanged. The store keeps values where RDF has terms:
 * "01" becomes 1, and xsd:byte becomes xsd:integer.
 */
function isKept(literal: string): boolean {
  const triple = `<http://e/s> <http://e/p> ${literal} .`;
  const [read] = oxigraph.parse(triple, { format: 'application/n-triples' });
  const store = new oxigraph.Store();
  store.add(read);
  return store.match()[0].equals(read);
}

const kept = (kind: LiteralKind) =>
  STANDARD.families[kind].map((family) => family.filter(isKept)).filter((family) => family.length > 0);

/** The vocabulary of SPARQL 1.1, with only those literals that Oxigraph keeps unchanged. */
export const OXIGRAPH_VOCABULARY = new Vocabulary(
  {
    number: kept('number'),
    string: kept('string'),
    moment: kept('moment'),
    duration: kept('duration'),
    other: kept('other'),
  },
  { isStandard: true },
);
