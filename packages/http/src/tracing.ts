export { RequestTracing, type RequestTracingOptions } from './observation/request-tracing.ts';
