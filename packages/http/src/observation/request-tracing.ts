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
import { requireKnownFields } from '@rdf-worlds/core';
import type { Incoming } from '../incoming.ts';
import { maskedQuery } from './masked-query.ts';
import type { RequestObserver } from './request-observer.ts';
import { known, type RequestRecord } from './request-record.ts';

/**
 * Methods that have a name of their own in spans; any other is `_OTHER` (semantic conventions for
 * HTTP spans, `http.request.method`).
 */
const METHODS: readonly string[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT'];
/** Code units of a text that a client sent. */
const MAX_LENGTH = 4_096;

/**
 * Headers as a propagator reads them. It asks for those that it knows; a list of all is not made.
 */
const HEADERS = {
  get: (incoming: Incoming, name: string) => incoming.header(name.toLowerCase()) ?? undefined,
  keys: () => [],
};

export interface RequestTracingOptions {
  /** Makes the tracer; the provider that is registered globally when not given. */
  readonly tracerProvider?: TracerProvider | undefined;
  /**
   * Whether spans have the text of queries and updates, with `?` for strings and numbers; they have
   * when not given.
   */
  readonly queryText?: boolean | undefined;
}

interface OpenSpan {
  readonly span: Span;
  /** In which it is the active span. */
  readonly context: Context;
}

/**
 * A span for each request, by the API of OpenTelemetry alone: without an SDK that the host has
 * registered nothing is recorded. Its names and attributes are those of the semantic conventions
 * for HTTP servers, and its parent is the caller's by the registered propagator, or the span that
 * is active: then it is `INTERNAL`, else `SERVER`. It is the active span of all that works for the
 * request, up to the last byte of the answer: calls in `authenticate`, in an embedder or in storage
 * become its children.
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
    // Asked anew each time: the SDK may be registered after the handler was made.
    const tracer = (this.provider ?? trace).getTracer('@rdf-worlds/http');
    const active = context.active();
    const isInner = trace.getSpan(active) !== undefined;
    const parent = isInner ? active : propagation.extract(active, incoming, HEADERS);
    const { method, remoteAddress, requestId } = record;
    // Those that a sampler may ask for have to be there from the start.
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

  /** Does work for a request with its span as the active one. */
  run<T>(record: RequestRecord, work: () => T): T {
    const open = this.open.get(record);
    return open ? context.with(open.context, work) : work();
  }

  /**
   * The same chunks, each made with the span of the request as the active one: a server asks for
   * them outside of it.
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
    // An answer of 4xx is the client's error, and none of the server's span (semantic conventions
    // for HTTP spans, "Status").
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

/** `GET /worlds/{slug}`: never with what a client sent, so that there are few names. */
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
