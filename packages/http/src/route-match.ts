import { nearestName } from '@rdf-worlds/core/internal';
import type { Method, RouteMatch } from './route-info.ts';
import { ROUTES, type Route } from './routes.ts';

/** The routes of one path in one family. */
interface Pattern {
  readonly segments: readonly string[];
  readonly routes: Route[];
}

/** The result of matching a path: its route for the method, and all permitted methods. */
export class PathMatch {
  /** Undefined if the path does not support the method. */
  readonly match: RouteMatch<Route> | undefined;
  private readonly fitting: readonly Pattern[];

  constructor(fitting: readonly Pattern[], match: RouteMatch<Route> | undefined) {
    this.fitting = fitting;
    this.match = match;
  }

  /**
   * The methods that the path supports, including HEAD and OPTIONS. Lazy, because most requests do
   * not need them.
   */
  get methods(): readonly string[] {
    const methods = new Set<string>(this.fitting.flatMap(({ routes }) => routes.map(({ method }) => method)));
    if (methods.has('GET' satisfies Method)) methods.add('HEAD');
    return [...methods, 'OPTIONS'];
  }
}

/** The paths of the table in both families, in table order. */
const PATTERNS = new Map<string, Pattern>();
for (const route of ROUTES) {
  for (const path of [route.path, ...(route.isGlobal ? [] : [`/namespaces/{namespace}${route.path}`])]) {
    const known = PATTERNS.get(path);
    if (known) known.routes.push(route);
    else PATTERNS.set(path, { segments: path.slice(1).split('/'), routes: [route] });
  }
}

const takesRest = ({ segments }: Pattern) => segments[segments.length - 1].endsWith('*}');
const LONGEST = Math.max(...Array.from(PATTERNS.values(), ({ segments }) => segments.length));

/** Candidate patterns by number of segments; the last entry also serves all longer paths. */
const CANDIDATES: readonly (readonly Pattern[])[] = Array.from({ length: LONGEST + 2 }, (_, count) =>
  [...PATTERNS.values()].filter((pattern) =>
    takesRest(pattern) ? pattern.segments.length <= count : pattern.segments.length === count,
  ),
);

/** Finds the route of a path relative to the service; undefined if no route has that path. */
export function matchRoute(method: string, pathname: string, query: URLSearchParams): PathMatch | undefined {
  const raw = pathname.slice(1).split('/');
  const segments = pathname.includes('%') ? raw.map(decode) : raw;
  const fitting = CANDIDATES[Math.min(raw.length, LONGEST + 1)].filter((pattern) => fits(pattern, segments));
  if (fitting.length === 0) return undefined;
  const wanted = method === 'HEAD' ? 'GET' : method;
  for (const pattern of fitting) {
    for (const route of pattern.routes) {
      if (route.method !== wanted || route.when?.(query) === false) continue;
      return new PathMatch(fitting, routeMatch(route, pattern, segments, raw));
    }
  }
  return new PathMatch(fitting, undefined);
}

/**
 * Returns the path of a route that a path without one is a misspelling of, with its own names;
 * undefined if none is near.
 */
export function nearestPath(pathname: string): string | undefined {
  const given = pathname.slice(1, MAX_MISSPELT).split('/');
  const paths = [...PATTERNS.values()].flatMap(({ segments }) =>
    segments.length === given.length
      ? `/${segments.map((part, i) => (part.startsWith('{') ? given[i] : part)).join('/')}`
      : [],
  );
  return nearestName(`/${given.join('/')}`, paths, 1 / 4);
}

/** Characters of a path that are compared with those of routes. */
const MAX_MISSPELT = 300;

function fits({ segments: pattern }: Pattern, segments: readonly string[]): boolean {
  return pattern.every((part, i) => part.startsWith('{') || part === segments[i]);
}

function routeMatch(
  route: Route,
  { segments: pattern }: Pattern,
  segments: readonly string[],
  raw: readonly string[],
): RouteMatch<Route> {
  let namespace: string | undefined;
  let slug: string | undefined;
  let graphPath: string | undefined;
  pattern.forEach((part, i) => {
    if (part === '{namespace}') namespace = segments[i];
    else if (part === '{slug}') slug = segments[i];
    else if (part === '{graph*}') graphPath = raw.slice(i).join('/');
  });
  return { route, namespace, slug, graphPath };
}

/**
 * Percent-decodes a segment. Returns it unchanged if its escapes are malformed; it is not a valid
 * name in either form.
 */
function decode(segment: string): string {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
