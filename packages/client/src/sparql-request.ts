import type { SparqlRequest } from '@rdf-worlds/core';
import { isSparqlText, toBindings, toWireValue, WorldsError } from '@rdf-worlds/core/remote';
import type { Answer } from './answer.ts';
import { revisionCondition } from './import-request.ts';
import { JSON_TYPE } from './json-type.ts';
import { momentText } from './moment-text.ts';
import { RESULTS_TYPE } from './query-answer.ts';
import type { Transport } from './transport.ts';
import { scopeOf } from './world-path.ts';

export interface SparqlSending {
  readonly transport: Transport;
  readonly defaultNamespace: string;
  /** The method, for messages. */
  readonly operation: string;
  /** Fields of the body that the method adds. */
  readonly more: object;
  /** Whether the text cannot be an update, so that the request may be repeated. */
  readonly isIdempotent: boolean;
}

/**
 * Sends a query or an update. Throws INVALID_ARGUMENT for a query that is not a text,
 * INVALID_SPARQL for an empty one.
 */
export async function sendSparql(
  { transport, defaultNamespace, operation, more, isIdempotent }: SparqlSending,
  { query, sources, namespace, bindings, at, signal, ifRevision, timeoutMs, ...fields }: SparqlRequest,
): Promise<Answer> {
  if (typeof query !== 'string' && !isSparqlText(query))
    throw new WorldsError('INVALID_ARGUMENT', `${operation}: query: expected a string`);
  const text = String(query);
  // An empty text would ask for a description of the service.
  if (text.trim() === '') throw new WorldsError('INVALID_SPARQL', 'The text is empty: expected a query or an update.');
  const scope = scopeOf(operation, { sources, namespace }, defaultNamespace);
  const terms = toBindings(bindings);
  const values = terms && Object.fromEntries([...terms].map(([name, term]) => [name, toWireValue(term)]));
  return transport.send(`${scope.path}/sparql`, {
    method: 'POST',
    headers: { ...JSON_TYPE, accept: RESULTS_TYPE, ...revisionCondition(ifRevision) },
    body: JSON.stringify({
      ...fields,
      ...more,
      ...scope.body,
      query: text,
      timeoutMs,
      bindings: values,
      at: momentText(at),
    }),
    isIdempotent,
    signal,
    // The server ends an update in time, and says whether it did.
    timeoutMs: isIdempotent ? timeoutMs : undefined,
  });
}
