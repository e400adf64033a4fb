import type { Permission } from './access.ts';
import type { LimitName } from './limits.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** The operations of INTERFACE, and what the standard protocols add. */
export type OperationName =
  | 'listWorlds'
  | 'createWorld'
  | 'getWorld'
  | 'updateWorld'
  | 'deleteWorld'
  | 'exportWorld'
  | 'importWorld'
  | 'sparqlWorld'
  | 'sparqlCollection'
  | 'searchWorld'
  | 'searchCollection'
  | 'namespaceStats'
  | 'worldStats'
  | 'querySparqlWorld'
  | 'querySparqlCollection'
  | 'getGraph'
  | 'putGraph'
  | 'postGraph'
  | 'deleteGraph'
  | 'backup';

/** A row of the table of routes, but for what runs it. */
export interface RouteInfo {
  readonly method: Method;
  /**
   * Below the service, or below `/namespaces/{namespace}`: every route is in both families unless
   * it is global. `{graph*}` takes the rest of the path.
   */
  readonly path: string;
  readonly operation: OperationName;
  /** Whether it is about all namespaces, and so not below one. */
  readonly isGlobal?: boolean;
  /**
   * The leave that the path needs; 'any' where only the body tells. On a route of a collection any
   * such leave in its namespace will do. 'admin' is leave to do everything.
   */
  readonly permission: Permission | 'any' | 'admin';
  /** The limit of its time; `timeoutMs` when not given. */
  readonly deadline?: LimitName;
  /** What it is to name a world that does not exist, or a malformed slug in the path. */
  readonly unknownWorld: 400 | 404;
  /**
   * The statuses that INTERFACE states ("Statuses per operation"), or that the protocols add; 403
   * on the namespaced routes alone, unless it is here.
   */
  readonly statuses: readonly number[];
  /** Whether the route is meant, where two have the same path. */
  readonly when?: (query: URLSearchParams) => boolean;
}

/** A route and what its path's variables stand for: decoded, and not yet checked. */
export interface RouteMatch<Matched extends RouteInfo = RouteInfo> {
  readonly route: Matched;
  /** Undefined in the shorthand family. */
  readonly namespace: string | undefined;
  readonly slug: string | undefined;
  /** As it was sent, since an IRI is made of it. */
  readonly graphPath: string | undefined;
}
