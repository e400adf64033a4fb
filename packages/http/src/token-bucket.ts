import { WorldsError } from '@rdf-worlds/core';
import { requireKnownFields, requireOptions } from '@rdf-worlds/core/plugin';
import type { Principal } from './principal.ts';

/** The operation that a request asks for. */
export interface RateLimitedOperation {
  /** The operation's name in the OpenAPI document. */
  readonly name: string;
  /** The peer of the connection, possibly a proxy; undefined if the host does not report it. */
  readonly remoteAddress: string | undefined;
  /**
   * Returns a header of the request by its lower-case name, such as the one in which a trusted
   * proxy names the client.
   */
  readonly header: (name: string) => string | null;
}

/**
 * Decides whether a request may proceed: returns undefined if it may, otherwise the milliseconds to
 * wait before retrying. Called after authentication and before the body is read; `principal` is
 * null if the credentials are missing or invalid.
 */
export type RateLimit = (
  principal: Principal | null,
  operation: RateLimitedOperation,
) => number | undefined | Promise<number | undefined>;

/** Options of {@link tokenBucket}. */
export interface TokenBucketOptions {
  /** Sustained requests per second for a key; above 0. */
  readonly perSecond: number;
  /** Requests that a rested key may send in a burst; by default `perSecond`, and at least 1. */
  readonly burst?: number | undefined;
  /**
   * Returns the key of a request; requests with the same key share a bucket. By default the
   * principal's id or, for failed logins, the remote address.
   */
  readonly keyOf?: ((principal: Principal | null, operation: RateLimitedOperation) => string) | undefined;
  /**
   * Maximum number of buckets, 10,000 by default. Above it the least recently used key is evicted
   * and starts over with a full bucket.
   */
  readonly maxKeys?: number | undefined;
  /** A monotonic clock in milliseconds; `performance.now` by default. */
  readonly clock?: (() => number) | undefined;
}

interface Bucket {
  tokens: number;
  /** The time at which `tokens` was last updated. */
  atMs: number;
}

/**
 * Returns a rate limit for a handler, with a token bucket for each key. Throws `INVALID_ARGUMENT`
 * for invalid options.
 */
export function tokenBucket(options: TokenBucketOptions): RateLimit {
  requireOptions(options, 'tokenBucket', 'tokenBucket({ perSecond: 10 })');
  requireKnownFields(options, ['perSecond', 'burst', 'keyOf', 'maxKeys', 'clock'], 'tokenBucket');
  const { perSecond, keyOf = callerKey, maxKeys = 10_000, clock = () => performance.now() } = options;
  requirePositive('perSecond', perSecond);
  const burst = options.burst ?? Math.max(1, perSecond);
  if (!(burst >= 1 && burst < Number.POSITIVE_INFINITY)) throw invalid('burst', 'a number of 1 or more');
  requirePositive('maxKeys', maxKeys);
  for (const [name, value] of Object.entries({ keyOf, clock }))
    if (typeof value !== 'function') throw invalid(name, 'a function');
  // In LRU order.
  const buckets = new Map<string, Bucket>();
  return (principal, operation) => {
    const key = keyOf(principal, operation);
    const nowMs = clock();
    const bucket = buckets.get(key) ?? { tokens: burst, atMs: nowMs };
    bucket.tokens = Math.min(burst, bucket.tokens + ((nowMs - bucket.atMs) * perSecond) / 1_000);
    bucket.atMs = nowMs;
    buckets.delete(key);
    buckets.set(key, bucket);
    if (buckets.size > maxKeys) buckets.delete(buckets.keys().next().value!);
    if (bucket.tokens >= 1) {
      bucket.tokens--;
      return undefined;
    }
    return ((1 - bucket.tokens) * 1_000) / perSecond;
  };
}

/**
 * Returns the default key: the principal's id, or the remote address for failed logins. The
 * prefixes keep ids and addresses apart.
 */
export function callerKey(
  principal: Principal | null,
  { remoteAddress }: Pick<RateLimitedOperation, 'remoteAddress'>,
): string {
  return principal ? `principal ${principal.id}` : `address ${remoteAddress ?? ''}`;
}

function requirePositive(name: string, value: number): void {
  if (!(value > 0 && value < Number.POSITIVE_INFINITY)) throw invalid(name, 'a number above 0');
}

function invalid(name: string, expected: string): WorldsError {
  return new WorldsError('INVALID_ARGUMENT', `tokenBucket: ${name}: expected ${expected}.`);
}
