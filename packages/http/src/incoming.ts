import type { BodyClaim } from './held-bodies.ts';

/** Bounds on the reading of a body. */
export interface BodyBounds {
  readonly maxBytes: number;
  /** Milliseconds without a byte. */
  readonly idleMs: number;
  /** Milliseconds for all of it. */
  readonly totalMs: number;
  /** Where bytes are counted as they come. */
  readonly claim: BodyClaim;
}

/**
 * A request as the service sees it, whichever server took it. Nothing is made of it that is not
 * asked for.
 */
export interface Incoming {
  readonly method: string;
  /** As it was sent: percent-encoded, with whatever dot segments it has. */
  readonly path: string;
  readonly query: URLSearchParams;
  /**
   * A header by its name in lower case; those sent more than once are joined by a comma and a
   * space.
   */
  header(name: string): string | null;
  /** Fires when the client goes away. */
  readonly signal: AbortSignal;
  /** The peer of the connection, which may be a proxy; undefined where the host does not tell. */
  readonly remoteAddress?: string;
  /**
   * The bytes of the body. Throws HttpError 413, 408 and 503; what else it throws means that the
   * body broke off.
   */
  readBody(bounds: BodyBounds): Promise<Uint8Array>;
  /** The same for who wants a Request of the Fetch standard; its body is not to be read. */
  toRequest(): Request;
}

export const NO_QUERY = new URLSearchParams();
