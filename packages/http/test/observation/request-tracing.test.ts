import { context, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { WorldsEngine } from '@rdf-worlds/core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Authenticate, createWorldsHandler, type WorldsHandlerOptions } from '../../src/index.ts';
import { RequestTracing, type RequestTracingOptions } from '../../src/tracing.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const CALLER = 'b7ad6b7169203331';

const exporter = new InMemorySpanExporter();
const tracerProvider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
const tracer = tracerProvider.getTracer('test');

beforeAll(() => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
});
afterAll(() => {
  context.disable();
  propagation.disable();
});

let engine: WorldsEngine;
beforeEach(async () => {
  exporter.reset();
  engine = await WorldsEngine.open({ textIndex: null });
  await engine.createWorld({ slug: 'a', namespace: 'acme' });
});
afterEach(() => engine.close());

/** Tells who asks in a span of its own, as a call of another service would. */
const authenticate: Authenticate = async (token) =>
  tracer.startActiveSpan('look up the token', async (span) => {
    await new Promise((resolve) => setImmediate(resolve));
    span.end();
    return token === 'the-token-of-acme'
      ? { id: 'user-1', defaultNamespace: 'acme', grants: [{ namespace: 'acme', read: true, write: true }] }
      : null;
  });

function started(tracing: RequestTracingOptions = { tracerProvider }, options: Partial<WorldsHandlerOptions> = {}) {
  const handler = createWorldsHandler(engine, { authenticate, tracing: new RequestTracing(tracing), ...options });
  return async (path: string, { token = 'the-token-of-acme', ...init }: RequestInit & { token?: string } = {}) => {
    const headers = new Headers(init.headers);
    headers.set('authorization', `Bearer ${token}`);
    return handler(new Request(`http://x${path}`, { ...init, headers }));
  };
}

const spanOf = (name: string): ReadableSpan => {
  const found = exporter.getFinishedSpans().filter((span) => span.name === name);
  expect(found, `spans: ${exporter.getFinishedSpans().map((span) => span.name)}`).toHaveLength(1);
  return found[0];
};

describe('the span of a request', () => {
  it('has the names and attributes of the semantic conventions, and nothing of a literal', async () => {
    const ask = started();
    const query = 'SELECT ?s { ?s <urn:p> "a secret" }';
    const headers = { 'user-agent': 'a client', 'x-request-id': 'request-7' };
    await (await ask(`/worlds/a/sparql?query=${encodeURIComponent(query)}`, { headers })).text();
    const span = spanOf('GET /worlds/{slug}/sparql');
    expect(span.kind).toBe(SpanKind.SERVER);
    expect(span.status.code).toBe(SpanStatusCode.UNSET);
    expect(span.attributes).toMatchObject({
      'http.request.method': 'GET',
      'http.route': '/worlds/{slug}/sparql',
      'url.path': '/worlds/a/sparql',
      'user_agent.original': 'a client',
      'http.response.status_code': 200,
      'user.id': 'user-1',
      'db.system.name': 'rdf_worlds',
      'db.query.text': 'SELECT ?s { ?s <urn:p> ? }',
      'db.response.returned_rows': 0,
      'rdf_worlds.request_id': 'request-7',
      'rdf_worlds.namespace': 'acme',
      'rdf_worlds.worlds': ['acme/a'],
      'rdf_worlds.outcome': 'complete',
    });
    expect(JSON.stringify(span.attributes)).not.toMatch(/secret|the-token/);
  });

  it('continues the trace of the caller, and is the parent of what works for the request', async () => {
    const ask = started();
    await ask('/worlds/a', { headers: { traceparent: `00-${TRACE}-${CALLER}-01` } });
    const span = spanOf('GET /worlds/{slug}');
    expect(span.spanContext().traceId).toBe(TRACE);
    expect(span.parentSpanContext?.spanId).toBe(CALLER);
    expect(spanOf('look up the token').parentSpanContext?.spanId).toBe(span.spanContext().spanId);
  });

  it('is an inner one below a span of the host', async () => {
    const ask = started();
    await tracer.startActiveSpan('host', async (host) => {
      await ask('/worlds/a', { headers: { traceparent: `00-${TRACE}-${CALLER}-01` } });
      host.end();
    });
    const span = spanOf('GET /worlds/{slug}');
    expect(span.kind).toBe(SpanKind.INTERNAL);
    expect(span.parentSpanContext?.spanId).toBe(spanOf('host').spanContext().spanId);
  });

  it('lasts until the last byte of a streamed response, for every caller', async () => {
    const data = Array.from({ length: 30_000 }, (_, n) => `<urn:s${n}> <urn:p> "${n}" .`).join('\n');
    await engine.import({ source: 'acme/a', data });
    const ask = started();
    const response = await ask('/worlds/a/export', { method: 'POST' });
    const reader = response.body!.getReader();
    await reader.read();
    expect(exporter.getFinishedSpans().map(({ name }) => name)).toEqual(['look up the token']);
    while (!(await reader.read()).done);
    const span = spanOf('POST /worlds/{slug}/export');
    expect(span.attributes).toMatchObject({ 'rdf_worlds.outcome': 'complete' });
    expect(span.attributes['http.response.body.size']).toBeGreaterThan(600_000);
  });

  it('tells a client that gave up', async () => {
    const data = Array.from({ length: 30_000 }, (_, n) => `<urn:s${n}> <urn:p> "${n}" .`).join('\n');
    await engine.import({ source: 'acme/a', data });
    const response = await started()('/worlds/a/export', { method: 'POST' });
    await response.body!.cancel();
    expect(spanOf('POST /worlds/{slug}/export').attributes['rdf_worlds.outcome']).toBe('abandoned');
  });

  it('has failed when the server has, and not when the client has', async () => {
    await started()('/worlds/nothing');
    expect(spanOf('GET /worlds/{slug}').status.code).toBe(SpanStatusCode.UNSET);
    expect(spanOf('GET /worlds/{slug}').attributes).toMatchObject({ 'rdf_worlds.error_code': 'NOT_FOUND' });
    exporter.reset();
    await started(
      { tracerProvider },
      {
        authenticate: () => {
          throw new Error('the directory is down');
        },
      },
    )('/worlds/a');
    const span = spanOf('GET /worlds/{slug}');
    expect(span.status.code).toBe(SpanStatusCode.ERROR);
    expect(span.attributes).toMatchObject({ 'http.response.status_code': 500, 'error.type': 'INTERNAL' });
    expect(span.events.map(({ name }) => name)).toEqual(['exception']);
  });

  it('is named by the route, never by what a client made up', async () => {
    const ask = started();
    await ask('/some/other/path');
    await ask('/worlds/a', { method: 'PROPFIND' });
    const spans = exporter.getFinishedSpans();
    expect(spans.map(({ name }) => name)).toEqual(['GET', 'HTTP']);
    expect(spans[1].attributes).toMatchObject({
      'http.request.method': '_OTHER',
      'http.request.method_original': 'PROPFIND',
    });
  });

  it('leaves the text of queries out where it is not wanted', async () => {
    const ask = started({ tracerProvider, queryText: false });
    await (await ask('/worlds/a/sparql?query=ASK%7B%7D')).text();
    expect(spanOf('GET /worlds/{slug}/sparql').attributes).not.toHaveProperty('db.query.text');
  });
});

it('takes the provider that is registered by the time of the request, and none is needed', async () => {
  const ask = started({});
  expect((await ask('/worlds/a')).status).toBe(200);
  expect(exporter.getFinishedSpans().map(({ name }) => name)).toEqual(['look up the token']);
  exporter.reset();
  trace.setGlobalTracerProvider(tracerProvider);
  try {
    await ask('/worlds/a');
    expect(spanOf('GET /worlds/{slug}').kind).toBe(SpanKind.SERVER);
  } finally {
    trace.disable();
  }
});

it('refuses options that it does not know', () => {
  expect(() => new RequestTracing({ provider: tracerProvider } as RequestTracingOptions)).toThrow(/provider/);
});
