import { WorldsError } from '@rdf-worlds/core';
import { BodyPieces } from './body-pieces.ts';
import type { Call } from './call.ts';
import { bodyBounds } from './request-body.ts';
import { StreamedBody } from './streamed-body.ts';

/**
 * Bodies up to this length are held until they have arrived: while a client is slow, their imports
 * hold no memory and no slot.
 */
const MAX_HELD_BYTES = 1 << 20;
/** RFC 1952 section 2.3.1. */
const GZIP_MAGIC = [0x1f, 0x8b];

/**
 * Returns the document of a request's body: its bytes if it is short; otherwise, once a slot for
 * streamed bodies is free, a stream that can be read once. Takes a slot of the request when the
 * last byte has arrived (see `Call.enter`). Throws `HttpError` as `readBody` does, before or while
 * the stream is read, and `INVALID_ARGUMENT` for a body that should be gzip and is not.
 */
export async function openDocument(call: Call, isGzip: boolean): Promise<Uint8Array | AsyncIterable<Uint8Array>> {
  const { incoming, limits } = call;
  const bounds = bodyBounds(call, limits.maxImportBytes, MAX_HELD_BYTES);
  const body = new StreamedBody(incoming.openBody(), bounds, () => {
    call.uploadArrived();
    return call.enter();
  });
  const pieces = new BodyPieces(bounds);
  let heldBytes = 0;
  let isWhole = false;
  try {
    while (!isWhole && heldBytes <= MAX_HELD_BYTES) {
      const { value } = await body.next();
      if (value) {
        heldBytes += value.length;
        pieces.add(value);
      } else isWhole = true;
    }
    const held = await pieces.whole();
    if (isGzip && !GZIP_MAGIC.every((byte, i) => held[i] === byte)) {
      throw new WorldsError('INVALID_ARGUMENT', 'Content-Encoding: the body is not gzip; send it as declared.');
    }
    if (isWhole) return held;
    await call.beginUpload(body);
    return new StreamedDocument(held, body, () => call.releaseBody());
  } catch (error) {
    body.refuse(error as Error);
    throw error;
  }
}

/** What has been held of a body, then the rest of it. */
class StreamedDocument implements AsyncIterableIterator<Uint8Array> {
  private held: Uint8Array | undefined;
  private readonly rest: StreamedBody;
  private releaseHeld: (() => void) | undefined;

  /** @param releaseHeld called once nothing refers to the held part */
  constructor(held: Uint8Array, rest: StreamedBody, releaseHeld: () => void) {
    this.held = held;
    this.rest = rest;
    this.releaseHeld = releaseHeld;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<Uint8Array, undefined>> {
    const { held } = this;
    if (held) {
      this.held = undefined;
      return { done: false, value: held };
    }
    this.releaseHeld?.();
    this.releaseHeld = undefined;
    return this.rest.next();
  }

  return(): Promise<IteratorResult<Uint8Array, undefined>> {
    return this.rest.return();
  }
}
