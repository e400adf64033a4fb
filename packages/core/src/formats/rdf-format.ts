import type { QuadSink } from '../contracts/quad-sink.ts';
import type { QuadSource } from '../contracts/quad-source.ts';
import type { Slicer } from '../contracts/slicer.ts';
import type { TermBytesSource } from '../contracts/term-bytes.ts';
import type { MemoryBudget } from '../model/memory-budget.ts';
import type { RequestLimits } from '../model/request-limits.ts';
import type { FramingOptions } from './jsonld/frame.ts';
import type { DocumentLoader } from './jsonld/load-context.ts';
import type { RdfDirection } from './rdf-direction.ts';

/** Options of a reader of documents. */
export interface ReadOptions {
  /**
   * Absolute IRI against which relative IRIs are resolved. Without it a relative IRI is
   * INVALID_RDF.
   */
  readonly baseIri?: string | undefined;
  /**
   * Loads remote JSON-LD contexts. Without it they are rejected: no network access unless the host
   * requests it.
   */
  readonly documentLoader?: DocumentLoader | undefined;
  /** JSON-LD only: a context applied before the document's own (JsonLdOptions.expandContext). */
  readonly context?: unknown;
  /**
   * JSON-LD only: the RDF representation of `@direction`. Without it `@direction` is ignored, as in
   * the algorithms.
   */
  readonly rdfDirection?: RdfDirection | undefined;
  /** Receives human-readable notes about oddities of the document. */
  readonly note?: ((text: string) => void) | undefined;
  /** Limits for one document; the defaults if omitted. */
  readonly limits?: RequestLimits | undefined;
  /**
   * Called by readers that hold more than one statement, with the total bytes they hold. A returned
   * promise is awaited before reading continues; an exception ends the read.
   */
  readonly reserve?: ((bytes: number) => Promise<void> | undefined) | undefined;
  /** Yields to the event loop between pieces of work, and checks the signal. */
  readonly slicer: Slicer;
  readonly signal?: AbortSignal | undefined;
}

/** Options of a writer of documents. */
export interface WriteOptions {
  /** Prefix name (without `:`) to namespace IRI, for formats with prefixes. */
  readonly prefixes?: Readonly<Record<string, string>> | undefined;
  /**
   * JSON-LD only: the triples written as `@direction`, in addition to literals with a base
   * direction.
   */
  readonly rdfDirection?: RdfDirection | undefined;
  /**
   * JSON-LD only: the context to compact the document with. Without it, expanded form is written.
   */
  readonly context?: unknown;
  /** JSON-LD only: selects, nests and compacts nodes as this frame has them. */
  readonly frame?: unknown;
  /** JSON-LD only: flags for `frame`. */
  readonly framing?: FramingOptions | undefined;
  /** Like {@link ReadOptions.documentLoader}. */
  readonly documentLoader?: DocumentLoader | undefined;
  /** Limits for the expansion of contexts; the defaults if omitted. */
  readonly limits?: RequestLimits | undefined;
  /** Budget for the memory that a writer holds at a time. */
  readonly memory?: MemoryBudget | undefined;
  /** As in {@link ReadOptions.slicer}. */
  readonly slicer: Slicer;
  readonly signal?: AbortSignal | undefined;
}

/** An RDF serialization. */
export interface RdfFormat {
  /** Lower case, without parameters. */
  readonly mediaType: string;
  /** Other media types with the same meaning. */
  readonly aliases: readonly string[];
  /** Name for people, such as `Turtle`. */
  readonly name: string;
  /** File extensions without the dot, the usual one first. */
  readonly extensions: readonly string[];
  /**
   * IRI of the format in the W3C's list (https://www.w3.org/ns/formats/), for service descriptions.
   * Undefined if the list does not have it.
   */
  readonly formatIri?: string | undefined;
  /** Whether the format supports named graphs; other formats export only the default graph. */
  readonly namedGraphs: boolean;
  /**
   * Reads a document from chunks of bytes. Throws INVALID_RDF, with a location if the format has
   * lines. Undefined if write-only.
   */
  readonly read?: (chunks: AsyncIterable<Uint8Array>, sink: QuadSink, options: ReadOptions) => Promise<void>;
  /** Writes a whole dataset as chunks of bytes. Undefined if read-only. */
  readonly write?: (source: QuadSource, terms: TermBytesSource, options: WriteOptions) => AsyncIterable<Uint8Array>;
}
