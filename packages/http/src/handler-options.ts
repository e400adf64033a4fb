import { type Logger, NAME_PATTERN, requireKnownFields, WorldsError } from '@rdf-worlds/core';
import { DEFAULT_LIMITS, LIMIT_NAMES, type LimitName, type Limits } from './limits.ts';
import type { AuditEntry } from './observation/audit-log.ts';
import type { RequestTracing } from './observation/request-tracing.ts';
import type { ServiceMetrics } from './observation/service-metrics.ts';
import type { SlowQueryOptions } from './observation/slow-queries.ts';
import type { Authenticate, Principal } from './principal.ts';
import { requireGrantFields } from './tenant-claims.ts';
import type { RateLimit } from './token-bucket.ts';
import { invalidName } from './world-name.ts';

export interface WorldsHandlerOptions {
  /** Finds out who sent a bearer token: `staticTokens`, `jwt`, or a function of your own. */
  readonly authenticate: Authenticate;
  /**
   * Who a request without an Authorization header comes from. Not given: it is answered with 401.
   */
  readonly anonymous?: Principal | undefined;
  /** The default namespace of callers that have none; `platform` when not given. */
  readonly platformNamespace?: string | undefined;
  readonly limits?: Partial<Limits> | undefined;
  /**
   * Asked before each operation, for failed logins too; what it refuses is 429 with `Retry-After`.
   * See `tokenBucket`. No limit when not given.
   */
  readonly rateLimit?: RateLimit | undefined;
  /** Leave for pages of other origins to call the service from a browser; none when not given. */
  readonly cors?: CorsOptions | undefined;
  /**
   * Failures, and each request at `debug` once its answer has ended; silent when not given. It
   * never gets tokens or bodies; of bodies only the queries of `slowQueries`.
   */
  readonly logger?: Logger | undefined;
  /**
   * Receives an entry for each 401 and 403, each request for a change and each backup, once it has
   * ended. Must not throw.
   */
  readonly auditLog?: ((entry: AuditEntry) => void) | undefined;
  /**
   * Which queries get an entry in the `logger`, at `warn`, with text and plan; none when not given.
   */
  readonly slowQueries?: SlowQueryOptions | undefined;
  /**
   * A `ServiceMetrics` of `@rdf-worlds/http/metrics`, which takes note of every request; `/metrics`
   * then answers callers that are `admin`, and no others. None when not given.
   */
  readonly metrics?: ServiceMetrics | undefined;
  /**
   * A `RequestTracing` of `@rdf-worlds/http/tracing`: a span of OpenTelemetry for each request.
   * None when not given.
   */
  readonly tracing?: RequestTracing | undefined;
  /**
   * Where the service begins in the paths of the requests, such as `/api`; the root when not given.
   */
  readonly basePath?: string | undefined;
  /**
   * The public address of the service, such as `https://example.org/api`: relative IRIs in queries
   * resolve below it, and service descriptions and new graphs are named by it. `http://localhost`
   * and the base path when not given; the Host header is never used.
   */
  readonly baseUrl?: string | undefined;
  /**
   * For a service without credentials on a machine of one user: answers only requests that name the
   * loopback as their host, come from no page of another origin, and, where they are POST, have a
   * content type that no form can send. Else pages in the user's browser could use it (DNS
   * rebinding, CSRF).
   */
  readonly loopbackOnly?: boolean | undefined;
  /**
   * Whether `/healthz` and `/readyz` are answered, to anybody: 200 while the process answers, and
   * while the engine is open. Not when not given.
   */
  readonly probes?: boolean | undefined;
}

const OPTION_FIELDS = Object.keys({
  authenticate: true,
  anonymous: true,
  platformNamespace: true,
  limits: true,
  rateLimit: true,
  cors: true,
  logger: true,
  auditLog: true,
  slowQueries: true,
  metrics: true,
  tracing: true,
  basePath: true,
  baseUrl: true,
  loopbackOnly: true,
  probes: true,
} satisfies Record<keyof WorldsHandlerOptions, true>);

export interface CorsOptions {
  /** Origins such as `https://app.example.org`, or `*` for all. */
  readonly origins: '*' | readonly string[];
  /** How long a browser may remember the answer; 600 when not given. */
  readonly maxAgeSeconds?: number | undefined;
}

/** A timer that is set for longer fires at once; nobody waits 24 days. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** The options with everything said. */
export interface HandlerSettings {
  readonly authenticate: Authenticate;
  readonly anonymous: Principal | undefined;
  readonly platformNamespace: string;
  readonly limits: Limits;
  readonly rateLimit: RateLimit | undefined;
  readonly cors: CorsOptions | undefined;
  readonly logger: Logger | undefined;
  readonly auditLog: ((entry: AuditEntry) => void) | undefined;
  readonly slowQueries: SlowQueryOptions | undefined;
  readonly metrics: ServiceMetrics | undefined;
  readonly tracing: RequestTracing | undefined;
  readonly basePath: string;
  readonly publicUrl: string;
  readonly loopbackOnly: boolean;
  readonly probes: boolean;
}

/** Fills in what is not given. Throws INVALID_ARGUMENT for what cannot be meant. */
export function handlerSettings(options: WorldsHandlerOptions): HandlerSettings {
  requireKnownFields(options, OPTION_FIELDS, 'options');
  const {
    authenticate,
    anonymous,
    platformNamespace = 'platform',
    cors,
    logger,
    baseUrl,
    loopbackOnly = false,
    auditLog,
    slowQueries,
    metrics,
    tracing,
  } = options;
  if (anonymous) {
    requireKnownFields(anonymous, ['id', 'defaultNamespace', 'grants', 'admin'], 'anonymous');
    requireGrantFields(anonymous.grants, 'anonymous');
  }
  if (cors) requireKnownFields(cors, ['origins', 'maxAgeSeconds'], 'cors');
  if (slowQueries) {
    requireKnownFields(slowQueries, ['thresholdMs', 'literals'], 'slowQueries');
    if (!(slowQueries.thresholdMs >= 0))
      invalid('slowQueries.thresholdMs: expected a number of milliseconds, 0 or more.');
    if (!logger) invalid('slowQueries: its entries go to the logger; give one.');
  }
  if (typeof authenticate !== 'function') invalid('authenticate: expected a function; see staticTokens and jwt.');
  if (!NAME_PATTERN.test(platformNamespace)) invalid(invalidName('platformNamespace', platformNamespace));
  const basePath = (options.basePath ?? '').replace(/\/+$/, '');
  if (basePath !== '' && !/^(?:\/[A-Za-z0-9._~-]+)+$/.test(basePath))
    invalid('basePath: expected a path such as "/api".');
  return {
    authenticate,
    anonymous,
    platformNamespace,
    limits: checkedLimits(options.limits),
    rateLimit: options.rateLimit,
    cors,
    logger,
    auditLog,
    slowQueries,
    metrics,
    tracing,
    basePath,
    loopbackOnly,
    probes: options.probes ?? false,
    publicUrl: publicUrlOf(baseUrl ?? `http://localhost${basePath}`),
  };
}

/**
 * Fills in the limits that are not given. Throws INVALID_ARGUMENT for one that does not exist, or
 * is no number.
 */
export function checkedLimits(given: Partial<Limits> = {}): Limits {
  requireKnownFields(given, LIMIT_NAMES, 'limits');
  const limits: Record<LimitName, number> = { ...DEFAULT_LIMITS };
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) continue;
    if (!(typeof value === 'number' && value >= 0)) invalid(`limits.${name}: expected a number, 0 or more.`);
    limits[name as LimitName] = name.endsWith('Ms') ? Math.min(value, MAX_TIMER_MS) : value;
  }
  return limits;
}

function publicUrlOf(baseUrl: string): string {
  if (!URL.canParse(baseUrl)) invalid('baseUrl: expected an address such as "https://example.org/api".');
  const { protocol, search, hash, href } = new URL(baseUrl);
  if (!/^https?:$/.test(protocol) || search !== '' || hash !== '') {
    invalid('baseUrl: expected an http or https address without query and fragment.');
  }
  return href.replace(/\/+$/, '');
}

function invalid(message: string): never {
  throw new WorldsError('INVALID_ARGUMENT', message);
}
