import type { Consistency } from '@rdf-worlds/core';
import type { Call } from '../call.ts';

/**
 * Brings the namespaces of a read to their heads if the request asks for the latest state.
 * Undefined if there is nothing to wait for. Call it once the caller is authorised.
 */
export function upToDate(
  call: Call,
  namespaces: readonly string[],
  consistency: Consistency | undefined,
): Promise<unknown> | undefined {
  if (consistency !== 'latest' || !call.engine.isShared) return undefined;
  return Promise.all(
    [...new Set(namespaces)].map((namespace) => call.engine.catchUp({ namespace, signal: call.signal })),
  );
}
