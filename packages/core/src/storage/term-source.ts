import type * as RDF from '@rdfjs/types';

/**
 * A term's number: an integer below 2^31, stable and unique within one namespace while it lives.
 * Ids from 2^30 on belong to a private overlay (a query's or a transaction's own terms) and mean
 * nothing outside of it.
 */
export type TermId = number;

/** No term: unbound in a solution, a wildcard in a pattern. */
export const NO_TERM: TermId = 0;
/** The default graph, in every dictionary. */
export const DEFAULT_GRAPH: TermId = 1;
/** As the graph of a pattern: any named graph, but not the default graph. */
export const ANY_NAMED_GRAPH: TermId = 0x7fff_ffff;

export type TermKind = 'iri' | 'blank' | 'literal' | 'triple' | 'defaultGraph';

/**
 * Terms by id and ids by term, for one query or transaction. What it interns lives in a private
 * overlay: the shared dictionary of the namespace grows only by a commit.
 */
export interface TermSource {
  /**
   * Decodes a term. Costs a string and an object: call it late, and only for what somebody reads.
   */
  term(id: TermId): RDF.Term;
  /** The id of a term, or NO_TERM when neither the dictionary nor this overlay holds it. */
  find(term: RDF.Term): TermId;
  /**
   * The id of a term, made in the private overlay when it is new. A blank node is found by the
   * label that this library gave out.
   */
  intern(term: RDF.Term): TermId;
  /** A new blank node of the private overlay. */
  blankNode(): TermId;
  kind(id: TermId): TermKind;
}
