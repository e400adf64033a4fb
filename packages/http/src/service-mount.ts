import { type WorldsEngine, WorldsError } from '@rdf-worlds/core';
import type { Access } from './access.ts';
import { NO_QUERY } from './incoming.ts';
import type { Principal } from './principal.ts';
import { matchRoute } from './route-match.ts';

/**
 * Another protocol at a path of the service, behind its authentication, rate limit, limits on
 * bodies and requests, logs and CORS. What its caller may do, it has to check itself.
 */
export interface ServiceMount {
  /** A single segment below the base path, such as `/mcp`. */
  readonly path: string;
  /** The name of its requests for `rateLimit`. */
  readonly name: string;
  /** The methods that it answers; others get 405. */
  readonly methods: readonly string[];
  /**
   * The most values in a JSON body, if that is less than the service's own `maxJsonValues`; above
   * it, 413.
   */
  readonly maxJsonValues?: number | undefined;
  /**
   * Answers a request, whose body has arrived. Rejections become error replies, as those of routes
   * do.
   */
  readonly answer: (request: Request, context: MountContext) => Promise<Response>;
}

/** A request to a mount. */
export interface MountContext {
  readonly engine: WorldsEngine;
  readonly principal: Principal;
  /** The permissions of the principal. */
  readonly access: Access;
  /** Fires when the client disconnects or the time limit expires. */
  readonly signal: AbortSignal;
  /** Marks the request as one that writes, for the audit log. */
  readonly onWrite: () => void;
}

/**
 * Returns the mounts by path. Throws `INVALID_ARGUMENT` for malformed and duplicate paths, and for
 * those of the service itself.
 */
export function mountsByPath(
  mounts: readonly ServiceMount[],
  reserved: readonly string[],
): ReadonlyMap<string, ServiceMount> {
  const byPath = new Map<string, ServiceMount>();
  for (const mount of mounts) {
    const { path } = mount;
    const invalid = (problem: string) =>
      new WorldsError('INVALID_ARGUMENT', `mounts: ${JSON.stringify(path)}: ${problem}`);
    if (!/^\/[A-Za-z0-9_~-][A-Za-z0-9._~-]*$/.test(path))
      throw invalid('expected a path of one segment, such as "/mcp".');
    if (isServicePath(path, reserved)) throw invalid('the service itself has this path; choose another.');
    if (byPath.has(path)) throw invalid('two mounts have this path.');
    byPath.set(path, mount);
  }
  return byPath;
}

/** Returns true if the service itself answers at the path. */
export function isServicePath(path: string, reserved: readonly string[]): boolean {
  return matchRoute('GET', path, NO_QUERY) !== undefined || reserved.includes(path);
}
