import { HttpError } from './http-error.ts';

/**
 * So much of each body is not counted: short queries work while uploads fill the rest. Connections
 * bound their number.
 */
const UNCOUNTED_BYTES = 64 * 1024;
const RETRY_AFTER_SECONDS = 5;

/** The bytes of request bodies that are in memory, in all and by caller. */
export class HeldBodies {
  private total = 0;
  private readonly byCaller = new Map<string, number>();

  /** The account of one request. */
  open(caller: string, maxBytes: number): BodyClaim {
    return new BodyClaim(this, caller, maxBytes);
  }

  get bytes(): number {
    return this.total;
  }

  /** Whether so many more fit: one caller gets at most half, so that others can still upload. */
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
 * What one request holds of `maxHeldBodyBytes`. Release it when nothing refers to the body any
 * more.
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

  /** Counts bytes that have come. Throws HttpError 503 when they do not fit. */
  grow(bytes: number): void {
    const more = this.bytes + bytes - UNCOUNTED_BYTES - this.counted;
    if (more > 0) {
      this.require(more);
      this.held.add(more, this.caller);
      this.counted += more;
    }
    this.bytes += bytes;
  }

  /** Throws HttpError 503 when a body of this length would not fit now. */
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
      'maxHeldBodyBytes: too many bytes are being uploaded at the moment; send this again later, or in smaller parts.',
      { 'retry-after': String(RETRY_AFTER_SECONDS) },
    );
  }
}

/** Of this process: several handlers share its memory. */
export const HELD_BODIES = new HeldBodies();
