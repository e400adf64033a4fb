/**
 * `@rdf-worlds/http/metrics`: Prometheus metrics of a handler, on prom-client.
 *
 * @module @rdf-worlds/http/metrics
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ServiceMetrics } from './observation/service-metrics.ts';

export { METRICS, type MetricName, type MetricRow } from './observation/metric-table.ts';
export { ServiceMetrics, type ServiceMetricsOptions } from './observation/service-metrics.ts';

/**
 * Returns a listener for `http.createServer` that serves `/metrics` without authentication, for a
 * port that only monitoring can reach. Other paths get 404.
 */
export function metricsListener(metrics: ServiceMetrics): (message: IncomingMessage, outgoing: ServerResponse) => void {
  const answer = async ({ method, url }: IncomingMessage, outgoing: ServerResponse) => {
    const isKnown = url?.split('?')[0] === '/metrics';
    const isRead = method === 'GET' || method === 'HEAD';
    if (!isKnown || !isRead) {
      outgoing.writeHead(isKnown ? 405 : 404, isKnown ? { allow: 'GET, HEAD' } : {}).end();
      return;
    }
    const text = await metrics.text();
    outgoing.writeHead(200, {
      'content-type': metrics.contentType,
      'content-length': Buffer.byteLength(text),
      'cache-control': 'no-store',
    });
    outgoing.end(method === 'HEAD' ? undefined : text);
  };
  return (message, outgoing) => {
    // Discards the request body, if there is one.
    message.resume();
    answer(message, outgoing).catch(() => void outgoing.writeHead(500).end());
  };
}
