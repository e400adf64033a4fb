import type * as RDF from '@rdfjs/types';
import type { TermId } from './term-source.ts';

/**
 * Interns terms from UTF-8 bytes,
 * `bytes[start .. end)`, unescaped and already checked by the caller. This is how the line-based
 * formats get from bytes to ids without making a string.
 */
export interface TermWriter {
  iri(bytes: Uint8Array, start: number, end: number): TermId;
  /** `datatype` is the id of the datatype's IRI, or NO_TERM for xsd:string. */
  literal(bytes: Uint8Array, start: number, end: number, datatype: TermId): TermId;
  /** `language[languageStart .. languageEnd)` is the tag, without `@`. */
  languageLiteral(
    bytes: Uint8Array,
    start: number,
    end: number,
    language: Uint8Array,
    languageStart: number,
    languageEnd: number,
  ): TermId;
  /**
   * The blank node of a label in the document that is being read: labels are scoped to one import.
   */
  blankNode(bytes: Uint8Array, start: number, end: number): TermId;
  triple(subject: TermId, predicate: TermId, object: TermId): TermId;
}

/** Where a reader puts what it reads. Nothing of it is visible to anyone before the commit. */
export interface QuadSink {
  readonly terms: TermWriter;
  /** Adds a quad by ids that `terms` gave; `graph` is DEFAULT_GRAPH or an IRI or blank node. */
  add(subject: TermId, predicate: TermId, object: TermId, graph: TermId): void;
  /**
   * Adds a quad of RDF/JS terms. Throws INVALID_RDF for a term in the wrong position, or an IRI
   * that is not absolute and valid.
   */
  addQuad(quad: RDF.Quad): void;
  /** How many quads were added. */
  readonly length: number;
  /** The same sink, if it takes changes; undefined for one that only gathers. */
  readonly patch?: PatchSink | undefined;
}

/** Where a reader of changes puts what it reads, in order: the last change of a quad counts. */
export interface PatchSink extends QuadSink {
  /** Whether the quads that follow are taken away. */
  removes: boolean;
  /** From here on changes can be taken back by {@link abort}. */
  begin(): void;
  abort(): void;
  /** Counts a change of prefixes, which a world does not have. */
  ignorePrefix(): void;
}
