import { WorldsError } from '@rdf-worlds/core';
import { requirePieces } from './body-pieces.ts';
import type { BodySource } from './body-source.ts';
import { HttpError } from './http-error.ts';
import type { BodyBounds } from './incoming.ts';
import { tooLarge, tooLong, tooSlow } from './request-body.ts';
import type { BodyWaits, Upload } from './upload-waits.ts';

/**
 * A body within its bounds, piece by piece. Only the waits for the client count towards
 * `bodyIdleMs` and `bodyMs`, not the time that its reader works. Not a generator, because `return`
 * on a generator takes effect only after the pending `next`.
 */
export class StreamedBody implements AsyncIterableIterator<Uint8Array>, Upload {
  /** Called around waits, if set. */
  waits: BodyWaits | undefined;
  private readonly source: BodySource;
  private readonly bounds: Omit<BodyBounds, 'claim'>;
  private readonly onEnd: () => void | Promise<void>;
  private length = 0;
  private leftMs: number;
  private refusal: Error | undefined;

  /** @param onEnd called and awaited when the last byte has been read */
  constructor(source: BodySource, bounds: Omit<BodyBounds, 'claim'>, onEnd: () => void | Promise<void> = () => {}) {
    this.source = source;
    this.bounds = bounds;
    this.onEnd = onEnd;
    this.leftMs = bounds.totalMs;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /**
   * Throws `HttpError` 413 if the body is too large or comes in too many tiny pieces, and 408 if it
   * is too slow, the reason of {@link refuse}, and `ABORTED` if it was cut off.
   */
  async next(): Promise<IteratorResult<Uint8Array, undefined>> {
    const piece = await this.received();
    if (!piece) {
      await this.onEnd();
      return { done: true, value: undefined };
    }
    this.length += piece.length;
    try {
      if (this.length > this.bounds.maxBytes) throw tooLarge(this.bounds);
      requirePieces(this.source.pieces, this.length);
    } catch (refusal) {
      this.refuse(refusal as Error);
      throw refusal;
    }
    return { done: false, value: piece };
  }

  async return(): Promise<IteratorResult<Uint8Array, undefined>> {
    this.source.stop(new HttpError(400, 'The body is not read to its end.'));
    return { done: true, value: undefined };
  }

  /** Stops receiving; the pending and later calls of `next` throw the reason. */
  refuse(reason: Error): void {
    this.refusal ??= reason;
    this.source.stop(reason);
  }

  private async received(): Promise<Uint8Array | undefined> {
    const { bounds } = this;
    const started = performance.now();
    const isIdleFirst = bounds.idleMs <= this.leftMs;
    const late = () => this.refuse(isIdleFirst ? tooSlow(bounds) : tooLong(bounds));
    const timer = setTimeout(late, Math.max(0, Math.min(bounds.idleMs, this.leftMs)));
    this.waits?.begin();
    try {
      const piece = await this.source.read();
      if (this.refusal) throw this.refusal;
      return piece;
    } catch (cause) {
      throw this.refusal ?? new WorldsError('ABORTED', 'The body ended prematurely.', { cause });
    } finally {
      this.waits?.end();
      clearTimeout(timer);
      this.leftMs -= performance.now() - started;
    }
  }
}
