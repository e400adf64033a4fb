import type { WorldsEngine } from '@rdf-worlds/core';
import { requireKnownFields } from '@rdf-worlds/core/plugin';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { HELD_BODIES } from '../held-bodies.ts';
import type { RequestSlots } from '../request-slots.ts';
import { METRICS, type MetricName, type MetricRow } from './metric-table.ts';
import type { RequestObserver } from './request-observer.ts';
import type { RequestRecord } from './request-record.ts';

/** Upper bounds in seconds: from a point query to the default deadline. */
const DURATION_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
/** Maximum number of namespaces with their own series; later ones are counted as `other`. */
const MAX_NAMESPACES = 1_000;
const OTHER = 'other';
/** Methods used as label values; clients may send arbitrary ones. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS']);

/** What requests, streamed bodies and change feeds of a service have taken and wait for. */
export interface ServiceQueues {
  readonly requests: Pick<RequestSlots, 'running' | 'waiting'>;
  readonly uploads: Pick<RequestSlots, 'waiting'>;
  /** Number of open change feeds. */
  readonly feeds: { readonly open: number };
}

/** Options of {@link ServiceMetrics}. */
export interface ServiceMetricsOptions {
  /**
   * Also counts requests, work and rows by namespace, with up to 1,000 series each. Off by default.
   */
  readonly byNamespace?: boolean | undefined;
  /**
   * Also collects process metrics (CPU, memory, garbage collector, event-loop delay) under the
   * names of prom-client. On by default; set it to false if the host already collects them.
   */
  readonly process?: boolean | undefined;
}

/**
 * The Prometheus metrics of a service, in their own registry. Pass it to one handler as `metrics`,
 * which serves `/metrics` to admins, or serve its `text` elsewhere. Throws `INVALID_ARGUMENT` for
 * unknown options.
 */
export class ServiceMetrics implements RequestObserver {
  /** Media type of {@link text}. */
  readonly contentType: string;
  private readonly registry = new Registry();
  private readonly counters = new Map<MetricName, Counter>();
  private readonly gauges = new Map<MetricName, Gauge>();
  private readonly durations: Histogram;
  private readonly namespaces: Set<string> | undefined;
  private engine: WorldsEngine | undefined;
  private queues: ServiceQueues | undefined;

  constructor(options: ServiceMetricsOptions = {}) {
    requireKnownFields(options, ['byNamespace', 'process'], 'metrics');
    this.contentType = this.registry.contentType;
    this.namespaces = options.byNamespace ? new Set() : undefined;
    if (options.process !== false) collectDefaultMetrics({ register: this.registry });
    const registers = [this.registry];
    for (const [key, row] of Object.entries(METRICS)) {
      const name = key as MetricName;
      const { type, help, labels = [] }: MetricRow = row;
      if (name.startsWith('rdf_worlds_namespace_') && !this.namespaces) continue;
      if (type === 'counter') this.counters.set(name, new Counter({ name, help, labelNames: [...labels], registers }));
      if (type === 'gauge') this.gauges.set(name, new Gauge({ name, help, labelNames: [...labels], registers }));
    }
    const name = 'rdf_worlds_http_request_duration_seconds';
    const { help, labels } = METRICS[name];
    this.durations = new Histogram({ name, help, labelNames: [...labels], buckets: DURATION_BUCKETS, registers });
  }

  /** Starts reading the gauges of the engine and of the queues. Called by the handler. */
  observe(engine: Promise<WorldsEngine>, queues: ServiceQueues): void {
    this.queues = queues;
    engine.then(
      (opened) => {
        this.engine = opened;
      },
      // `rdf_worlds_ready` stays 0, and every request reports the failure.
      () => {},
    );
  }

  begun(): void {
    this.gauge('rdf_worlds_http_requests_in_flight').inc();
  }

  ended(record: RequestRecord): void {
    const { path: route = 'none', status, rows, bytes, durationMs, outcome, code } = record;
    const method = METHODS.has(record.method) ? record.method : OTHER;
    this.gauge('rdf_worlds_http_requests_in_flight').dec();
    this.counter('rdf_worlds_http_requests_total').inc({ route, method, status });
    this.durations.observe({ route, method }, durationMs / 1000);
    if (bytes > 0) this.counter('rdf_worlds_http_response_bytes_total').inc({ route }, bytes);
    if (rows) this.counter('rdf_worlds_http_rows_total').inc({ route }, rows);
    if (outcome === 'broken') this.counter('rdf_worlds_http_answers_broken_total').inc({ code });
    if (this.namespaces) this.countNamespace(this.namespaces, record);
  }

  /** Returns all metrics in the Prometheus text format. */
  async text(): Promise<string> {
    this.gauge('rdf_worlds_http_held_body_bytes').set(HELD_BODIES.bytes);
    const { feeds, requests, uploads } = this.queues ?? {};
    this.gauge('rdf_worlds_http_feeds').set(feeds?.open ?? 0);
    this.gauge('rdf_worlds_http_requests_running').set(requests?.running ?? 0);
    this.gauge('rdf_worlds_http_queue_depth').set({ queue: 'requests' }, requests?.waiting ?? 0);
    this.gauge('rdf_worlds_http_queue_depth').set({ queue: 'uploads' }, uploads?.waiting ?? 0);
    this.readEngine();
    return this.registry.metrics();
  }

  private countNamespace(known: Set<string>, { namespace, status, workMs, rows }: RequestRecord): void {
    // Refused requests could otherwise create series with arbitrary names.
    if (namespace === undefined || status === 401 || status === 403 || status === 404) return;
    if (!known.has(namespace) && known.size < MAX_NAMESPACES) known.add(namespace);
    const labels = { namespace: known.has(namespace) ? namespace : OTHER };
    this.counter('rdf_worlds_namespace_requests_total').inc(labels);
    this.counter('rdf_worlds_namespace_work_seconds_total').inc(labels, workMs / 1000);
    if (rows) this.counter('rdf_worlds_namespace_rows_total').inc(labels, rows);
  }

  private readEngine(): void {
    const { engine } = this;
    this.gauge('rdf_worlds_ready').set(engine ? 1 : 0);
    if (!engine) return;
    const metrics = engine.metrics();
    this.gauge('rdf_worlds_namespaces').set(metrics.namespaces);
    this.gauge('rdf_worlds_namespaces_in_memory').set(metrics.namespacesInMemory);
    this.gauge('rdf_worlds_worlds_in_memory').set(metrics.worldsInMemory);
    for (const [part, bytes] of Object.entries(metrics.memoryBytes))
      this.gauge('rdf_worlds_memory_bytes').set({ part }, bytes);
    this.gauge('rdf_worlds_request_memory_bytes').set(metrics.requestMemory.usedBytes);
    this.gauge('rdf_worlds_request_memory_limit_bytes').set(metrics.requestMemory.maxBytes);
    this.gauge('rdf_worlds_imports_waiting').set(metrics.requestMemory.importsWaiting);
    this.gauge('rdf_worlds_waiting_turns').set(metrics.waitingTurns);
    this.setCounter('rdf_worlds_commits_total', metrics.commits);
    this.setCounter('rdf_worlds_checkpoints_total', metrics.checkpoints);
    this.gauge('rdf_worlds_uncheckpointed_bytes').set(metrics.uncheckpointedBytes);
    this.gauge('rdf_worlds_uncheckpointed_seconds').set(metrics.uncheckpointedMs / 1000);
    const failures = this.counter('rdf_worlds_background_failures_total');
    failures.reset();
    for (const [activity, count] of Object.entries(metrics.backgroundFailures)) failures.inc({ activity }, count);
    this.gauge('rdf_worlds_problems').set(metrics.problems);
  }

  /** Sets a counter to the engine's own count. */
  private setCounter(name: MetricName, value: number): void {
    const counter = this.counter(name);
    counter.reset();
    counter.inc(value);
  }

  private counter(name: MetricName): Counter {
    return this.counters.get(name)!;
  }

  private gauge(name: MetricName): Gauge {
    return this.gauges.get(name)!;
  }
}
