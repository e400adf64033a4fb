import type { RequestTracing } from '@rdf-worlds/http/tracing';
import { Option } from 'commander';
import type { Arguments } from './arguments.ts';

export const TRACING_OPTION = new Option(
  '--tracing',
  'a span of OpenTelemetry for each request, to the SDK that node loads with --import; nothing without one',
);

/** Returns the tracing if the option asks for it; imported lazily. */
export async function openTracing(given: Arguments): Promise<RequestTracing | undefined> {
  if (!given.flag('tracing')) return undefined;
  const { RequestTracing } = await import('@rdf-worlds/http/tracing');
  return new RequestTracing();
}
