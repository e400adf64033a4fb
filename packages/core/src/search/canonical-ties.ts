import type * as RDF from '@rdfjs/types';
import type { TermSource } from '../storage/term-source.ts';
import type { DocumentTable } from './document-table.ts';
import type { RankedDocument } from './rank-fusion.ts';

/** A list that is cut within equal scores is asked for so many times as deep. */
const DEEPER = 4;

type Compare = (a: number, b: number) => number;

/**
 * Orders documents by their texts and names, and not by ids, which tell when a term first came into
 * the namespace.
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
 * The first `depth` of a ranking, equal scores ordered by `compare`. An index cuts a list within
 * equal scores as it likes, so the ranking is asked for deeper until none of the last score is
 * missing.
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
