import type * as RDF from '@rdfjs/types';

/**
 * Id of a term: an integer below 2^31, stable and unique within one namespace for its lifetime. Ids
 * from 2^30 on belong to a private overlay (the own terms of a query or a transaction) and are
 * meaningless outside it.
 */
export type TermId = number;

/** Below 2^31, so that ids are always small integers for the JavaScript engine. */
export const FIRST_PRIVATE_TERM: TermId = 0x4000_0000;

/** No term: unbound in a solution, a wildcard in a pattern. */
export const NO_TERM: TermId = 0;
/** The default graph; the same id in every dictionary. */
export const DEFAULT_GRAPH: TermId = 1;
/** As the graph of a pattern: any named graph, excluding the default graph. */
export const ANY_NAMED_GRAPH: TermId = 0x7fff_ffff;

/** Kind of a term. `triple` is a triple term (RDF 1.2). */
export type TermKind = 'iri' | 'blank' | 'literal' | 'triple' | 'defaultGraph';

/**
 * Maps ids to terms and back, for one query or transaction. Interned terms live in a private
 * overlay: only a commit adds to the shared dictionary of the namespace.
 */
export interface TermSource {
  /**
   * Decodes a term. Allocates a string and an object: call it late, and only for terms that are
   * read.
   */
  term(id: TermId): RDF.Term;
  /** Returns the id of a term; NO_TERM if neither the dictionary nor this overlay holds it. */
  find(term: RDF.Term): TermId;
  /**
   * Returns the id of a term, adding it to the private overlay if it is new. Blank nodes are looked
   * up by the labels that this library assigned.
   */
  intern(term: RDF.Term): TermId;
  /** Creates a blank node in the private overlay. */
  blankNode(): TermId;
  /** Returns the id of the triple term of three terms; NO_TERM if `find` would not find it. */
  findTriple(subject: TermId, predicate: TermId, object: TermId): TermId;
  /** Returns the parts of a triple term. */
  tripleOf(id: TermId): readonly [subject: TermId, predicate: TermId, object: TermId];
  /** Returns the kind of a term, without decoding it. */
  kind(id: TermId): TermKind;
  /** Its triple terms by their parts. Optional. */
  readonly tripleTerms?: TripleTermIndex | undefined;
}

/** The part of a triple term by which it is looked up. */
export type TripleTermPart = 'subject' | 'object';

/**
 * Finds the triple terms of a source by one of their parts. It may return terms that are in no quad
 * of a dataset. An *entry* is a number above 0 that stands for a triple term.
 */
export interface TripleTermIndex {
  /**
   * Learns the triple terms that were added since. Must be run before the other methods are called.
   * A kernel: yields after steps that take a fraction of a millisecond.
   */
  catchUp(): Generator<void, void, void>;
  /** Returns the mean number of triple terms per term at a part. */
  mean(part: TripleTermPart): number;
  /** Returns the number of triple terms with a term at a part, or a few thousand if it is more. */
  count(part: TripleTermPart, term: TermId): number;
  /** Returns the first entry with a term at a part; 0 if there is none. */
  first(part: TripleTermPart, term: TermId): number;
  /** Returns the entry with the same term at the part after another entry; 0 at the end. */
  next(part: TripleTermPart, term: TermId, entry: number): number;
  /** Returns the triple term of an entry. */
  termOf(entry: number): TermId;
}
