import type * as RDF from '@rdfjs/types';
import { WorldsError } from '../model/worlds-error.ts';

/** What `import` takes. Text is UTF-8; a stream may bring bytes, text or quads, but one kind only. */
export type ImportData =
  | string
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

/** Text is encoded in pieces, so that a long string needs no second copy of itself. */
const PIECE_UNITS = 1 << 18;

/** Finds out what was passed: for streams by their first item. Throws INVALID_ARGUMENT for anything else. */
export async function openInput(data: unknown, field: string): Promise<OpenedInput> {
  if (typeof data === 'string') return { kind: 'bytes', chunks: encode(data) };
  if (data instanceof Uint8Array) return { kind: 'bytes', chunks: once(data) };
  if (data instanceof ArrayBuffer) return { kind: 'bytes', chunks: once(new Uint8Array(data)) };
  if (data instanceof Blob) return openInput(data.stream(), field);
  if (typeof data === 'object' && data !== null) {
    if (Symbol.asyncIterator in data) return openAsync((data as AsyncIterable<unknown>)[Symbol.asyncIterator](), field);
    if (Symbol.iterator in data) return openSync(data as Iterable<unknown>, field);
  }
  throw new WorldsError('INVALID_ARGUMENT', `${field}: expected text, bytes, a stream of bytes, or RDF/JS quads.`);
}

async function openAsync(items: AsyncIterator<unknown>, field: string): Promise<OpenedInput> {
  const first = await items.next();
  if (first.done) return { kind: 'bytes', chunks: once(new Uint8Array(0)) };
  if (isChunk(first.value)) return { kind: 'bytes', chunks: chunksOf(first.value, items, field) };
  return { kind: 'quads', quads: quadsOf(first.value, items, field) };
}

function openSync(items: Iterable<unknown>, field: string): OpenedInput {
  for (const first of items) {
    if (!isChunk(first)) return { kind: 'quads', quads: checkedQuads(items, field) };
    return { kind: 'bytes', chunks: checkedChunks(items, field) };
  }
  return { kind: 'bytes', chunks: once(new Uint8Array(0)) };
}

function isChunk(item: unknown): item is Uint8Array | string {
  return typeof item === 'string' || item instanceof Uint8Array;
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

async function* encode(text: string): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  for (let start = 0; start < text.length; ) {
    let end = Math.min(start + PIECE_UNITS, text.length);
    // A pair of surrogates is one character: do not cut it.
    if (end < text.length && (text.charCodeAt(end - 1) & 0xfc00) === 0xd800) end--;
    if (end === start) end = start + 1;
    const piece = text.slice(start, end);
    if (!piece.isWellFormed()) {
      throw new WorldsError('INVALID_RDF', 'The text holds a lone surrogate, which is no Unicode character.');
    }
    yield encoder.encode(piece);
    start = end;
  }
}

function* checkedQuads(items: Iterable<unknown>, field: string): Generator<RDF.Quad> {
  for (const item of items) yield requireQuad(item, field);
}

async function* checkedChunks(items: Iterable<unknown>, field: string): AsyncGenerator<Uint8Array> {
  for (const item of items) yield* chunk(item, field);
}

async function* chunk(item: unknown, field: string): AsyncGenerator<Uint8Array> {
  if (typeof item === 'string') yield* encode(item);
  else if (item instanceof Uint8Array) yield item;
  else throw new WorldsError('INVALID_ARGUMENT', `${field}: a stream of bytes went on with something else.`);
}

async function* chunksOf(
  first: Uint8Array | string,
  rest: AsyncIterator<unknown>,
  field: string,
): AsyncGenerator<Uint8Array> {
  try {
    for (let item: unknown = first; ; ) {
      yield* chunk(item, field);
      const next = await rest.next();
      if (next.done) return;
      item = next.value;
    }
  } finally {
    await rest.return?.();
  }
}

async function* quadsOf(first: unknown, rest: AsyncIterator<unknown>, field: string): AsyncGenerator<RDF.Quad> {
  try {
    for (let item = first; ; ) {
      yield requireQuad(item, field);
      const next = await rest.next();
      if (next.done) return;
      item = next.value;
    }
  } finally {
    await rest.return?.();
  }
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
