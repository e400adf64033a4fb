import { WorldsError } from '@rdf-worlds/core';
import { HttpError } from './http-error.ts';
import type { BodyBounds, Incoming } from './incoming.ts';
import { type MediaType, parseMediaType } from './media-type.ts';

/** The bytes of a request's body. 413 when there are too many - before any is read, where the length is declared - and 408 when they stop coming. */
export async function readBody(incoming: Incoming, bounds: BodyBounds): Promise<Uint8Array> {
  const declared = incoming.header('content-length');
  if (declared !== null && Number(declared) > bounds.maxBytes) throw tooLarge(bounds);
  const encoding = incoming.header('content-encoding')?.trim().toLowerCase();
  if (encoding && encoding !== 'identity') {
    throw new WorldsError(
      'INVALID_ARGUMENT',
      `Content-Encoding: ${JSON.stringify(encoding)} is not supported; send the body as it is.`,
    );
  }
  try {
    return await incoming.readBody(bounds);
  } catch (cause) {
    if (cause instanceof HttpError) throw cause;
    throw new WorldsError('ABORTED', 'The body broke off before its end.', { cause });
  }
}

export function tooLarge({ maxBytes }: BodyBounds): HttpError {
  return new HttpError(413, `The body is larger than ${maxBytes} bytes, the limit here; send less at once.`);
}

export function tooSlow({ idleMs }: BodyBounds): HttpError {
  return new HttpError(408, `No part of the body came for ${idleMs} ms; send it again.`);
}

const UTF_8 = new Set([undefined, 'utf-8', 'utf8', 'us-ascii']);

/** The media type of a request; undefined when it does not say. Throws INVALID_ARGUMENT for text that is not UTF-8. */
export function bodyType(incoming: Incoming): MediaType | undefined {
  const header = incoming.header('content-type');
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

/** Bytes as text. Throws INVALID_ARGUMENT when they are not UTF-8. */
export function utf8(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch (cause) {
    throw new WorldsError('INVALID_ARGUMENT', 'The body is not valid UTF-8.', { cause });
  }
}

/** The JSON value of a body. Throws INVALID_ARGUMENT when it is none, or comes as something else. A body without a type is taken for JSON. */
export function jsonValue(bytes: Uint8Array, mediaType: MediaType | undefined): unknown {
  if (mediaType && mediaType.type !== 'application/json') {
    throw new WorldsError(
      'INVALID_ARGUMENT',
      `Content-Type: ${JSON.stringify(mediaType.type)} is not supported here; send application/json.`,
    );
  }
  const text = utf8(bytes);
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new WorldsError('INVALID_ARGUMENT', `The body is not valid JSON: ${(cause as Error).message}.`, { cause });
  }
}
