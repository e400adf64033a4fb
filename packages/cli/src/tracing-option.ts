import type { RequestTracing } from '@rdf-worlds/http/tracing';
import { Option } from 'commander';
import type { Arguments } from './arguments.ts';

export const TRACING_OPTION = new Option(
  '--tracing',
  'create an OpenTelemetry span for each request; requires an SDK, loaded by node --import',
);

/** Returns the tracing if the option asks for it; imported lazily. */
export async function openTracing(given: Arguments): Promise<RequestTracing | undefined> {
  if (!given.flag('tracing')) return undefined;
  const { RequestTracing } = await import('@rdf-worlds/http/tracing');
  return new RequestTracing();
}
