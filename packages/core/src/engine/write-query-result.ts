import { Slicer } from '../contracts/slicer.ts';
import type { QuadsBatch } from '../contracts/sparql-engine.ts';
import { watched } from '../contracts/watched.ts';
import { findFormat, RDF_FORMATS } from '../formats/rdf-formats.ts';
import { requireKnownFields } from '../model/known-fields.ts';
import type { MemoryPool } from '../model/memory-pool.ts';
import { isObject, kindOf } from '../model/passed-value.ts';
import { RequestBudget } from '../model/request-budget.ts';
import { throwIfAborted, WorldsError } from '../model/worlds-error.ts';
import type { DatasetView } from '../quads/dataset-view.ts';
import { findResultFormat, RESULT_FORMATS } from '../sparql/results/result-formats.ts';
import { processMemoryPool } from './memory-default.ts';
import type { QueryResult } from './query-results.ts';
import { scratchDataset } from './scratch-dataset.ts';

/** Options of {@link writeQueryResult}. */
export interface WriteQueryResultOptions {
  /**
   * Prefix name (without `:`) to namespace IRI, for triples in formats with prefixes. Default: the
   * prefixes of the query.
   */
  readonly prefixes?: Readonly<Record<string, string>> | undefined;
  readonly signal?: AbortSignal | undefined;
  /**
   * Memory limit in bytes for collecting triples before they are written; exceeding it throws
   * LIMIT_EXCEEDED. Default: half of the pool.
   */
  readonly maxMemoryBytes?: number | undefined;
  /**
   * Memory pool for collecting triples; pass `engine.memoryPool` of the engine that returned the
   * result. Throws OVERLOADED if too little is free. Default: the pool of the process.
   */
  readonly memoryPool?: MemoryPool | undefined;
}

/**
 * Serializes a query result in a media type, in chunks of about 64 KiB: a SELECT or ASK result in
 * one of {@link RESULT_FORMATS}; triples in one of {@link RDF_FORMATS}, or as `results.quads` in
 * SPARQL JSON. Solutions are streamed; triples are collected first, so that they can be grouped by
 * subject and predicate.
 *
 * Throws UNSUPPORTED immediately for a media type that cannot represent this kind of result, and
 * INVALID_ARGUMENT for the result of an update. While it is read, throws UNSUPPORTED for a term
 * that the format cannot represent, ABORTED, and errors of the query.
 */
export function writeQueryResult(
  result: QueryResult,
  mediaType: string,
  options: WriteQueryResultOptions = {},
): AsyncIterable<Uint8Array> {
  if (!isObject(result) || typeof result.type !== 'string')
    throw new WorldsError(
      'INVALID_ARGUMENT',
      `writeQueryResult: expected the result of a query, not ${kindOf(result)}; write writeQueryResult(await engine.query({ query }), 'text/csv').`,
    );
  if (typeof mediaType !== 'string')
    throw new WorldsError(
      'INVALID_ARGUMENT',
      `writeQueryResult: mediaType: expected a media type such as 'text/csv', not ${kindOf(mediaType)}.`,
    );
  requireKnownFields(options, ['prefixes', 'signal', 'maxMemoryBytes', 'memoryPool'], 'writeQueryResult');
  const { signal } = options;
  return watched(chunksOf(result, mediaType, options), () => throwIfAborted(signal));
}

function chunksOf(
  result: QueryResult,
  mediaType: string,
  { prefixes, signal, maxMemoryBytes, memoryPool = processMemoryPool() }: WriteQueryResultOptions,
): AsyncIterable<Uint8Array> | Iterable<Uint8Array> {
  const format = findResultFormat(mediaType);
  const slicer = new Slicer(signal);
  switch (result.type) {
    case 'bindings':
      if (!format) throw unsupported('The solutions of a SELECT', mediaType, writersOf('writeBindings'));
      return format.writeBindings(result.variables, result.batches, { slicer });
    case 'boolean':
      if (!format?.writeBoolean) throw unsupported('The result of an ASK', mediaType, writersOf('writeBoolean'));
      return [format.writeBoolean(result.value)];
    case 'quads': {
      if (format?.writeQuads) return format.writeQuads(result.batches, { slicer });
      const write = findFormat(mediaType)?.write;
      if (!write) {
        const known = [...RDF_FORMATS.filter((row) => row.write), ...writersOf('writeQuads')];
        throw unsupported('The triples of a CONSTRUCT or DESCRIBE', mediaType, known);
      }
      const memory = new RequestBudget(memoryPool, maxMemoryBytes);
      const writer = (source: DatasetView) =>
        write(source, source.terms, { prefixes: prefixes ?? result.prefixes, memory, slicer });
      return writeDataset(result.batches, writer, slicer, memory);
    }
    case 'update':
      throw new WorldsError('INVALID_ARGUMENT', 'writeQueryResult: an update has no result to write.');
  }
}

async function* writeDataset(
  batches: AsyncIterable<QuadsBatch>,
  write: (source: DatasetView) => AsyncIterable<Uint8Array>,
  slicer: Slicer,
  memory: RequestBudget,
): AsyncGenerator<Uint8Array> {
  try {
    yield* write(await scratchDataset(batches, slicer, [], memory));
  } finally {
    memory.release();
  }
}

function writersOf(writer: 'writeBindings' | 'writeBoolean' | 'writeQuads') {
  return RESULT_FORMATS.filter((format) => format[writer]);
}

function unsupported(what: string, mediaType: string, known: readonly { readonly mediaType: string }[]): WorldsError {
  const list = known.map((format) => format.mediaType).join(', ');
  return new WorldsError(
    'UNSUPPORTED',
    `${what} cannot be written as ${JSON.stringify(mediaType)}; use one of ${list}.`,
  );
}
