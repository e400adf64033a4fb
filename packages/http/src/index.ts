/**
 * `@rdf-worlds/http`: a handler of Fetch requests that serves the worlds of an engine, and
 * authentication, limits and rate limits for it.
 *
 * @module @rdf-worlds/http
 */
export { Access, type AskedWorlds, type Permission } from './access.ts';
export { anyOf } from './any-of.ts';
export type { CorsOptions, WorldsHandlerOptions } from './handler-options.ts';
export { jwt } from './jwt.ts';
export type { JwtOptions } from './jwt-options.ts';
export { DEFAULT_LIMITS, LIMITS, type LimitName, type LimitRow, type Limits } from './limits.ts';
export { isLoopback } from './loopback.ts';
export type { AuditEntry, AuditEvent } from './observation/audit-log.ts';
export type { SlowQueryOptions } from './observation/slow-queries.ts';
export type { Authenticate, Grant, Principal } from './principal.ts';
export type { MountContext, ServiceMount } from './service-mount.ts';
export type { ServedFile, ServicePages } from './service-pages.ts';
export { type StaticToken, staticTokens, TokenList } from './static-tokens.ts';
export {
  callerKey,
  type RateLimit,
  type RateLimitedOperation,
  type TokenBucketOptions,
  tokenBucket,
} from './token-bucket.ts';
export { createWorldsHandler, type WorldsHandler } from './worlds-handler.ts';
