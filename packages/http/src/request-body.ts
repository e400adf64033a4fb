import { WorldsError } from '@rdf-worlds/core';
import type { Call } from './call.ts';
import { parseFormPieces } from './form-pieces.ts';
import { HttpError } from './http-error.ts';
import type { BodyBounds, Incoming } from './incoming.ts';
import { parseJsonPieces } from './json-pieces.ts';
import { type JsonBounds, requireJsonValues } from './json-scan.ts';
import { type MediaType, parseMediaType } from './media-type.ts';
import { ROUNDS } from './rounds.ts';

/** Maximum number of characters of a header that an error message repeats. */
const MAX_SHOWN = 100;

/**
 * Reads the bytes of a request's body, then waits for a slot (see `Call.enter`). Throws `HttpError`
 * 413 if the body is too large and 503 if the process holds too many bytes (both before reading, if
 * the length is declared), and 408 if it arrives too slowly or stops arriving.
 */
export async function readBody(call: Call, maxBytes = call.limits.maxBodyBytes): Promise<Uint8Array> {
  const bytes = await receiveBody(call, maxBytes);
  const entering = call.enter();
  if (entering) await entering;
  return bytes;
}

/** Reads the bytes of a request's body, as {@link readBody} does, without taking a slot. */
export async function receiveBody(call: BodyCall, maxBytes: number): Promise<Uint8Array> {
  const bounds = bodyBounds(call, maxBytes);
  requireUnencoded(call.incoming);
  try {
    return await call.incoming.readBody(bounds);
  } catch (cause) {
    if (cause instanceof HttpError) throw cause;
    throw new WorldsError('ABORTED', 'The body ended prematurely.', { cause });
  }
}

/** What reading a body needs of a call. */
export type BodyCall = Pick<Call, 'incoming' | 'limits' | 'bodyClaim'>;

/**
 * Returns the bounds of a body. Throws `HttpError` if its head already shows that it must not be
 * read: 413 and 503 by its declared length, 400 and 501 for its transfer coding.
 *
 * @param maxHeldBytes how much of it is held in memory at a time
 */
export function bodyBounds(
  { incoming, limits, bodyClaim: claim }: BodyCall,
  maxBytes: number,
  maxHeldBytes = maxBytes,
): BodyBounds {
  requireChunked(incoming.header('transfer-encoding'));
  const bounds: BodyBounds = { maxBytes, idleMs: limits.bodyIdleMs, totalMs: limits.bodyMs, claim };
  const declared = incoming.header('content-length');
  if (declared === null) return bounds;
  if (Number(declared) > maxBytes) throw tooLarge(bounds);
  claim.expect(Math.min(Number(declared), maxHeldBytes));
  return bounds;
}

/** RFC 9110 section 8.4.1.3: 'A recipient SHOULD consider "x-gzip" to be equivalent to "gzip".' */
const GZIP = new Set(['gzip', 'x-gzip']);

function contentCoding(incoming: Incoming): string | undefined {
  const coding = incoming.header('content-encoding')?.trim().toLowerCase();
  return coding === '' || coding === 'identity' ? undefined : coding;
}

function requireUnencoded(incoming: Incoming): void {
  const coding = contentCoding(incoming);
  if (coding !== undefined) throw unknownCoding(coding, 'send the body without encoding');
}

/** Returns whether a body is compressed by gzip. Throws `INVALID_ARGUMENT` for other codings. */
export function isGzipped(incoming: Incoming): boolean {
  const coding = contentCoding(incoming);
  if (coding === undefined) return false;
  if (!GZIP.has(coding)) throw unknownCoding(coding, 'send the body without encoding, or with gzip');
  return true;
}

function unknownCoding(coding: string, remedy: string): WorldsError {
  const shown = JSON.stringify(coding.length > MAX_SHOWN ? `${coding.slice(0, MAX_SHOWN)}...` : coding);
  return new WorldsError('INVALID_ARGUMENT', `Content-Encoding: ${shown} is not supported here; ${remedy}.`);
}

/**
 * Throws `HttpError` for any transfer coding other than chunked, because `node:http` would treat
 * the body as merely chunked whatever other codings were applied. The connection is closed, since
 * the end of the body cannot be trusted.
 */
function requireChunked(header: string | null): void {
  if (header === null) return;
  // RFC 9110 section 5.6.1.2: "A recipient MUST parse and ignore a reasonable number of empty list
  // elements".
  const codings = header.split(',').flatMap((coding) => coding.trim().toLowerCase() || []);
  if (codings.length === 1 && codings[0] === 'chunked') return;
  // RFC 9112 section 6.1: "A server that receives a request message with a transfer coding it does
  // not understand SHOULD respond with 501", and "A sender MUST NOT apply the chunked transfer
  // coding more than once to a message body".
  const status = codings.some((coding) => coding !== 'chunked') ? 501 : 400;
  const shown = JSON.stringify(header.length > MAX_SHOWN ? `${header.slice(0, MAX_SHOWN)}...` : header);
  throw new HttpError(status, `Transfer-Encoding: ${shown} is not supported; send the body as it is, or chunked.`, {
    connection: 'close',
  });
}

export function tooLarge({ maxBytes }: Pick<BodyBounds, 'maxBytes'>): HttpError {
  return new HttpError(413, `The body is larger than the limit of ${maxBytes} bytes; send less per request.`);
}

export function tooSlow({ idleMs }: Pick<BodyBounds, 'idleMs'>): HttpError {
  return new HttpError(408, `No data of the body arrived for ${idleMs} ms; send the request again.`);
}

export function tooLong({ totalMs }: Pick<BodyBounds, 'totalMs'>): HttpError {
  return new HttpError(408, `The body did not end within ${totalMs} ms; send it faster, or in smaller parts.`);
}

/** Length of a body that takes some milliseconds to parse. */
const LONG_BYTES = 1 << 17;

const UTF_8 = new Set([undefined, 'utf-8', 'utf8', 'us-ascii']);

/**
 * Returns the media type of a request; undefined if it has none. Throws `INVALID_ARGUMENT` for text
 * that is not UTF-8.
 */
export function bodyType(incoming: Incoming): MediaType | undefined {
  return checkedType(incoming.header('content-type'));
}

/**
 * Returns the media type of a request or of one of its parts. Throws `INVALID_ARGUMENT` if its
 * charset is not UTF-8.
 */
export function checkedType(header: string | null): MediaType | undefined {
  if (header === null || header.trim() === '') return undefined;
  const mediaType = parseMediaType(header);
  if (!UTF_8.has(mediaType.charset)) {
    throw new WorldsError(
      'INVALID_ARGUMENT',
      `Content-Type: the charset ${JSON.stringify(mediaType.charset)} is not supported; send UTF-8.`,
    );
  }
  return mediaType;
}

const decoder = new TextDecoder('utf-8', { fatal: true });

/** Decodes bytes as UTF-8. Throws `INVALID_ARGUMENT` if they are malformed. */
export function utf8(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch (cause) {
    throw new WorldsError('INVALID_ARGUMENT', 'The body is not valid UTF-8.', { cause });
  }
}

/**
 * Parses a body as JSON. Throws `INVALID_ARGUMENT` if it is malformed or declared as another type,
 * and `HttpError` 413 above the bounds. A body without a type is treated as JSON.
 */
export async function jsonValue(
  bytes: Uint8Array,
  mediaType: MediaType | undefined,
  bounds: JsonBounds,
): Promise<unknown> {
  requireJsonType(mediaType);
  await requireJsonValues(bytes, bounds);
  if (bytes.length <= LONG_BYTES) return parseJson(bytes, mediaType);
  try {
    return await inPieces(parseJsonPieces(utf8(bytes)));
  } catch (cause) {
    throw cause instanceof SyntaxError ? malformedJson(cause, mediaType) : cause;
  }
}

/**
 * Yields to the event loop after each step, and after the last one too, because what takes long to
 * parse also takes long to validate.
 */
async function inPieces<Value>(kernel: Generator<void, Value, void>): Promise<Value> {
  for (;;) {
    const step = kernel.next();
    await ROUNDS.pause();
    if (step.done) return step.value;
  }
}

/** Parses a URL-encoded body. Throws `INVALID_ARGUMENT` if it is not UTF-8. */
export async function formValue(bytes: Uint8Array): Promise<URLSearchParams> {
  utf8(bytes);
  const kernel = parseFormPieces(bytes);
  if (bytes.length > LONG_BYTES) return inPieces(kernel);
  for (;;) {
    const step = kernel.next();
    if (step.done) return step.value;
  }
}

/** Decodes a body of SPARQL. Throws `INVALID_ARGUMENT` if it is not UTF-8. */
export async function sparqlText(bytes: Uint8Array): Promise<string> {
  const text = utf8(bytes);
  if (bytes.length > LONG_BYTES) await ROUNDS.pause();
  return text;
}

function malformedJson(cause: SyntaxError, mediaType?: MediaType): WorldsError {
  const untyped = mediaType ? '' : ' Without a Content-Type, a body is read as JSON.';
  return new WorldsError('INVALID_ARGUMENT', `The body is not valid JSON: ${cause.message}.${untyped}`, { cause });
}

export function requireJsonType(mediaType: MediaType | undefined): void {
  if (mediaType && mediaType.type !== 'application/json') {
    throw new WorldsError(
      'INVALID_ARGUMENT',
      `Content-Type: ${JSON.stringify(mediaType.type)} is not supported here; send application/json.`,
    );
  }
}

/** Parses JSON whose number of values has already been checked. */
export function parseJson(bytes: Uint8Array, mediaType: MediaType | undefined): unknown {
  const text = utf8(bytes);
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw malformedJson(cause as SyntaxError, mediaType);
  }
}
