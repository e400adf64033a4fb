import type { Slicer } from '../../storage/slicer.ts';
import type { BindingsBatch, QuadsBatch } from '../../storage/sparql-engine.ts';

export interface ResultWriteOptions {
  /** Pauses between chunks, and looks at the signal then. */
  readonly slicer: Slicer;
}

/**
 * One serialization of the results of queries. All writers stream, in chunks of UTF-8 of about 64
 * KiB.
 */
export interface ResultFormat {
  /** Lower case, without parameters. */
  readonly mediaType: string;
  /** Other media types that ask for the same. */
  readonly aliases: readonly string[];
  readonly name: string;
  /** File extensions without the dot, the usual one first. */
  readonly extensions: readonly string[];
  /** Writes the solutions of a SELECT; `variables` are names without `?`. */
  readonly writeBindings: (
    variables: readonly string[],
    batches: AsyncIterable<BindingsBatch>,
    options: ResultWriteOptions,
  ) => AsyncIterable<Uint8Array>;
  /** Writes the answer of an ASK. Undefined: the format has no form for it. */
  readonly writeBoolean?: ((value: boolean) => Uint8Array) | undefined;
  /**
   * Writes the triples of a CONSTRUCT or DESCRIBE, for clients that want one format for all
   * queries. Undefined: the RDF formats do that.
   */
  readonly writeQuads?:
    | ((batches: AsyncIterable<QuadsBatch>, options: ResultWriteOptions) => AsyncIterable<Uint8Array>)
    | undefined;
}
