/** Leave to read or write: one world, or all worlds of a namespace when `world` is not given. */
export interface Grant {
  readonly namespace: string;
  /** A slug. */
  readonly world?: string | undefined;
  /** See the world: list, get, export, query, search. */
  readonly read?: boolean | undefined;
  /** Change the world: create, update, delete, import, SPARQL Update. Does not imply `read`. */
  readonly write?: boolean | undefined;
}

/** Who a caller is and what it may do. */
export interface Principal {
  /**
   * For the log, and for fairness: requests of one id share one part of the processor's time. Never
   * a token.
   */
  readonly id: string;
  /**
   * The tenant: what `_` and the routes without a namespace mean. The platform's namespace when not
   * given. Grants nothing by itself.
   */
  readonly defaultNamespace?: string | undefined;
  readonly grants: readonly Grant[];
  /**
   * How much of the processor's time, against other callers that have work at the same time; 1 when
   * not given.
   */
  readonly weight?: number | undefined;
  /** May do everything everywhere. */
  readonly admin?: boolean | undefined;
}

/**
 * Finds out who sent a token; null for a token that is not valid. What it throws is answered with
 * 500 - or by its code, when it is a `WorldsError`. The request's body must not be read.
 */
export type Authenticate = (token: string, request: Request) => Principal | null | Promise<Principal | null>;
