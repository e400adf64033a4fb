import { HttpError } from './http-error.ts';
import type { BodyBounds } from './incoming.ts';
import { tooLarge } from './request-body.ts';
import { ROUNDS } from './rounds.ts';

/**
 * Shorter pieces are copied into shared blocks: each would otherwise be an object of its own and
 * keep its whole read buffer alive.
 */
const SHORT_PIECE = 4096;
const BLOCK_BYTES = 64 * 1024;
/**
 * Number of pieces accepted at any length; beyond it, the average length must reach
 * `MIN_AVERAGE_BYTES`.
 */
const FREE_PIECES = 512;
const MIN_AVERAGE_BYTES = 16;

/** Bytes copied before yielding to the event loop. */
const MAX_JOINED_BYTES = 4 << 20;

/** Whether pieces of this total length, in bytes, are too many and too tiny. */
export function areTooTiny(count: number, length: number): boolean {
  return count > FREE_PIECES && length < count * MIN_AVERAGE_BYTES;
}

/**
 * Throws `HttpError` 413 for too many tiny pieces: each costs as much as hundreds of bytes.
 *
 * @param length of all of them, in bytes
 */
export function requirePieces(count: number, length: number): void {
  if (!areTooTiny(count, length)) return;
  throw new HttpError(
    413,
    `The body comes in more than ${FREE_PIECES} pieces of less than ${MIN_AVERAGE_BYTES} bytes; send larger chunks.`,
    // The rest of the body would cost as much.
    { connection: 'close' },
  );
}

/** Collects a body piece by piece. */
export class BodyPieces {
  private readonly bounds: BodyBounds;
  private readonly blocks: Uint8Array[] = [];
  /** The block that short pieces are copied into, and the number of its bytes in use. */
  private block: Buffer | undefined;
  private used = 0;
  private count = 0;
  private length = 0;

  constructor(bounds: BodyBounds) {
    this.bounds = bounds;
  }

  /**
   * Adds a piece. Throws `HttpError` 413 for too many bytes or too many tiny pieces, and 503 if the
   * process holds too many bytes.
   */
  add(piece: Uint8Array): void {
    const { bounds } = this;
    this.length += piece.length;
    if (this.length > bounds.maxBytes) throw tooLarge(bounds);
    requirePieces(++this.count, this.length);
    bounds.claim.grow(piece.length);
    if (piece.length >= SHORT_PIECE) {
      this.endBlock();
      this.blocks.push(piece);
    } else this.copy(piece);
  }

  /** Returns the whole body. A large body is joined in steps that yield to the event loop. */
  whole(): Uint8Array | Promise<Uint8Array> {
    this.endBlock();
    const { blocks, length } = this;
    if (blocks.length === 1) return blocks[0];
    return length <= MAX_JOINED_BYTES ? Buffer.concat(blocks, length) : joined(blocks, length);
  }

  private copy(piece: Uint8Array): void {
    if (this.block && this.used + piece.length > this.block.length) this.endBlock();
    // A single short piece is usually the whole body and needs no block.
    if (!this.block && this.length === piece.length) {
      this.block = Buffer.from(piece);
      this.used = piece.length;
      return;
    }
    this.block ??= Buffer.allocUnsafeSlow(BLOCK_BYTES);
    this.block.set(piece, this.used);
    this.used += piece.length;
  }

  private endBlock(): void {
    if (this.block) this.blocks.push(this.block.subarray(0, this.used));
    this.block = undefined;
    this.used = 0;
  }
}

async function joined(blocks: readonly Uint8Array[], length: number): Promise<Uint8Array> {
  const whole = Buffer.allocUnsafeSlow(length);
  let end = 0;
  let pauseAt = MAX_JOINED_BYTES;
  for (const block of blocks) {
    whole.set(block, end);
    end += block.length;
    if (end < pauseAt) continue;
    pauseAt = end + MAX_JOINED_BYTES;
    await ROUNDS.pause();
  }
  return whole;
}
