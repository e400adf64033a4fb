import type * as RDF from '@rdfjs/types';
import type { TermId } from './term-source.ts';

/**
 * Interns terms from UTF-8 bytes, `bytes[start .. end)`, unescaped and already validated by the
 * caller. Lets the line-based formats map bytes to ids without creating strings.
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
  /** Returns the blank node of a label in the current document: labels are scoped to one import. */
  blankNode(bytes: Uint8Array, start: number, end: number): TermId;
  triple(subject: TermId, predicate: TermId, object: TermId): TermId;
}

/** Destination of a reader's quads. Nothing is visible before the commit. */
export interface QuadSink {
  readonly terms: TermWriter;
  /** Adds a quad by ids from `terms`; `graph` is DEFAULT_GRAPH, an IRI or a blank node. */
  add(subject: TermId, predicate: TermId, object: TermId, graph: TermId): void;
  /**
   * Adds a quad of RDF/JS terms. Throws INVALID_RDF for a term in the wrong position or an IRI that
   * is not absolute and valid.
   */
  addQuad(quad: RDF.Quad): void;
  /** Number of quads added. */
  readonly length: number;
  /** The same sink if it accepts changes; undefined for one that only collects quads. */
  readonly patch?: PatchSink | undefined;
}

/** Destination of a reader of changes, in order: the last change of a quad wins. */
export interface PatchSink extends QuadSink {
  /** Whether the quads that follow are deletions. */
  removes: boolean;
  /** Starts a transaction, which {@link abort} rolls back. */
  begin(): void;
  abort(): void;
  /** Counts a prefix change, which is ignored: worlds have no prefixes. */
  ignorePrefix(): void;
}
