/**
 * `@rdf-worlds/http/tracing`: OpenTelemetry spans for the requests of a handler. Requires
 * `@opentelemetry/api`.
 *
 * @module @rdf-worlds/http/tracing
 */
export { RequestTracing, type RequestTracingOptions } from './observation/request-tracing.ts';
