import type { RouteInfo } from '../../src/route-info.ts';
import { matchRoute } from '../../src/route-match.ts';
import type { Attack, HostileRequest } from './attack.ts';

/** The parts of the service that attacks reach, as their requests are dispatched. */
export interface Reached {
  /** Paths of the table of routes with their methods, such as `GET /worlds/{slug}`. */
  readonly routes: ReadonlySet<string>;
  /** Paths outside the table, of mounts and pages too. */
  readonly paths: ReadonlySet<string>;
  /** Methods of JSON-RPC, and `tools/call` with the name of the tool after it. */
  readonly messages: ReadonlySet<string>;
}

/** Collects what the attacks reach, from their requests at size 1. */
export function reachedBy(attacks: readonly Attack[]): Reached {
  const [routes, paths, messages] = [new Set<string>(), new Set<string>(), new Set<string>()];
  for (const attack of attacks) {
    const request = attack.at(1);
    // What a conversation sends is known to it alone.
    if (typeof request === 'function') continue;
    // As it is sent: `URL` would take dots out of it.
    const [pathname, query] = request.path.split('?');
    const found = matchRoute(request.method, pathname, new URLSearchParams(query))?.match;
    const body = jsonOf(request);
    if (!found) {
      paths.add(`/${pathname.split('/')[1]}`);
      for (const message of Array.isArray(body) ? body : [body]) addMessage(messages, message);
      continue;
    }
    routes.add(routeName(found.route));
  }
  return { routes, paths, messages };
}

export function routeName({ method, path }: Pick<RouteInfo, 'method' | 'path'>): string {
  return `${method} ${path}`;
}

/** The body as an object or an array; undefined if it is no JSON, or too large to be looked at. */
function jsonOf({ body }: HostileRequest): object | undefined {
  if (typeof body !== 'string' || body.length > 4_000_000) return undefined;
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

function addMessage(messages: Set<string>, message: unknown): void {
  const { method, params } = (message ?? {}) as { method?: unknown; params?: { name?: unknown } };
  if (typeof method !== 'string') return;
  messages.add(method === 'tools/call' ? `${method} ${params?.name}` : method);
}
