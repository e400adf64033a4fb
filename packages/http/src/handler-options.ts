import { type Logger, WorldsError } from '@rdf-worlds/core';
import { kindOf, NAME_PATTERN } from '@rdf-worlds/core/internal';
import { requireKnownFields, requireOptions } from '@rdf-worlds/core/plugin';
import { DEFAULT_LIMITS, LIMIT_NAMES, type LimitName, type Limits } from './limits.ts';
import type { AuditEntry } from './observation/audit-log.ts';
import type { RequestTracing } from './observation/request-tracing.ts';
import type { ServiceMetrics } from './observation/service-metrics.ts';
import type { SlowQueryOptions } from './observation/slow-queries.ts';
import type { Authenticate, Principal } from './principal.ts';
import type { ServiceMount } from './service-mount.ts';
import type { ServicePages } from './service-pages.ts';
import { requireGrantFields } from './tenant-claims.ts';
import type { RateLimit } from './token-bucket.ts';
import { invalidName } from './world-name.ts';

/** Options of `createWorldsHandler`. Unknown ones throw INVALID_ARGUMENT. */
export interface WorldsHandlerOptions {
  /** Resolves a bearer token to a principal: `staticTokens`, `jwt`, or your own function. */
  readonly authenticate: Authenticate;
  /** The principal of requests without an Authorization header. By default they get 401. */
  readonly anonymous?: Principal | undefined;
  /** The default namespace of callers that have none of their own; `platform` by default. */
  readonly platformNamespace?: string | undefined;
  /**
   * Limits on the cost of requests and connections, by the names in `LIMITS`. Default:
   * `DEFAULT_LIMITS`.
   */
  readonly limits?: Partial<Limits> | undefined;
  /**
   * Called before each operation, and for failed logins; rejected requests get 429 with
   * `Retry-After`. See `tokenBucket`. No limit by default.
   */
  readonly rateLimit?: RateLimit | undefined;
  /** Allows browser pages of other origins to call the service; off by default. */
  readonly cors?: CorsOptions | undefined;
  /**
   * Receives failures, and at `debug` each request once its answer has ended; silent by default.
   * Never receives tokens or bodies, except for the query texts of `slowQueries`.
   */
  readonly logger?: Logger | undefined;
  /**
   * Receives an entry for each 401 and 403, each write request and each backup, once it has ended.
   * Must not throw.
   */
  readonly auditLog?: ((entry: AuditEntry) => void) | undefined;
  /** Logs slow queries to the `logger` at `warn`, with text and plan; off by default. */
  readonly slowQueries?: SlowQueryOptions | undefined;
  /**
   * A `ServiceMetrics` of `@rdf-worlds/http/metrics`, which records every request; `/metrics` then
   * serves it to `admin` callers only. None by default.
   */
  readonly metrics?: ServiceMetrics | undefined;
  /**
   * A `RequestTracing` of `@rdf-worlds/http/tracing`, which makes an OpenTelemetry span for each
   * request. None by default.
   */
  readonly tracing?: RequestTracing | undefined;
  /** The path prefix of the service, such as `/api`; the root by default. */
  readonly basePath?: string | undefined;
  /**
   * The public address of the service, such as `https://example.org/api`. Relative IRIs in queries
   * resolve against it, and it names service descriptions and new graphs. `http://localhost` plus
   * the base path by default; the Host header is never used.
   */
  readonly baseUrl?: string | undefined;
  /**
   * Protects a service without credentials on a single-user machine. Answers only requests whose
   * Host is a loopback address, that come from no page of another origin and, if they are POST,
   * have a content type that an HTML form cannot send. Without this, pages in the user's browser
   * could use the service (DNS rebinding, CSRF).
   */
  readonly loopbackOnly?: boolean | undefined;
  /**
   * Other protocols at paths of the service, such as `mcpMount()` of `@rdf-worlds/mcp`. None by
   * default.
   */
  readonly mounts?: readonly ServiceMount[] | undefined;
  /**
   * Whether `/activity` reports running requests, slow queries and memory, to callers with `admin`
   * only. Texts are reported without their literals. On by default.
   */
  readonly activity?: boolean | undefined;
  /**
   * Fires when the server begins to stop: change feeds then end, so that a server that waits for
   * its requests is not kept waiting. Without it they end when the engine is closed.
   */
  readonly stopping?: AbortSignal | undefined;
  /**
   * Public files below paths of the service, such as `consolePages()` of `@rdf-worlds/console`.
   * None by default.
   */
  readonly pages?: readonly ServicePages[] | undefined;
  /**
   * Serves `/healthz` and `/readyz` without authentication: 200 while the process answers, and
   * while the engine is open, respectively. Off by default.
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
  mounts: true,
  stopping: true,
  activity: true,
  pages: true,
} satisfies Record<keyof WorldsHandlerOptions, true>);

/** Which browser pages may call the service. */
export interface CorsOptions {
  /** Origins such as `https://app.example.org`, or `*` for all. */
  readonly origins: '*' | readonly string[];
  /** How long a browser may cache the preflight response; 600 by default. */
  readonly maxAgeSeconds?: number | undefined;
}

/** The maximum delay of a timer, about 24 days: a longer one fires immediately. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** The validated options with defaults filled in. */
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
  readonly mounts: readonly ServiceMount[];
  readonly stopping: AbortSignal | undefined;
  readonly activity: boolean;
  readonly pages: readonly ServicePages[];
}

const EXAMPLE = "createWorldsHandler(engine, { authenticate: staticTokens([{ token, namespace: 'acme' }]) })";

/** Options that the service calls. */
const FUNCTIONS = ['rateLimit', 'auditLog'] as const;

/** Throws `INVALID_ARGUMENT` for values of a kind that the service could not use. */
function requireKinds(options: WorldsHandlerOptions): void {
  for (const name of FUNCTIONS) {
    const value: unknown = options[name];
    if (value !== undefined && typeof value !== 'function')
      invalid(`${name}: expected a function, not ${kindOf(value)}.`);
  }
  const { mounts, pages, basePath, cors, logger, metrics, tracing } = options;
  for (const [name, value] of Object.entries({ mounts, pages })) {
    if (value !== undefined && !Array.isArray(value))
      invalid(`${name}: expected an array, not ${kindOf(value)}; write ${name}: [...].`);
  }
  if (basePath !== undefined && typeof basePath !== 'string')
    invalid(`basePath: expected a path such as "/api", not ${kindOf(basePath)}.`);
  if (cors && !Array.isArray(cors.origins) && (cors.origins as unknown) !== '*')
    invalid(`cors.origins: expected an array such as ['https://app.example'], not ${kindOf(cors.origins)}.`);
  for (const [name, value] of Object.entries({ logger, metrics, tracing })) {
    if (value !== undefined && (typeof value !== 'object' || value === null))
      invalid(`${name}: expected an object, not ${kindOf(value)}.`);
  }
}

/**
 * Validates the options and fills in the defaults. Throws `INVALID_ARGUMENT` for invalid options.
 */
export function handlerSettings(options: WorldsHandlerOptions): HandlerSettings {
  requireOptions(options, 'createWorldsHandler: options', EXAMPLE);
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
  requireKinds(options);
  if (slowQueries) {
    requireKnownFields(slowQueries, ['thresholdMs', 'literals'], 'slowQueries');
    if (!(slowQueries.thresholdMs >= 0))
      invalid('slowQueries.thresholdMs: expected a number of milliseconds, 0 or more.');
    if (!logger) invalid('slowQueries: requires a logger; pass one.');
  }
  if (typeof authenticate !== 'function')
    invalid(`authenticate: expected a function, not ${kindOf(authenticate)}; write ${EXAMPLE}, or see jwt.`);
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
    mounts: options.mounts ?? [],
    stopping: options.stopping,
    activity: options.activity ?? true,
    pages: options.pages ?? [],
    publicUrl: publicUrlOf(baseUrl ?? `http://localhost${basePath}`),
  };
}

/**
 * Validates the limits and fills in the defaults. Throws `INVALID_ARGUMENT` for an unknown limit or
 * a value that is not a number of 0 or more.
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
  if (!URL.canParse(baseUrl)) invalid('baseUrl: expected a URL such as "https://example.org/api".');
  const { protocol, search, hash, href } = new URL(baseUrl);
  if (!/^https?:$/.test(protocol) || search !== '' || hash !== '') {
    invalid('baseUrl: expected an http or https URL without query and fragment.');
  }
  return href.replace(/\/+$/, '');
}

function invalid(message: string): never {
  throw new WorldsError('INVALID_ARGUMENT', message);
}
