import {
  type Attributes,
  type Context,
  context,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  type TracerProvider,
  trace,
} from '@opentelemetry/api';
import { requireKnownFields } from '@rdf-worlds/core/plugin';
import type { Incoming } from '../incoming.ts';
import { maskedQuery } from './masked-query.ts';
import type { RequestObserver } from './request-observer.ts';
import { known, type RequestRecord } from './request-record.ts';

/**
 * The methods that spans record by name; any other is `_OTHER` (semantic conventions for HTTP
 * spans, `http.request.method`).
 */
const METHODS: readonly string[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT'];
/** Maximum number of code units of client-supplied text. */
const MAX_LENGTH = 4_096;

/** Header access for propagators. They ask for the headers they know, so `keys` is empty. */
const HEADERS = {
  get: (incoming: Incoming, name: string) => incoming.header(name.toLowerCase()) ?? undefined,
  keys: () => [],
};

/** Options of {@link RequestTracing}. */
export interface RequestTracingOptions {
  /** Provides the tracer; the globally registered provider by default. */
  readonly tracerProvider?: TracerProvider | undefined;
  /**
   * Whether spans contain the text of queries and updates, with `?` for strings and numbers; true
   * by default.
   */
  readonly queryText?: boolean | undefined;
}

interface OpenSpan {
  readonly span: Span;
  /** The context in which the span is active. */
  readonly context: Context;
}

/**
 * Makes a span for each request, using only the OpenTelemetry API: without an SDK registered by the
 * host, nothing is recorded. Names and attributes follow the semantic conventions for HTTP servers.
 * The parent is the active span, and the span's kind `INTERNAL`; without one, it is the caller's
 * span as extracted by the registered propagator, and the kind is `SERVER`. The span is active for
 * all work of the request, up to the last byte of the answer: calls in `authenticate`, an embedder
 * or storage become its children.
 */
export class RequestTracing implements RequestObserver {
  private readonly provider: TracerProvider | undefined;
  private readonly queryText: boolean;
  private readonly open = new WeakMap<RequestRecord, OpenSpan>();

  constructor(options: RequestTracingOptions = {}) {
    requireKnownFields(options, ['tracerProvider', 'queryText'], 'options');
    this.provider = options.tracerProvider;
    this.queryText = options.queryText ?? true;
  }

  begun(record: RequestRecord, incoming: Incoming): void {
    // Looked up for each request, because the SDK may be registered after the handler was made.
    const tracer = (this.provider ?? trace).getTracer('@rdf-worlds/http');
    const active = context.active();
    const isInner = trace.getSpan(active) !== undefined;
    const parent = isInner ? active : propagation.extract(active, incoming, HEADERS);
    const { method, remoteAddress, requestId } = record;
    // Attributes that samplers may use must be present at the start.
    const attributes: Attributes = known({
      'http.request.method': knownMethod(method) ?? '_OTHER',
      'http.request.method_original': knownMethod(method) ? undefined : cut(method),
      'url.path': cut(incoming.path),
      'network.peer.address': remoteAddress,
      'user_agent.original': cut(incoming.header('user-agent') ?? undefined),
      'rdf_worlds.request_id': requestId,
    });
    const kind = isInner ? SpanKind.INTERNAL : SpanKind.SERVER;
    const span = tracer.startSpan(nameOf(record), { kind, attributes }, parent);
    this.open.set(record, { span, context: trace.setSpan(parent, span) });
  }

  /** Runs work with the request's span active. */
  run<T>(record: RequestRecord, work: () => T): T {
    const open = this.open.get(record);
    return open ? context.with(open.context, work) : work();
  }

  /**
   * Returns the chunks, each produced with the request's span active: servers pull them outside of
   * it.
   */
  chunks(record: RequestRecord, chunks: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
    const iterator = this.run(record, () => chunks[Symbol.asyncIterator]());
    const bound: AsyncIterator<Uint8Array> = {
      next: () => this.run(record, () => iterator.next()),
      return: async () => (await this.run(record, () => iterator.return?.())) ?? { done: true, value: undefined },
    };
    return { [Symbol.asyncIterator]: () => bound };
  }

  ended(record: RequestRecord): void {
    const open = this.open.get(record);
    if (!open) return;
    this.open.delete(record);
    const { span } = open;
    if (span.isRecording()) this.describe(span, record);
    span.end();
  }

  private describe(span: Span, record: RequestRecord): void {
    const { status, outcome, error, code, query, principal, worlds } = record;
    // A 4xx answer is the client's error and leaves the server span's status unset (semantic
    // conventions for HTTP spans, "Status").
    const hasFailed = status >= 500 || outcome === 'broken';
    const errorType = hasFailed ? (code ?? String(status)) : undefined;
    span.updateName(nameOf(record));
    span.setAttributes(
      known({
        'http.route': record.path,
        'http.response.status_code': status,
        'http.response.body.size': record.bytes,
        'error.type': errorType,
        'user.id': principal,
        'db.system.name': query && 'rdf_worlds',
        'db.query.text': query && this.queryText ? cut(maskedQuery(query.text)) : undefined,
        'db.response.returned_rows': query && !record.isWrite ? record.rows : undefined,
        'rdf_worlds.operation': record.operation,
        'rdf_worlds.namespace': record.namespace,
        'rdf_worlds.worlds': worlds.length > 0 ? [...worlds] : undefined,
        'rdf_worlds.rows': record.rows,
        'rdf_worlds.error_code': code,
        'rdf_worlds.outcome': outcome,
        'rdf_worlds.work_ms': record.workMs,
      }),
    );
    if (!hasFailed) return;
    if (error instanceof Error) span.recordException(error);
    span.setStatus({ code: SpanStatusCode.ERROR });
  }
}

/**
 * Returns a name such as `GET /worlds/{slug}`, without client-supplied parts to keep cardinality
 * low.
 */
function nameOf({ method, path }: RequestRecord): string {
  const verb = knownMethod(method) ?? 'HTTP';
  return path === undefined ? verb : `${verb} ${path}`;
}

function knownMethod(method: string): string | undefined {
  return METHODS.includes(method) ? method : undefined;
}

function cut<Text extends string | undefined>(text: Text): Text | string {
  return text !== undefined && text.length > MAX_LENGTH ? text.slice(0, MAX_LENGTH) : text;
}
