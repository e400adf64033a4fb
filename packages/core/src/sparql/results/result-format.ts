import type { Slicer } from '../../contracts/slicer.ts';
import type { BindingsBatch, QuadsBatch } from '../../contracts/sparql-engine.ts';

/** Options of a writer of query results. */
export interface ResultWriteOptions {
  /** Pauses between chunks and checks the abort signal. */
  readonly slicer: Slicer;
}

/** A serialization of query results. All writers stream UTF-8 in chunks of about 64 KiB. */
export interface ResultFormat {
  /** In lower case, without parameters. */
  readonly mediaType: string;
  /** Other media types that select this format. */
  readonly aliases: readonly string[];
  /**
   * The `charset` parameter of the Content-Type. Undefined for media types that are always UTF-8;
   * other text types need it (RFC 6657, RFC 7111).
   */
  readonly charset?: 'utf-8' | undefined;
  /** Name for people, such as `SPARQL Results JSON`. */
  readonly name: string;
  /**
   * IRI of the format in the W3C's list (https://www.w3.org/ns/formats/), for service descriptions.
   * Undefined if the list does not have it.
   */
  readonly formatIri?: string | undefined;
  /** File extensions without the dot, preferred one first. */
  readonly extensions: readonly string[];
  /** Writes the solutions of a SELECT. `variables` are names without `?`. */
  readonly writeBindings: (
    variables: readonly string[],
    batches: AsyncIterable<BindingsBatch>,
    options: ResultWriteOptions,
  ) => AsyncIterable<Uint8Array>;
  /** Writes the result of an ASK. Undefined if the format cannot represent it. */
  readonly writeBoolean?: ((value: boolean) => Uint8Array) | undefined;
  /**
   * Writes the triples of a CONSTRUCT or DESCRIBE, for clients that want one format for all
   * queries. Undefined if only the RDF formats can represent them.
   */
  readonly writeQuads?:
    | ((batches: AsyncIterable<QuadsBatch>, options: ResultWriteOptions) => AsyncIterable<Uint8Array>)
    | undefined;
}
