import { Buffer, GzipError, gunzip } from '#platform';
import { DEFAULT_REQUEST_LIMITS, limitExceeded, type RequestLimits } from '../model/request-limits.ts';
import { WorldsError } from '../model/worlds-error.ts';

/**
 * RFC 1952 section 2.3.1: ID1, ID2, and deflate, the only method. No UTF-8 document starts with
 * these bytes.
 */
const MAGIC = [0x1f, 0x8b, 0x08];
const CHUNK_BYTES = 1 << 18;

/**
 * Decompresses gzip data, including multiple members (RFC 1952 section 2.2). Passes other bytes
 * through. Throws INVALID_RDF with `field` for damaged data, and LIMIT_EXCEEDED as soon as the
 * output exceeds `maxDecompressedBytes`.
 */
export async function* gunzipped(
  chunks: AsyncIterable<Uint8Array>,
  field: string,
  limits: RequestLimits = DEFAULT_REQUEST_LIMITS,
): AsyncGenerator<Uint8Array> {
  const source = chunks[Symbol.asyncIterator]();
  try {
    const head = await beginning(source);
    const all = joined(head, source);
    if (!MAGIC.every((byte, i) => head[i] === byte)) yield* all;
    else yield* decompressed(all, field, limits);
  } finally {
    await source.return?.();
  }
}

/**
 * Returns the first bytes of a source: at least as many as the magic number has, unless the source
 * is shorter.
 */
async function beginning(source: AsyncIterator<Uint8Array>): Promise<Uint8Array> {
  let head: Uint8Array = new Uint8Array(0);
  while (head.length < MAGIC.length) {
    const next = await source.next();
    if (next.done) break;
    // Returned before the next read, because the producer may reuse the buffer then.
    if (head.length === 0 && next.value.length >= MAGIC.length) return next.value;
    head = Buffer.concat([head, next.value]);
  }
  return head;
}

async function* joined(head: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  if (head.length > 0) yield head;
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
}

async function* decompressed(
  chunks: AsyncIterable<Uint8Array>,
  field: string,
  limits: RequestLimits,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  try {
    for await (const chunk of gunzip(copied(chunks), CHUNK_BYTES)) {
      bytes += chunk.length;
      if (bytes > limits.maxDecompressedBytes) throw limitExceeded('maxDecompressedBytes', limits);
      yield chunk;
    }
  } catch (cause) {
    if (!(cause instanceof GzipError)) throw cause;
    const message = `${field}: the gzip data is damaged or truncated: ${cause.message}`;
    throw new WorldsError('INVALID_RDF', message, { cause: cause.cause });
  }
}

/**
 * Copies the chunks, because the decompressor reads the next chunk while one is still being
 * decompressed.
 */
async function* copied(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) yield Buffer.from(chunk);
}
