/** One metric. To add one, add a row and set its value in `ServiceMetrics`. */
export interface MetricRow {
  readonly type: 'counter' | 'gauge' | 'histogram';
  /** Description, in the HELP line of the metric. */
  readonly help: string;
  /** Names of the labels. Default: none. */
  readonly labels?: readonly string[];
}

/**
 * All metrics of the service, apart from the process metrics, which prom-client names. Names end
 * with the unit, by Prometheus convention: seconds and bytes.
 */
export const METRICS = {
  rdf_worlds_http_requests_total: {
    type: 'counter',
    help: 'Completed requests, by route, method and status.',
    labels: ['route', 'method', 'status'],
  },
  rdf_worlds_http_request_duration_seconds: {
    type: 'histogram',
    help: 'Duration from the headers of a request to the end of its response.',
    labels: ['route', 'method'],
  },
  rdf_worlds_http_requests_in_flight: { type: 'gauge', help: 'Requests whose response is not complete.' },
  rdf_worlds_http_requests_running: {
    type: 'gauge',
    help: 'Requests that have a slot, limited by maxConcurrentRequests.',
  },
  rdf_worlds_http_queue_depth: {
    type: 'gauge',
    help: 'Requests and streamed bodies that wait for a slot, by queue: requests (limited by maxQueuedRequests), uploads.',
    labels: ['queue'],
  },
  rdf_worlds_http_feeds: { type: 'gauge', help: 'Open change feeds, limited by maxFeeds.' },
  rdf_worlds_http_answers_broken_total: {
    type: 'counter',
    help: 'Responses that failed after the status was sent, by error code.',
    labels: ['code'],
  },
  rdf_worlds_http_response_bytes_total: { type: 'counter', help: 'Bytes of response bodies.', labels: ['route'] },
  rdf_worlds_http_rows_total: {
    type: 'counter',
    help: 'Solutions, triples and hits returned, and quads changed by writes.',
    labels: ['route'],
  },
  rdf_worlds_http_held_body_bytes: {
    type: 'gauge',
    help: 'Bytes of request bodies held in memory, limited by maxHeldBodyBytes.',
  },
  rdf_worlds_namespace_requests_total: {
    type: 'counter',
    help: 'Accepted requests, by namespace; only with byNamespace.',
    labels: ['namespace'],
  },
  rdf_worlds_namespace_work_seconds_total: {
    type: 'counter',
    help: 'Time spent producing responses, including waits for the event loop, by namespace; only with byNamespace.',
    labels: ['namespace'],
  },
  rdf_worlds_namespace_rows_total: {
    type: 'counter',
    help: 'Rows counted as in rdf_worlds_http_rows_total, by namespace; only with byNamespace.',
    labels: ['namespace'],
  },
  rdf_worlds_ready: { type: 'gauge', help: '1 while the engine is open, 0 before that or if it failed to open.' },
  rdf_worlds_namespaces: { type: 'gauge', help: 'Namespaces with at least one world, whether in memory or not.' },
  rdf_worlds_namespaces_in_memory: { type: 'gauge', help: 'Namespaces in memory.' },
  rdf_worlds_worlds_in_memory: { type: 'gauge', help: 'Worlds of the namespaces in memory.' },
  rdf_worlds_memory_bytes: {
    type: 'gauge',
    help: 'Memory of namespaces in bytes, by part: terms, quads, search, vectors, records.',
    labels: ['part'],
  },
  rdf_worlds_request_memory_bytes: { type: 'gauge', help: 'Memory held by running requests, in bytes.' },
  rdf_worlds_request_memory_limit_bytes: {
    type: 'gauge',
    help: 'Limit on the memory of all running requests together, in bytes.',
  },
  rdf_worlds_imports_waiting: { type: 'gauge', help: 'Imports waiting for memory.' },
  rdf_worlds_waiting_turns: { type: 'gauge', help: 'Tasks waiting for a time slice of the event loop.' },
  rdf_worlds_commits_total: { type: 'counter', help: 'Commits made visible.' },
  rdf_worlds_checkpoints_total: { type: 'counter', help: 'Checkpoints written.' },
  rdf_worlds_uncheckpointed_bytes: {
    type: 'gauge',
    help: 'Bytes of log written since the last checkpoint, which a restart replays; sum over the namespaces in memory.',
  },
  rdf_worlds_uncheckpointed_seconds: {
    type: 'gauge',
    help: 'Age of the oldest commit that no checkpoint contains, over the namespaces in memory.',
  },
  rdf_worlds_background_failures_total: {
    type: 'counter',
    help: 'Failures of background work, by activity.',
    labels: ['activity'],
  },
  rdf_worlds_problems: { type: 'gauge', help: 'Background activities whose last attempt failed.' },
} as const satisfies Record<string, MetricRow>;

/** Name of a metric; a key of {@link METRICS}. */
export type MetricName = keyof typeof METRICS;
