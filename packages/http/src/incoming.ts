import type { BodySource } from './body-source.ts';
import type { BodyClaim } from './held-bodies.ts';

/** Limits on reading a body. */
export interface BodyBounds {
  readonly maxBytes: number;
  /** Maximum milliseconds without a byte. */
  readonly idleMs: number;
  /** Maximum milliseconds for the whole body. */
  readonly totalMs: number;
  /** Counts the bytes as they arrive. */
  readonly claim: BodyClaim;
}

/** Called with the reason for which a client's requests are aborted; undefined for the default. */
export type OnGone = (reason?: unknown) => void;

/** A request, independent of the server that received it. Members are computed lazily. */
export interface Incoming {
  readonly method: string;
  /** As sent: percent-encoded, dot segments included. */
  readonly path: string;
  readonly query: URLSearchParams;
  /**
   * Returns a header by its lower-case name; the values of repeated headers are joined by a comma
   * and a space.
   */
  header(name: string): string | null;
  /** Fires when the client disconnects. */
  readonly signal: AbortSignal;
  /**
   * Calls a function when the client disconnects, or now if it already has. Returns a function that
   * withdraws it. Costs less than a listener of `signal`.
   */
  onGone(gone: OnGone): () => void;
  /** The peer of the connection, possibly a proxy; undefined if the host does not report it. */
  readonly remoteAddress?: string;
  /**
   * Reads the whole body. Throws `HttpError` 413, 408 or 503; any other error means that the body
   * was cut off.
   */
  readBody(bounds: BodyBounds): Promise<Uint8Array>;
  /** Returns the body for reading piece by piece, instead of `readBody`. */
  openBody(): BodySource;
  /** Returns the request as a Fetch Request, whose body must not be read. */
  toRequest(): Request;
}

export const NO_QUERY = new URLSearchParams();
