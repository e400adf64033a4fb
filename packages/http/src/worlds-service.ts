import { type WorldsEngine, WorldsError, type WorldsErrorCode } from '@rdf-worlds/core';
import { assignCaller, DEFAULT_NAMESPACE_MARK, NAME_PATTERN, requireEngine } from '@rdf-worlds/core/internal';
import { throwIfAborted } from '@rdf-worlds/core/plugin';
import { Access } from './access.ts';
import { bearerToken } from './bearer-token.ts';
import { Call, type UploadHost } from './call.ts';
import { addCorsHeaders } from './cors.ts';
import { Deadline } from './deadline.ts';
import { ErrorReplies } from './error-replies.ts';
import { FeedBody } from './feed-body.ts';
import { FeedSlots } from './feed-slots.ts';
import { type HandlerSettings, handlerSettings, type WorldsHandlerOptions } from './handler-options.ts';
import { HELD_BODIES } from './held-bodies.ts';
import { HttpError } from './http-error.ts';
import { type Incoming, NO_QUERY } from './incoming.ts';
import { requireJsonValues } from './json-scan.ts';
import type { Limits } from './limits.ts';
import { requireLocal } from './loopback.ts';
import { Activity } from './observation/activity.ts';
import { observersOf } from './observation/observers.ts';
import type { RequestObserver } from './observation/request-observer.ts';
import { RequestRecord } from './observation/request-record.ts';
import type { ServiceMetrics } from './observation/service-metrics.ts';
import type { Principal } from './principal.ts';
import { PROBE_PATHS, Probes } from './probes.ts';
import { requireIntendedParameters } from './query-parameters.ts';
import { emptyReply, isStreamed, type Reply, wholeReply } from './reply.ts';
import { receiveBody } from './request-body.ts';
import { type ReleaseSlot, RequestSlots } from './request-slots.ts';
import { responseBody } from './response-body.ts';
import type { RouteMatch } from './route-info.ts';
import { matchRoute, nearestPath } from './route-match.ts';
import type { Route } from './routes.ts';
import { isServicePath, mountsByPath, type ServiceMount } from './service-mount.ts';
import { pageReply, pagesAt, requirePagePaths, type ServicePages } from './service-pages.ts';
import { METRICS_PATH, OPENAPI_PATH, SERVICE_PATHS } from './service-paths.ts';
import { type BodyEnd, TimedBody } from './timed-body.ts';
import { isTokenOnly } from './token-only.ts';
import { UploadWaits } from './upload-waits.ts';
import { invalidName, quoted } from './world-name.ts';

/** Request ids that may be echoed; the character set rules out log injection. */
const REQUEST_ID = /^[A-Za-z0-9._~:/+=-]{1,128}$/;

/** Methods of the endpoints outside the route table: metrics, probes and the OpenAPI document. */
const READ_METHODS: readonly string[] = ['GET', 'HEAD', 'OPTIONS'];

/** The HTTP service that every mount (Fetch, `node:http`, Express) delegates to. */
export class WorldsService {
  private readonly engine: Promise<WorldsEngine>;
  private readonly settings: HandlerSettings;
  private readonly errors: ErrorReplies;
  private readonly probes: Probes | undefined;
  private readonly observers: readonly RequestObserver[];
  private readonly slots: RequestSlots;
  private readonly uploads: UploadHost;
  private readonly feeds: FeedSlots;
  private readonly activity: Activity | undefined;
  private readonly mounts: ReadonlyMap<string, ServiceMount>;
  /**
   * The OpenAPI document, once somebody asked for it: making it takes much longer than sending it.
   */
  private openapi: Promise<string> | undefined;

  constructor(engine: WorldsEngine | Promise<WorldsEngine>, options: WorldsHandlerOptions) {
    // Without options, the engine is what was forgotten or passed in their place.
    if (!(engine instanceof Object && 'then' in engine))
      requireEngine(engine, 'createWorldsHandler', 'createWorldsHandler(await WorldsEngine.open(), options)');
    this.settings = handlerSettings(options);
    this.mounts = mountsByPath(this.settings.mounts, SERVICE_PATHS);
    requirePagePaths(this.settings.pages, (path) => isServicePath(path, SERVICE_PATHS) || this.mounts.has(path));
    this.engine = Promise.resolve(engine);
    // Each request that needs the engine reports the failure. Without any request, this handler
    // prevents an unhandled rejection.
    this.engine.catch(() => {});
    if (this.settings.probes) this.probes = new Probes(this.engine);
    this.slots = new RequestSlots(this.settings.limits);
    const { maxUploads, maxUploadsPerCaller, uploadPatienceMs } = this.settings.limits;
    const uploadLimits = { maxConcurrentRequests: maxUploads, maxConcurrentRequestsPerCaller: maxUploadsPerCaller };
    this.uploads = {
      slots: new RequestSlots({ ...this.settings.limits, ...uploadLimits }),
      waits: new UploadWaits(uploadPatienceMs),
    };
    this.feeds = new FeedSlots(this.settings.limits);
    this.errors = new ErrorReplies(this.settings.logger);
    this.activity = this.settings.activity ? new Activity() : undefined;
    this.observers = [
      ...observersOf(this.settings, this.engine, {
        requests: this.slots,
        uploads: this.uploads.slots,
        feeds: this.feeds,
      }),
      ...(this.activity ? [this.activity] : []),
    ];
  }

  get limits(): Limits {
    return this.settings.limits;
  }

  /** Returns true if the path belongs to the service, for any method. */
  knows(pathname: string): boolean {
    const path = this.pathBelow(pathname);
    if (path !== undefined && this.probes && PROBE_PATHS.includes(path)) return true;
    if (path === METRICS_PATH && this.settings.metrics) return true;
    if (path !== undefined && (this.mounts.has(path) || pagesAt(this.settings.pages, path))) return true;
    return path === OPENAPI_PATH || (path !== undefined && matchRoute('GET', path, NO_QUERY) !== undefined);
  }

  /** Answers a request. Never rejects: every failure becomes an error reply. */
  answer(incoming: Incoming): Promise<Reply> {
    const given = incoming.header('x-request-id');
    const requestId = given !== null && REQUEST_ID.test(given) ? given : crypto.randomUUID();
    const record = new RequestRecord(requestId, incoming.method, incoming.remoteAddress);
    for (const observer of this.observers) observer.begun?.(record, incoming);
    const { tracing } = this.settings;
    return tracing ? tracing.run(record, () => this.respond(incoming, record)) : this.respond(incoming, record);
  }

  private async respond(incoming: Incoming, record: RequestRecord): Promise<Reply> {
    const { method, requestId } = record;
    let found: RouteMatch<Route> | undefined;
    let reply: Reply;
    try {
      if (this.settings.loopbackOnly) requireLocal(incoming);
      const path = this.pathBelow(incoming.path);
      const atPath = path === undefined ? undefined : matchRoute(method, path, incoming.query);
      found = atPath?.match;
      record.route = found?.route;
      record.isWrite = record.route?.permission === 'write';
      const mount = path === undefined ? undefined : this.mounts.get(path);
      const pages = path === undefined ? undefined : pagesAt(this.settings.pages, path);
      if (mount) reply = await this.runMount(incoming, mount, record);
      else if (path === OPENAPI_PATH) reply = await this.describe(method);
      else if (path === METRICS_PATH && this.settings.metrics)
        reply = await this.tellMetrics(this.settings.metrics, incoming, record);
      else if (!atPath && this.probes && PROBE_PATHS.includes(path!)) reply = probe(this.probes, path!, method);
      else if (pages) reply = this.sendPage(incoming, pages, path!);
      else if (!atPath) throw new HttpError(404, this.unknownPath(incoming.path));
      else if (method === 'OPTIONS') reply = emptyReply(204, { allow: atPath.methods.join(', ') });
      else if (!found) throw methodNotAllowed(method, atPath.methods);
      else reply = await this.run(incoming, found, record);
    } catch (error) {
      record.error = error;
      reply = this.errors.reply(error, { requestId, method, route: found?.route });
    }
    reply.headers['x-request-id'] = requestId;
    addCorsHeaders(incoming, reply, this.settings.cors);
    // HEAD keeps the headers of GET, including Content-Length (RFC 9110 section 9.3.2).
    if (method === 'HEAD') reply = { ...reply, body: undefined };
    reply.caller = record.access?.caller.name;
    record.status = reply.status;
    record.workMs += performance.now() - record.startedMs;
    if (!isStreamed(reply.body)) {
      if (reply.body !== undefined) record.bytes = Number(reply.headers['content-length'] ?? 0);
      this.ended(record);
    }
    return reply;
  }

  private ended(record: RequestRecord): void {
    record.durationMs = performance.now() - record.startedMs;
    for (const observer of this.observers) observer.ended(record);
  }

  private bodyEnded(record: RequestRecord, { outcome, error, bytes, workMs }: BodyEnd): void {
    // The deadline's signal also fires when the client disconnects.
    record.outcome = error instanceof WorldsError && error.code === 'ABORTED' ? 'abandoned' : outcome;
    record.error = error;
    record.bytes = bytes;
    record.workMs += workMs;
    this.ended(record);
  }

  /** Returns the path relative to the base path; undefined if the path is not below it. */
  private pathBelow(pathname: string): string | undefined {
    const { basePath } = this.settings;
    if (basePath === '') return pathname;
    return pathname.startsWith(`${basePath}/`) ? pathname.slice(basePath.length) : undefined;
  }

  private unknownPath(pathname: string): string {
    const { basePath } = this.settings;
    const near = nearestPath(this.pathBelow(pathname) ?? pathname);
    const advice =
      near === undefined ? `${basePath}${OPENAPI_PATH} lists the paths.` : `did you mean ${basePath}${near}?`;
    return `There is no resource ${quoted(pathname)}; ${advice}`;
  }

  /**
   * Runs the checks that precede the body, in this order: authentication (401), permission for the
   * path (403), syntax of the names in the path, names of the query parameters. Then runs the
   * route.
   */
  private async run(incoming: Incoming, match: RouteMatch<Route>, record: RequestRecord): Promise<Reply> {
    const { platformNamespace, limits, publicUrl } = this.settings;
    const { route, slug } = match;
    const principal = await this.limitedPrincipalOf(incoming, route.operation);
    const access = new Access(principal, platformNamespace);
    const isNamed = match.namespace !== undefined && match.namespace !== DEFAULT_NAMESPACE_MARK;
    const namespace = isNamed ? match.namespace! : access.defaultNamespace;
    record.access = access;
    record.namespace = namespace;
    record.world = slug;
    requirePath(access, match, namespace);
    if (!NAME_PATTERN.test(namespace)) throw new InvalidName(route.unknownWorld, invalidName('namespace', namespace));
    if (slug !== undefined && !NAME_PATTERN.test(slug))
      throw new InvalidName(route.unknownWorld, invalidName('slug', slug));
    requireIntendedParameters(route.operation, incoming.query);
    // Made once: each Request listens to the signal of the client.
    let request: Request | undefined;
    const call = new Call({
      engine: await this.opened(),
      incoming,
      access,
      limits,
      match,
      namespace,
      publicUrl,
      record,
      slots: this.slots,
      uploads: this.uploads,
      activity: this.activity,
      feeds: {
        slots: this.feeds,
        stopping: this.settings.stopping,
        authenticateAgain: async () => {
          request ??= incoming.toRequest();
          return new Access(await this.principalOf(incoming, request), platformNamespace);
        },
        report: (cause) => this.errors.report(cause, { requestId: record.requestId, method: record.method, route }),
      },
    });
    let isTimed = false;
    try {
      // Operations with a body enter once it has been received.
      const entering = route.method === 'GET' || route.operation === 'deleteGraph' ? call.enter() : undefined;
      if (entering) await entering;
      const reply = await route.run(call);
      // A feed has a slot of its own and no deadline: those of its request are released now.
      if (reply.body instanceof FeedBody) {
        reply.body.onEnd((end) => this.bodyEnded(record, end));
        return reply;
      }
      if (!call.deadline || !isStreamed(reply.body)) return reply;
      if (incoming.method === 'HEAD') {
        await reply.body[Symbol.asyncIterator]().return?.();
        return { ...reply, body: undefined };
      }
      await requireInTime(reply.body, call.signal);
      isTimed = true;
      // Releases the slot even if the body is never read.
      call.signal.addEventListener('abort', () => call[Symbol.dispose](), { once: true });
      const { requestId, method } = record;
      const report = (cause: unknown) => this.errors.report(cause, { requestId, method, route });
      const onEnd = (end: BodyEnd) => this.bodyEnded(record, end);
      const chunks = this.settings.tracing?.chunks(record, reply.body) ?? reply.body;
      return { ...reply, body: new TimedBody(chunks, call, report, onEnd), signal: call.signal };
    } finally {
      call.releaseBody();
      // A streamed reply holds its slot until the body was read or abandoned.
      if (!isTimed) call[Symbol.dispose]();
    }
  }

  /** Runs a mount behind the same checks as a route: authentication, body, slot, deadline. */
  private async runMount(incoming: Incoming, mount: ServiceMount, record: RequestRecord): Promise<Reply> {
    const { method } = incoming;
    if (method === 'OPTIONS') return emptyReply(204, { allow: mount.methods.join(', ') });
    if (!mount.methods.includes(method)) throw methodNotAllowed(method, mount.methods);
    const { limits, platformNamespace } = this.settings;
    const principal = await this.limitedPrincipalOf(incoming, mount.name);
    const access = new Access(principal, platformNamespace);
    record.access = access;
    record.namespace = access.defaultNamespace;
    const engine = await this.opened();
    const bodyClaim = HELD_BODIES.open(access.id, limits.maxHeldBodyBytes);
    try {
      const bytes = await receiveBody({ incoming, limits, bodyClaim }, limits.maxBodyBytes);
      const maxJsonValues = Math.min(limits.maxJsonValues, mount.maxJsonValues ?? Number.POSITIVE_INFINITY);
      await requireJsonValues(bytes, { ...limits, maxJsonValues });
      const work = new MountWork(incoming, limits.timeoutMs);
      let isTimed = false;
      try {
        assignCaller(work.signal, access.caller);
        work.release = await this.slots.take(access.caller.name, () => work.signal);
        const { url, headers } = incoming.toRequest();
        const body = bytes.length > 0 ? (bytes as Uint8Array<ArrayBuffer>) : undefined;
        const request = new Request(url, { method, headers, body, signal: work.signal });
        const onWrite = () => {
          record.isWrite = true;
        };
        const response = await mount.answer(request, { engine, principal, access, signal: work.signal, onWrite });
        const reply = await mountReply(response);
        if (!isStreamed(reply.body)) return reply;
        await requireInTime(reply.body, work.signal);
        isTimed = true;
        work.signal.addEventListener('abort', () => work[Symbol.dispose](), { once: true });
        const { requestId } = record;
        const report = (cause: unknown) => this.errors.report(cause, { requestId, method, route: undefined });
        const onEnd = (end: BodyEnd) => this.bodyEnded(record, end);
        return { ...reply, body: new TimedBody(reply.body, work, report, onEnd), signal: work.signal };
      } finally {
        if (!isTimed) work[Symbol.dispose]();
      }
    } finally {
      bodyClaim.release();
    }
  }

  private async opened(): Promise<WorldsEngine> {
    try {
      return await this.engine;
    } catch (cause) {
      // Wrapped, whatever its code: an engine that did not open is a 500, not the request's fault.
      throw new Error('The engine did not open.', { cause });
    }
  }

  /**
   * Authenticates the caller and applies `rateLimit`, also to failed logins. Throws `HttpError` 429
   * (instead of 401, for failed logins) if the host rejects the request.
   */
  private async limitedPrincipalOf(incoming: Incoming, name: string): Promise<Principal> {
    const { rateLimit } = this.settings;
    if (!rateLimit) return this.principalOf(incoming);
    const { remoteAddress } = incoming;
    const requireRate = async (principal: Principal | null) => {
      const header = (field: string) => incoming.header(field);
      const waitMs = await rateLimit(principal, { name, remoteAddress, header });
      if (waitMs === undefined) return;
      throw new HttpError(429, 'You are sending too many requests; retry later.', {
        'retry-after': String(Math.max(1, Math.ceil(waitMs / 1_000))),
      });
    };
    let principal: Principal;
    try {
      principal = await this.principalOf(incoming);
    } catch (error) {
      if (error instanceof WorldsError && error.code === 'UNAUTHENTICATED') await requireRate(null);
      throw error;
    }
    await requireRate(principal);
    return principal;
  }

  private async principalOf(incoming: Incoming, request?: Request): Promise<Principal> {
    const { authenticate, anonymous } = this.settings;
    const authorization = incoming.header('authorization');
    if (authorization === null && anonymous) return anonymous;
    const token = bearerToken(authorization);
    if (token !== null) {
      const principal = await (isTokenOnly(authenticate)
        ? authenticate(token)
        : authenticate(token, request ?? incoming.toRequest()));
      if (principal) return principal;
    }
    throw new WorldsError(
      'UNAUTHENTICATED',
      authorization === null
        ? 'Credentials are missing; send the header Authorization: Bearer <token>.'
        : 'The credentials are not valid; send the header Authorization: Bearer <token> with a valid token.',
    );
  }

  /** Requires `admin`, because the metrics cover all tenants. */
  private async tellMetrics(metrics: ServiceMetrics, incoming: Incoming, record: RequestRecord): Promise<Reply> {
    const { method } = incoming;
    if (method === 'OPTIONS') return emptyReply(204, { allow: READ_METHODS.join(', ') });
    if (!READ_METHODS.includes(method)) throw methodNotAllowed(method, READ_METHODS);
    record.access = new Access(await this.principalOf(incoming), this.settings.platformNamespace);
    record.access.requireAdmin('read the metrics');
    return wholeReply(await metrics.text(), metrics.contentType, 200, { 'cache-control': 'no-store' });
  }

  private sendPage(incoming: Incoming, pages: ServicePages, path: string): Reply {
    const { method } = incoming;
    if (method === 'OPTIONS') return emptyReply(204, { allow: READ_METHODS.join(', ') });
    if (!READ_METHODS.includes(method)) throw methodNotAllowed(method, READ_METHODS);
    return pageReply(pages, path, incoming);
  }

  private async describe(method: string): Promise<Reply> {
    if (method === 'OPTIONS') return emptyReply(204, { allow: READ_METHODS.join(', ') });
    if (!READ_METHODS.includes(method)) throw methodNotAllowed(method, READ_METHODS);
    // Loaded on first use, so that other requests do not pay for the generator.
    this.openapi ??= import('./openapi-document.ts').then(({ openapiDocument }) =>
      JSON.stringify(openapiDocument(this.settings.publicUrl)),
    );
    return wholeReply(await this.openapi, 'application/json', 200, {});
  }
}

/** A malformed name in the path, with the status of an unknown world. */
class InvalidName extends HttpError {
  override get code(): WorldsErrorCode {
    return 'INVALID_ARGUMENT';
  }
}

/** The deadline and the slot of a request to a mount. */
class MountWork extends Deadline {
  /** Undefined until the slot is taken. */
  release: ReleaseSlot | undefined;

  override [Symbol.dispose](): void {
    this.release?.();
    super[Symbol.dispose]();
  }
}

/** Reads a Response as a reply: whole, unless it is a stream of events. */
async function mountReply(response: Response): Promise<Reply> {
  const { status, body } = response;
  const headers = Object.fromEntries(response.headers);
  // RFC 9110 section 7.6.1: for the connection, which is the server's own.
  delete headers.connection;
  if (!body) return { status, headers, body: undefined };
  if (headers['content-type']?.startsWith('text/event-stream')) return { status, headers, ...responseBody(body) };
  const bytes = new Uint8Array(await response.arrayBuffer());
  return { status, headers: { ...headers, 'content-length': String(bytes.length) }, body: bytes };
}

/**
 * Throws `PERMISSION_DENIED` if the caller lacks permission for the namespace or world in the path.
 */
function requirePath(access: Access, { route, slug, namespace: given }: RouteMatch<Route>, namespace: string): void {
  const { permission } = route;
  if (permission === 'caller') return;
  if (permission === 'admin') {
    access.requireAdmin(route.operation === 'backup' ? 'make a backup' : 'see what the server does');
    return;
  }
  if (slug !== undefined) {
    const world = { namespace, slug };
    if (permission === 'any') access.requireAny(world);
    else access.require(permission, world);
    return;
  }
  // `createWorld` without a namespace in the path may name another one in its body; permission for
  // it is checked once the body has been read.
  const mayNameAnother = route.operation === 'createWorld' && given === undefined;
  if (mayNameAnother && access.mayAnywhere('write')) return;
  access.requireEntry(namespace, permission === 'any' ? undefined : permission);
}

function probe(probes: Probes, path: string, method: string): Reply {
  if (!READ_METHODS.includes(method)) throw methodNotAllowed(method, READ_METHODS);
  return probes.reply(path, method);
}

function methodNotAllowed(method: string, methods: readonly string[]): HttpError {
  const allow = methods.join(', ');
  return new HttpError(405, `${quoted(method)} is not allowed here; use one of ${allow}.`, { allow });
}

/**
 * Throws the reason of a deadline that passed after the first chunk was produced, and closes the
 * chunks. Nothing has been sent yet, so that the client gets a status instead of a connection that
 * is closed without an answer.
 */
async function requireInTime(chunks: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<void> {
  if (!signal.aborted) return;
  await chunks[Symbol.asyncIterator]().return?.();
  throwIfAborted(signal);
}
