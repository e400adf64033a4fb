import type { Permission } from './access.ts';
import type { LimitName } from './limits.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** The operations of this API and of the SPARQL protocols. */
export type OperationName =
  | 'listWorlds'
  | 'createWorld'
  | 'getWorld'
  | 'updateWorld'
  | 'deleteWorld'
  | 'exportWorld'
  | 'importWorld'
  | 'forkWorld'
  | 'diffWorlds'
  | 'sparqlWorld'
  | 'sparqlCollection'
  | 'searchWorld'
  | 'searchCollection'
  | 'listNamespaces'
  | 'namespaceStats'
  | 'worldStats'
  | 'querySparqlWorld'
  | 'querySparqlCollection'
  | 'getGraph'
  | 'putGraph'
  | 'postGraph'
  | 'deleteGraph'
  | 'backup'
  | 'namespaceChanges'
  | 'worldChanges'
  | 'serverActivity'
  | 'worldSchema';

/** A row of the route table, without its handler. */
export interface RouteInfo {
  readonly method: Method;
  /**
   * The path relative to the service, or to `/namespaces/{namespace}`: unless it is global, every
   * route exists in both families. `{graph*}` matches the rest of the path.
   */
  readonly path: string;
  readonly operation: OperationName;
  /** True for a route that spans all namespaces and therefore has no namespaced variant. */
  readonly isGlobal?: boolean;
  /**
   * The permission that the path requires; `any` if it depends on the body. On a collection route,
   * the permission for any world of the namespace suffices. `admin` requires an admin, `caller`
   * only credentials.
   */
  readonly permission: Permission | 'any' | 'admin' | 'caller';
  /** The limit that bounds the request's duration; `timeoutMs` by default. */
  readonly deadline?: LimitName;
  /** The status for an unknown world, or a malformed slug in the path. */
  readonly unknownWorld: 400 | 404;
  /**
   * The statuses of the operation, as in docs/reference/http.md and the OpenAPI document. 403
   * applies to namespaced routes only, unless it is listed here.
   */
  readonly statuses: readonly number[];
  /** Distinguishes two routes with the same path: returns true if this one applies. */
  readonly when?: (query: URLSearchParams) => boolean;
}

/** A route with the values of its path variables: decoded, but not yet validated. */
export interface RouteMatch<Matched extends RouteInfo = RouteInfo> {
  readonly route: Matched;
  /** Undefined in the shorthand family. */
  readonly namespace: string | undefined;
  readonly slug: string | undefined;
  /** As sent (not decoded), because an IRI is built from it. */
  readonly graphPath: string | undefined;
}
