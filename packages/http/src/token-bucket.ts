import { requireKnownFields, WorldsError } from '@rdf-worlds/core';
import type { Principal } from './principal.ts';

/** What is about to be done. */
export interface RateLimitedOperation {
  /** The operation by its name in the OpenAPI document. */
  readonly name: string;
  /** The peer of the connection, which may be a proxy; undefined where the host does not tell. */
  readonly remoteAddress: string | undefined;
  /**
   * A header of the request by its name in lower case, such as the one in which a proxy that you
   * trust names the client.
   */
  readonly header: (name: string) => string | null;
}

/**
 * Decides whether a request may go on: undefined if it may, else the milliseconds after which it
 * may be sent again. Called for each request once its credentials were checked and before its body
 * is read; `principal` is null if they are missing or not valid.
 */
export type RateLimit = (
  principal: Principal | null,
  operation: RateLimitedOperation,
) => number | undefined | Promise<number | undefined>;

export interface TokenBucketOptions {
  /** Requests a second that a key may send in the long run; above 0. */
  readonly perSecond: number;
  /**
   * Requests that a key may send at the same time after a rest; `perSecond`, and at least 1, when
   * not given.
   */
  readonly burst?: number | undefined;
  /**
   * The key of a request: all that have the same share a bucket. When not given: the principal's
   * id, and for failed logins the remote address.
   */
  readonly keyOf?: ((principal: Principal | null, operation: RateLimitedOperation) => string) | undefined;
  /**
   * Keys that are remembered, 10,000 when not given. Above it the one that was idle longest is
   * forgotten, and begins anew.
   */
  readonly maxKeys?: number | undefined;
  /** Milliseconds of a clock that never goes back; `performance.now` when not given. */
  readonly clock?: (() => number) | undefined;
}

interface Bucket {
  tokens: number;
  /** When `tokens` was right. */
  atMs: number;
}

/**
 * A token bucket for each key, as the `rateLimit` of a handler. Throws INVALID_ARGUMENT for options
 * that cannot be meant.
 */
export function tokenBucket(options: TokenBucketOptions): RateLimit {
  requireKnownFields(options, ['perSecond', 'burst', 'keyOf', 'maxKeys', 'clock'], 'tokenBucket');
  const { perSecond, keyOf = callerKey, maxKeys = 10_000, clock = () => performance.now() } = options;
  requirePositive('perSecond', perSecond);
  const burst = options.burst ?? Math.max(1, perSecond);
  if (!(burst >= 1 && burst < Number.POSITIVE_INFINITY)) throw invalid('burst', 'a number of 1 or more');
  requirePositive('maxKeys', maxKeys);
  // In the order of their last use.
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
 * The key of a caller when none is given: the principal's id, or the address of one without. No id
 * can be taken for an address.
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
