/** Permission to read or write one world, or all worlds of a namespace if `world` is not given. */
export interface Grant {
  readonly namespace: string;
  /** The world's slug. */
  readonly world?: string | undefined;
  /** Allows listing, reading, exporting, querying and searching the world. */
  readonly read?: boolean | undefined;
  /**
   * Allows creating, updating, deleting and importing into the world, and SPARQL Update. Does not
   * imply `read`.
   */
  readonly write?: boolean | undefined;
}

/** The identity and permissions of a caller. */
export interface Principal {
  /**
   * Identifies the caller in logs and in scheduling: requests with the same id share one slice of
   * processor time. Never a token.
   */
  readonly id: string;
  /**
   * The tenant: the namespace that `_` and the routes without a namespace refer to; by default the
   * platform's namespace. Grants no permission by itself.
   */
  readonly defaultNamespace?: string | undefined;
  /** Everything that the caller may do, unless `admin` is set. */
  readonly grants: readonly Grant[];
  /**
   * Scheduling weight: the caller's share of processor time relative to other callers that have
   * work at the same time; 1 by default.
   */
  readonly weight?: number | undefined;
  /** Permits everything, in all namespaces. */
  readonly admin?: boolean | undefined;
}

/**
 * Resolves a token to its principal; null if the token is invalid. An exception is answered with
 * 500, or with the status of its code if it is a `WorldsError`. Must not read the body of the
 * request.
 */
export type Authenticate = (token: string, request: Request) => Principal | null | Promise<Principal | null>;
