import { HttpError } from './http-error.ts';

/**
 * Bytes of each body that are exempt from the budget, so that short queries still work while
 * uploads fill it. The connection limit bounds their number.
 */
const UNCOUNTED_BYTES = 64 * 1024;
const RETRY_AFTER_SECONDS = 5;

/** Accounts for the bytes of request bodies in memory, in total and per caller. */
export class HeldBodies {
  private total = 0;
  private readonly byCaller = new Map<string, number>();

  /** Opens the account of one request. */
  open(caller: string, maxBytes: number): BodyClaim {
    return new BodyClaim(this, caller, maxBytes);
  }

  get bytes(): number {
    return this.total;
  }

  /**
   * Returns true if the bytes fit the budget. One caller gets at most half, so that others can
   * still upload.
   */
  fits(bytes: number, caller: string, maxBytes: number): boolean {
    return this.total + bytes <= maxBytes && (this.byCaller.get(caller) ?? 0) + bytes <= maxBytes / 2;
  }

  add(bytes: number, caller: string): void {
    this.total += bytes;
    const own = (this.byCaller.get(caller) ?? 0) + bytes;
    if (own > 0) this.byCaller.set(caller, own);
    else this.byCaller.delete(caller);
  }
}

/**
 * The share of `maxHeldBodyBytes` that one request holds. Release it once nothing refers to the
 * body.
 */
export class BodyClaim {
  private readonly held: HeldBodies;
  private readonly caller: string;
  private readonly maxBytes: number;
  private bytes = 0;
  private counted = 0;

  constructor(held: HeldBodies, caller: string, maxBytes: number) {
    this.held = held;
    this.caller = caller;
    this.maxBytes = maxBytes;
  }

  /** Counts bytes that have arrived. Throws `HttpError` 503 if they do not fit. */
  grow(bytes: number): void {
    const more = this.bytes + bytes - UNCOUNTED_BYTES - this.counted;
    if (more > 0) {
      this.require(more);
      this.held.add(more, this.caller);
      this.counted += more;
    }
    this.bytes += bytes;
  }

  /** Throws `HttpError` 503 if a body of this length would not fit now. */
  expect(bytes: number): void {
    if (bytes > UNCOUNTED_BYTES) this.require(bytes - UNCOUNTED_BYTES);
  }

  release(): void {
    if (this.counted > 0) this.held.add(-this.counted, this.caller);
    this.counted = this.bytes = 0;
  }

  private require(bytes: number): void {
    if (this.held.fits(bytes, this.caller, this.maxBytes)) return;
    throw new HttpError(
      503,
      'maxHeldBodyBytes: too many bytes are being uploaded at the moment; retry later, or send smaller parts.',
      { 'retry-after': String(RETRY_AFTER_SECONDS) },
    );
  }
}

/** One per process, because all handlers share its memory. */
export const HELD_BODIES = new HeldBodies();
