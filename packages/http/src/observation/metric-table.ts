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
    help: 'Requests whose answer has ended, by route, method and status.',
    labels: ['route', 'method', 'status'],
  },
  rdf_worlds_http_request_duration_seconds: {
    type: 'histogram',
    help: 'From the headers of a request to the end of its answer.',
    labels: ['route', 'method'],
  },
  rdf_worlds_http_requests_in_flight: { type: 'gauge', help: 'Requests whose answer has not ended.' },
  rdf_worlds_http_answers_broken_total: {
    type: 'counter',
    help: 'Answers that broke off after their status was sent, by code of the error.',
    labels: ['code'],
  },
  rdf_worlds_http_response_bytes_total: { type: 'counter', help: 'Bytes of bodies of answers.', labels: ['route'] },
  rdf_worlds_http_rows_total: {
    type: 'counter',
    help: 'Solutions, triples and hits of answers, and quads that writes changed.',
    labels: ['route'],
  },
  rdf_worlds_http_held_body_bytes: { type: 'gauge', help: 'Bytes of request bodies in memory, of maxHeldBodyBytes.' },
  rdf_worlds_namespace_requests_total: {
    type: 'counter',
    help: 'Requests by namespace that were not refused; only with byNamespace.',
    labels: ['namespace'],
  },
  rdf_worlds_namespace_work_seconds_total: {
    type: 'counter',
    help: 'Time for making answers, waiting for turns included, by namespace; only with byNamespace.',
    labels: ['namespace'],
  },
  rdf_worlds_namespace_rows_total: {
    type: 'counter',
    help: 'Rows as above, by namespace; only with byNamespace.',
    labels: ['namespace'],
  },
  rdf_worlds_ready: { type: 'gauge', help: '1 while the engine is open, 0 before and when it failed to open.' },
  rdf_worlds_namespaces: { type: 'gauge', help: 'Namespaces that hold a world, in memory or not.' },
  rdf_worlds_namespaces_in_memory: { type: 'gauge', help: 'Namespaces in memory.' },
  rdf_worlds_worlds_in_memory: { type: 'gauge', help: 'Worlds of namespaces in memory.' },
  rdf_worlds_memory_bytes: {
    type: 'gauge',
    help: 'Bytes of namespaces in memory by part: terms, quads, search, vectors, records.',
    labels: ['part'],
  },
  rdf_worlds_request_memory_bytes: { type: 'gauge', help: 'Bytes that requests hold while they run.' },
  rdf_worlds_request_memory_limit_bytes: { type: 'gauge', help: 'Bytes that they may hold together.' },
  rdf_worlds_imports_waiting: { type: 'gauge', help: 'Imports that wait for memory of their share.' },
  rdf_worlds_waiting_turns: { type: 'gauge', help: 'Pieces of work that wait for a slice of the event loop.' },
  rdf_worlds_commits_total: { type: 'counter', help: 'Commits that became visible.' },
  rdf_worlds_checkpoints_total: { type: 'counter', help: 'Checkpoints that were written.' },
  rdf_worlds_uncheckpointed_bytes: {
    type: 'gauge',
    help: 'Bytes in logs of namespaces in memory behind their last checkpoints: what a restart reads again.',
  },
  rdf_worlds_uncheckpointed_seconds: {
    type: 'gauge',
    help: 'For how long the oldest commit has been without a checkpoint, of namespaces in memory.',
  },
  rdf_worlds_background_failures_total: {
    type: 'counter',
    help: 'Failures of work that no caller waits for, by activity.',
    labels: ['activity'],
  },
  rdf_worlds_problems: { type: 'gauge', help: 'Background work that failed last time it was tried.' },
} as const satisfies Record<string, MetricRow>;

/** Name of a metric; a key of {@link METRICS}. */
export type MetricName = keyof typeof METRICS;
