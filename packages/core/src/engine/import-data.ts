import type * as RDF from '@rdfjs/types';
import { setImmediate } from '#platform';
import { raceAbort } from '../contracts/abort-race.ts';
import { asBytes, tagOf } from '../model/any-realm.ts';
import { WorldsError } from '../model/worlds-error.ts';

/** A JSON-LD document as a JavaScript object. */
export type JsonLdDocument = { readonly [key: string]: unknown } | readonly { readonly [key: string]: unknown }[];

/**
 * Accepted inputs of `import`. Text is encoded as UTF-8. A stream may yield bytes, text or quads,
 * but not a mix of quads and others. Bytes may be gzip-compressed. A URL must be a `file:` URL.
 */
export type ImportData =
  | string
  | URL
  | Response
  | JsonLdDocument
  | Uint8Array
  | ArrayBuffer
  | Blob
  | ReadableStream<Uint8Array>
  | AsyncIterable<Uint8Array | string>
  | Iterable<RDF.Quad>
  | AsyncIterable<RDF.Quad>
  | RDF.DatasetCore;

export type OpenedInput =
  | { readonly kind: 'bytes'; readonly chunks: AsyncIterable<Uint8Array> }
  | { readonly kind: 'quads'; readonly quads: Iterable<RDF.Quad> | AsyncIterable<RDF.Quad> };

/**
 * Text is encoded in pieces of this many UTF-16 code units, so that a long string is not copied as
 * a whole.
 */
const PIECE_UNITS = 1 << 18;

/**
 * Detects the kind of an input, for streams by their first item. Throws INVALID_ARGUMENT for
 * unsupported types.
 */
export async function openInput(data: unknown, field: string, signal?: AbortSignal): Promise<OpenedInput> {
  if (typeof data === 'string') return { kind: 'bytes', chunks: encode(data) };
  const bytes = asBytes(data);
  if (bytes) return { kind: 'bytes', chunks: once(bytes) };
  const tag = tagOf(data);
  if (tag === 'ArrayBuffer') return { kind: 'bytes', chunks: once(new Uint8Array(data as ArrayBuffer)) };
  if (tag === 'Blob' || tag === 'File') return openInput((data as Blob).stream(), field, signal);
  if (typeof data === 'object' && data !== null) {
    if (Symbol.asyncIterator in data)
      return openAsync((data as AsyncIterable<unknown>)[Symbol.asyncIterator](), field, signal);
    if (Symbol.iterator in data) return openSync((data as Iterable<unknown>)[Symbol.iterator](), field);
  }
  throw new WorldsError('INVALID_ARGUMENT', `${field}: expected text, bytes, a stream of bytes, or RDF/JS quads.`);
}

async function openAsync(
  items: AsyncIterator<unknown>,
  field: string,
  signal: AbortSignal | undefined,
): Promise<OpenedInput> {
  let first: IteratorResult<unknown>;
  try {
    first = await raceAbort(items.next(), signal);
  } catch (cause) {
    await release(items);
    throw cause;
  }
  if (first.done) return { kind: 'bytes', chunks: once(new Uint8Array(0)) };
  const all = restoredAsync(first.value, items, signal);
  if (isChunk(first.value)) return { kind: 'bytes', chunks: checkedChunks(all, field) };
  return { kind: 'quads', quads: quadsOf(all, field) };
}

/** Uses the iterator directly, because leaving a `for` loop early would end a generator. */
function openSync(items: Iterator<unknown>, field: string): OpenedInput {
  const first = items.next();
  if (first.done) return { kind: 'bytes', chunks: once(new Uint8Array(0)) };
  const all = restored(first.value, items);
  if (isChunk(first.value)) return { kind: 'bytes', chunks: checkedChunks(all, field) };
  return { kind: 'quads', quads: checkedQuads(all, field) };
}

function* restored(first: unknown, rest: Iterator<unknown>): Generator<unknown> {
  try {
    yield first;
    for (let next = rest.next(); !next.done; next = rest.next()) yield next.value;
  } finally {
    rest.return?.();
  }
}

function isChunk(item: unknown): boolean {
  return typeof item === 'string' || asBytes(item) !== undefined;
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

async function* encode(text: string): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  for (let start = 0; start < text.length; ) {
    let end = Math.min(start + PIECE_UNITS, text.length);
    // Does not split a surrogate pair.
    if (end < text.length && (text.charCodeAt(end - 1) & 0xfc00) === 0xd800) end--;
    if (end === start) end = start + 1;
    const piece = text.slice(start, end);
    if (!piece.isWellFormed()) {
      throw new WorldsError('INVALID_RDF', 'The text contains a lone surrogate, which is not a Unicode character.');
    }
    yield encoder.encode(piece);
    start = end;
  }
}

function* checkedQuads(items: Iterable<unknown>, field: string): Generator<RDF.Quad> {
  for (const item of items) yield requireQuad(item, field);
}

async function* checkedChunks(
  items: Iterable<unknown> | AsyncIterable<unknown>,
  field: string,
): AsyncGenerator<Uint8Array> {
  // A stream of text may be split within a surrogate pair: the first half is kept for the next
  // piece.
  let half = '';
  for await (const item of items) {
    if (typeof item === 'string') {
      const text = half + item;
      half = (text.charCodeAt(text.length - 1) & 0xfc00) === 0xd800 ? text.slice(-1) : '';
      yield* encode(half === '' ? text : text.slice(0, -1));
      continue;
    }
    const bytes = asBytes(item);
    if (!bytes)
      throw new WorldsError('INVALID_ARGUMENT', `${field}: the stream yielded bytes first, then something else.`);
    yield* encode(half);
    half = '';
    yield bytes;
  }
  yield* encode(half);
}

async function* restoredAsync(
  first: unknown,
  rest: AsyncIterator<unknown>,
  signal: AbortSignal | undefined,
): AsyncGenerator<unknown> {
  try {
    yield first;
    for (;;) {
      const next = await raceAbort(rest.next(), signal);
      if (next.done) return;
      yield next.value;
    }
  } finally {
    await release(rest);
  }
}

/**
 * Ends a source. A stalled generator answers only after its pending request, so this waits for at
 * most one turn of the event loop.
 */
async function release(source: AsyncIterator<unknown>): Promise<void> {
  const returned = source.return?.();
  if (returned) await Promise.race([returned, new Promise<void>((resolve) => setImmediate(resolve))]);
}

async function* quadsOf(items: AsyncIterable<unknown>, field: string): AsyncGenerator<RDF.Quad> {
  for await (const item of items) yield requireQuad(item, field);
}

function requireQuad(item: unknown, field: string): RDF.Quad {
  if (typeof item === 'object' && item !== null && 'subject' in item && 'predicate' in item && 'object' in item) {
    return item as RDF.Quad;
  }
  throw new WorldsError(
    'INVALID_ARGUMENT',
    `${field}: expected RDF/JS quads, found ${item === null ? 'null' : typeof item}.`,
  );
}
