import type { WorldsErrorCode } from '@rdf-worlds/core';

/**
 * The status for each engine error code; a missing code does not compile. 404 is only the default
 * for unknown worlds: the route table overrides it.
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
  // Only clients raise it.
  UNAVAILABLE: 503,
  TIMEOUT: 503,
  // The client disconnected: no one receives this answer, but the log shows the status (nginx uses
  // the same).
  ABORTED: 499,
  // The client can ask for the outcome once the storage works again.
  IN_DOUBT: 503,
  // The requested history existed and is permanently gone.
  TRUNCATED: 410,
  CORRUPT: 500,
  INTERNAL: 500,
} as const satisfies Record<WorldsErrorCode, number>;
