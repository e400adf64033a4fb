import type { ImportDocument } from '@rdf-worlds/core';
import { asBytes, importInput, inputType, tagOf, WorldsError } from '@rdf-worlds/core/remote';
import type * as RDF from '@rdfjs/types';
import { fileChunks } from './file-chunks.ts';
import { gunzipped } from './gunzipped.ts';
import { quadLine } from './n-quads-text.ts';
import { readAll } from './read-all.ts';

/** A document as it is sent. */
export interface SentDocument {
  readonly contentType: string;
  /** What was assumed about the document; undefined if nothing was. */
  readonly note: string | undefined;
  readonly chunks: AsyncGenerator<Uint8Array>;
}

const ENCODER = new TextEncoder();
const N_QUADS = 'application/n-quads';
/** Size of pieces of text and of blocks of lines, in UTF-16 code units. */
const PIECE_UNITS = 1 << 16;

/**
 * Prepares a document for sending: detects its media type like the engine, writes quads as N-Quads,
 * and decompresses, because the limits of a server apply to what is sent. Throws the errors of the
 * engine for anything that is not a document; `field` is for their messages.
 */
export async function importDocument(document: ImportDocument, field: string): Promise<SentDocument> {
  const { data, contentType: given, decompress = true } = document;
  if (data === undefined || data === null) throw new WorldsError('INVALID_ARGUMENT', `${field}: is missing`);
  const input = importInput(data, field, document, fileChunks);
  const { contentType, note } = inputType(input, given, field);
  const items = itemsOf(input.data, field);
  const first = await items.next();
  if (!first.done && !isChunk(first.value)) {
    return { contentType: N_QUADS, note: undefined, chunks: linesOf(first.value, items, field) };
  }
  const chunks = bytesOf(first, items, field);
  return { contentType, note, chunks: decompress ? gunzipped(chunks, field) : chunks };
}

/** Returns the pieces of text, of bytes, or quads of any accepted input. */
function itemsOf(data: unknown, field: string): AsyncGenerator<unknown> {
  if (typeof data === 'string') return each(pieces(data));
  const bytes = asBytes(data);
  if (bytes) return each([bytes]);
  const tag = tagOf(data);
  if (tag === 'ArrayBuffer') return each([new Uint8Array(data as ArrayBuffer)]);
  if (tag === 'Blob' || tag === 'File') return each(readAll((data as Blob).stream()));
  if (typeof data === 'object' && data !== null) {
    if (Symbol.asyncIterator in data) return each(data as AsyncIterable<unknown>);
    // Streams of browsers that cannot be iterated over.
    if (tag === 'ReadableStream') return each(readAll(data as ReadableStream<unknown>));
    if (Symbol.iterator in data) return each(data as Iterable<unknown>);
  }
  throw new WorldsError('INVALID_ARGUMENT', `${field}: expected text, bytes, a stream of bytes, or RDF/JS quads.`);
}

async function* each(items: Iterable<unknown> | AsyncIterable<unknown>): AsyncGenerator<unknown> {
  yield* items;
}

/** A long text in pieces that do not split a surrogate pair. */
function* pieces(text: string): Generator<string> {
  for (let start = 0; start < text.length; ) {
    let end = Math.min(start + PIECE_UNITS, text.length);
    if (end < text.length && isLeading(text.charCodeAt(end - 1))) end--;
    if (end === start) end = start + 1;
    yield text.slice(start, end);
    start = end;
  }
}

function isLeading(unit: number): boolean {
  return (unit & 0xfc00) === 0xd800;
}

function isChunk(item: unknown): boolean {
  return typeof item === 'string' || asBytes(item) !== undefined;
}

async function* bytesOf(
  first: IteratorResult<unknown>,
  rest: AsyncGenerator<unknown>,
  field: string,
): AsyncGenerator<Uint8Array> {
  // A stream of text may be split within a surrogate pair: the first half is kept for the next
  // piece.
  let half = '';
  try {
    for (let next = first; !next.done; next = await rest.next()) {
      const item = next.value;
      if (typeof item === 'string') {
        const text = half + item;
        half = isLeading(text.charCodeAt(text.length - 1)) ? text.slice(-1) : '';
        for (const piece of pieces(half === '' ? text : text.slice(0, -1))) yield encoded(piece);
        continue;
      }
      const bytes = asBytes(item);
      if (!bytes)
        throw new WorldsError('INVALID_ARGUMENT', `${field}: the stream yielded bytes first, then something else.`);
      if (half !== '') yield encoded(half);
      yield bytes;
    }
    if (half !== '') yield encoded(half);
  } finally {
    await rest.return(undefined);
  }
}

function encoded(text: string): Uint8Array {
  if (text.isWellFormed()) return ENCODER.encode(text);
  throw new WorldsError('INVALID_RDF', 'The text contains a lone surrogate, which is not a Unicode character.');
}

async function* linesOf(first: unknown, rest: AsyncGenerator<unknown>, field: string): AsyncGenerator<Uint8Array> {
  let lines = '';
  try {
    for (let item = first, isDone: boolean | undefined = false; !isDone; ) {
      lines += quadLine(requireQuad(item, field));
      if (lines.length >= PIECE_UNITS) {
        yield ENCODER.encode(lines);
        lines = '';
      }
      const next: IteratorResult<unknown> = await rest.next();
      item = next.value;
      isDone = next.done;
    }
    yield ENCODER.encode(lines);
  } finally {
    await rest.return(undefined);
  }
}

function requireQuad(item: unknown, field: string): RDF.Quad {
  if (typeof item === 'object' && item !== null && 'subject' in item && 'predicate' in item && 'object' in item)
    return item as RDF.Quad;
  throw new WorldsError(
    'INVALID_ARGUMENT',
    `${field}: expected RDF/JS quads, found ${item === null ? 'null' : typeof item}.`,
  );
}
