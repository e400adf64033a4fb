import type { MemoryBudget } from '../model/memory-budget.ts';
import type { RequestLimits } from '../model/request-limits.ts';
import type { QuadSink } from '../storage/quad-sink.ts';
import type { QuadSource } from '../storage/quad-source.ts';
import type { Slicer } from '../storage/slicer.ts';
import type { TermBytesSource } from '../storage/term-bytes.ts';
import type { DocumentLoader } from './jsonld/load-context.ts';
import type { RdfDirection } from './rdf-direction.ts';

export interface ReadOptions {
  /** Absolute; where relative IRIs resolve. Without it a relative IRI is INVALID_RDF. */
  readonly baseIri?: string | undefined;
  /**
   * Loads remote JSON-LD contexts. Without it they are refused: no network access that the host did
   * not ask for.
   */
  readonly documentLoader?: DocumentLoader | undefined;
  /**
   * JSON-LD only: the context in which the document is read, as if it stood before its own
   * (JsonLdOptions.expandContext).
   */
  readonly context?: unknown;
  /**
   * JSON-LD only: what `@direction` becomes; it is ignored when not given, as the algorithms do.
   */
  readonly rdfDirection?: RdfDirection | undefined;
  /** Takes what is odd about the document, for people. */
  readonly note?: ((text: string) => void) | undefined;
  /** What one document may contain; the defaults when it is not given. */
  readonly limits?: RequestLimits | undefined;
  /**
   * Called with the bytes that the reader holds in all, by readers that hold more than a statement;
   * awaited before more is read, if there is something to await. What it throws ends the reading.
   */
  readonly reserve?: ((bytes: number) => Promise<void> | undefined) | undefined;
  readonly slicer: Slicer;
  readonly signal?: AbortSignal | undefined;
}

export interface WriteOptions {
  /** Prefix name (without `:`) to namespace IRI, for the formats that have prefixes. */
  readonly prefixes?: Readonly<Record<string, string>> | undefined;
  /**
   * JSON-LD only: which triples become `@direction`, besides literals that have a base direction of
   * their own.
   */
  readonly rdfDirection?: RdfDirection | undefined;
  /**
   * JSON-LD only: the context that the document is compacted with. Expanded form when it is not
   * given.
   */
  readonly context?: unknown;
  /** As {@link ReadOptions.documentLoader}. */
  readonly documentLoader?: DocumentLoader | undefined;
  /** What contexts may make of it; the defaults when not given. */
  readonly limits?: RequestLimits | undefined;
  /** For what a writer holds at a time. */
  readonly memory?: MemoryBudget | undefined;
  readonly slicer: Slicer;
  readonly signal?: AbortSignal | undefined;
}

/** One RDF serialization. */
export interface RdfFormat {
  /** Lower case, without parameters. */
  readonly mediaType: string;
  /** Other media types that mean the same. */
  readonly aliases: readonly string[];
  readonly name: string;
  /** File extensions without the dot, the usual one first. */
  readonly extensions: readonly string[];
  /** Whether it can hold named graphs; the others export the default graph alone. */
  readonly namedGraphs: boolean;
  /**
   * Reads a document from chunks of bytes. Throws INVALID_RDF with a location where the format has
   * lines. Undefined: write only.
   */
  readonly read?: (chunks: AsyncIterable<Uint8Array>, sink: QuadSink, options: ReadOptions) => Promise<void>;
  /** Writes a whole dataset as chunks of bytes. Undefined: read only. */
  readonly write?: (source: QuadSource, terms: TermBytesSource, options: WriteOptions) => AsyncIterable<Uint8Array>;
}
