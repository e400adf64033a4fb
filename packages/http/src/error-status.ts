import type { WorldsErrorCode } from '@rdf-worlds/core';

/**
 * The status of every error of the engine. A code that is missing here does not compile. What an
 * unknown world is, the table of routes says: the 404 here is the default.
 */
export const STATUS_OF_CODE = {
  INVALID_ARGUMENT: 400,
  INVALID_RDF: 400,
  INVALID_SPARQL: 400,
  NOT_FOUND: 404,
  ALREADY_EXISTS: 409,
  UNAUTHENTICATED: 401,
  PERMISSION_DENIED: 403,
  CONFLICT: 409,
  UNSUPPORTED: 400,
  LIMIT_EXCEEDED: 400,
  // RFC 4918 section 11.5: "the server is unable to store the representation needed to successfully
  // complete the request".
  QUOTA_EXCEEDED: 507,
  OVERLOADED: 503,
  TIMEOUT: 503,
  // The client has gone away: nobody reads this answer, but the log shows it (the status that nginx
  // uses).
  ABORTED: 499,
  // The outcome can be asked for once the storage works again.
  IN_DOUBT: 503,
  // What was asked for was there and is gone for good.
  TRUNCATED: 410,
  CORRUPT: 500,
  INTERNAL: 500,
} as const satisfies Record<WorldsErrorCode, number>;
