import { metricsListener, ServiceMetrics } from '@rdf-worlds/http/metrics';
import { Option } from 'commander';
import type { Arguments } from './arguments.ts';
import { GracefulServer } from './graceful-server.ts';
import { integer } from './option-value.ts';

/** Scrapes are short, and monitoring needs few connections. */
const LIMITS = { maxConnections: 16 };

export const METRICS_OPTIONS: readonly Option[] = [
  new Option('--metrics-port <N>', 'also serve /metrics on this port, without credentials').argParser(
    integer(0, 65_535),
  ),
  new Option('--metrics-host <ADDRESS>', 'the address to listen on for metrics').default('127.0.0.1'),
  new Option('--metrics-by-namespace', 'also count requests, work and rows per namespace, for up to 1000 namespaces'),
];

export interface OpenMetrics {
  readonly metrics: ServiceMetrics;
  close(): Promise<void>;
}

/**
 * Creates the metrics, and listens on the port for scrapes if the options ask for one. Throws the
 * system's errors for the port.
 */
export async function openMetrics(given: Arguments): Promise<OpenMetrics> {
  const metrics = new ServiceMetrics({ byNamespace: given.flag('metrics-by-namespace') });
  const port = given.integer('metrics-port');
  if (port === undefined) return { metrics, close: async () => {} };
  const host = given.text('metrics-host')!;
  const { server, origin } = await GracefulServer.start({ host, port, limits: LIMITS }, () => metricsListener(metrics));
  process.stdout.write(`Metrics on ${origin}/metrics\n`);
  return { metrics, close: () => server.stop(0) };
}
