import type * as RDF from '@rdfjs/types';
import { Slicer } from '../../src/contracts/slicer.ts';
import type { RdfFormat, ReadOptions, WriteOptions } from '../../src/formats/rdf-format.ts';
import { WorldsError } from '../../src/model/worlds-error.ts';
import { ArraySink } from './array-sink.ts';
import { type ArraySource, termKey } from './array-source.ts';

type Reader = NonNullable<RdfFormat['read']>;
type Writer = NonNullable<RdfFormat['write']>;

/** Cuts a document into chunks of `size` bytes. */
export async function* chunksOf(
  document: string | Uint8Array,
  size = Number.POSITIVE_INFINITY,
): AsyncGenerator<Uint8Array> {
  const bytes = typeof document === 'string' ? new TextEncoder().encode(document) : document;
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
}

export async function readDocument(
  read: Reader,
  document: string | Uint8Array,
  { chunkSize, ...options }: Partial<ReadOptions> & { chunkSize?: number } = {},
): Promise<RDF.Quad[]> {
  const sink = new ArraySink();
  await read(chunksOf(document, chunkSize), sink, { slicer: new Slicer(options.signal), ...options });
  return sink.quads;
}

/** The error of a read that must fail. */
export async function readError(
  read: Reader,
  document: string | Uint8Array,
  options: Partial<ReadOptions> & { chunkSize?: number } = {},
): Promise<WorldsError> {
  let quads: RDF.Quad[];
  try {
    quads = await readDocument(read, document, options);
  } catch (error) {
    if (error instanceof WorldsError) return error;
    throw error;
  }
  throw new Error(`The document was read, as ${lines(quads).join('\n')}`);
}

export async function writtenBytes(
  write: Writer,
  source: ArraySource,
  options: Partial<WriteOptions> = {},
): Promise<Uint8Array[]> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of write(source, source.terms, { slicer: new Slicer(), ...options })) chunks.push(chunk);
  return chunks;
}

export async function writtenText(
  write: Writer,
  source: ArraySource,
  options: Partial<WriteOptions> = {},
): Promise<string> {
  return Buffer.concat(await writtenBytes(write, source, options)).toString('utf8');
}

/** The distinct quads as sorted lines, to compare sets. */
export function lines(quads: readonly RDF.Quad[]): string[] {
  const keys = quads.map(({ subject, predicate, object, graph }) =>
    [subject, predicate, object, graph].map(termKey).join(' '),
  );
  return [...new Set(keys)].sort();
}
