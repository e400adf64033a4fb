import { type Method, ROUTES, type Route } from './routes.ts';

/** A route and what its path's variables stand for: decoded, and not yet checked. */
export interface RouteMatch {
  readonly route: Route;
  /** Undefined in the shorthand family. */
  readonly namespace: string | undefined;
  readonly slug: string | undefined;
  /** As it was sent, since an IRI is made of it. */
  readonly graphPath: string | undefined;
}

/** What a path leads to with some method. */
export interface PathMatch {
  /** The methods that the path knows, HEAD and OPTIONS too. */
  readonly methods: readonly string[];
  /** Undefined when the method is none of them. */
  readonly match: RouteMatch | undefined;
}

interface Pattern {
  readonly route: Route;
  readonly segments: readonly string[];
}

/** The table's paths in both families, by their number of segments: the longest for those that take the rest of a path. */
const PATTERNS: readonly Pattern[] = ROUTES.flatMap((route) =>
  [route.path, `/namespaces/{namespace}${route.path}`].map((path) => ({ route, segments: path.slice(1).split('/') })),
);

/** Finds the route of a path below the service; undefined when there is nothing at that path. */
export function matchRoute(method: string, pathname: string, query: URLSearchParams): PathMatch | undefined {
  const raw = pathname.slice(1).split('/');
  const segments = raw.map(decode);
  const wanted = method === 'HEAD' ? 'GET' : method;
  const methods = new Set<string>();
  let match: RouteMatch | undefined;
  for (const pattern of PATTERNS) {
    if (!fits(pattern.segments, segments)) continue;
    const { route } = pattern;
    methods.add(route.method);
    if (match || route.method !== wanted || route.when?.(query) === false) continue;
    match = {
      route,
      namespace: undefined,
      slug: undefined,
      graphPath: undefined,
      ...variables(pattern, segments, raw),
    };
  }
  if (methods.size === 0) return undefined;
  if (methods.has('GET' satisfies Method)) methods.add('HEAD');
  return { methods: [...methods, 'OPTIONS'], match };
}

function fits(pattern: readonly string[], segments: readonly string[]): boolean {
  const takesRest = pattern[pattern.length - 1].endsWith('*}');
  if (takesRest ? segments.length < pattern.length : segments.length !== pattern.length) return false;
  return pattern.every((part, i) => part.startsWith('{') || part === segments[i]);
}

function variables(
  { segments: pattern }: Pattern,
  segments: readonly string[],
  raw: readonly string[],
): Partial<RouteMatch> {
  const found: { namespace?: string; slug?: string; graphPath?: string } = {};
  pattern.forEach((part, i) => {
    if (part === '{namespace}') found.namespace = segments[i];
    else if (part === '{slug}') found.slug = segments[i];
    else if (part === '{graph*}') found.graphPath = raw.slice(i).join('/');
  });
  return found;
}

/** A segment as it is meant. One whose escapes are broken stays as it is: it is no valid name either way. */
function decode(segment: string): string {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
