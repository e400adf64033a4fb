import type * as RDF from '@rdfjs/types';
import type { TermSource } from '../contracts/term-source.ts';
import type { DocumentTable } from './document-table.ts';
import type { RankedDocument } from './rank-fusion.ts';

/** Factor by which the depth grows when a list is cut within equal scores. */
const DEEPER = 4;

type Compare = (a: number, b: number) => number;

/**
 * Returns a comparison of documents by their texts and names rather than by ids, which reveal when
 * a term first entered the namespace.
 */
export function byTerms(table: DocumentTable, terms: TermSource): Compare {
  const texts = new Map<number, readonly string[]>();
  const textsOf = (doc: number): readonly string[] => {
    let known = texts.get(doc);
    if (!known) {
      const object = terms.term(table.object[doc]) as RDF.Literal;
      const [subject, predicate] = [table.subject[doc], table.predicate[doc]].map((id) => terms.term(id));
      const direction = object.direction || '';
      known = [object.value, object.language, direction, object.datatype.value, subject.value, predicate.value];
      texts.set(doc, known);
    }
    return known;
  };
  return (a, b) => {
    const [one, other] = [textsOf(a), textsOf(b)];
    for (let i = 0; i < one.length; i++) if (one[i] !== other[i]) return one[i] < other[i] ? -1 : 1;
    return table.worldOf(a) - table.worldOf(b);
  };
}

/**
 * Returns the first `depth` of a ranking, equal scores ordered by `compare`. An index cuts a list
 * within equal scores arbitrarily, so the ranking goes deeper until it contains every document with
 * the last score.
 */
export async function wholeTies(
  rank: (depth: number) => Promise<RankedDocument[]>,
  depth: number,
  size: number,
  compare: Compare,
): Promise<RankedDocument[]> {
  for (let deep = depth + 1; ; deep *= DEEPER) {
    const ranked = await rank(deep);
    const isCut = ranked.length >= deep && deep < size && ranked[depth - 1].score === ranked[ranked.length - 1].score;
    if (!isCut) return ranked.sort((a, b) => b.score - a.score || compare(a.doc, b.doc)).slice(0, depth);
  }
}
