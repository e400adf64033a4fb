import { DEFAULT_REQUEST_LIMITS, nativeEngine, type RequestLimits } from '@rdf-worlds/core';
import type { PreparedQuery, PreparedUpdate } from '@rdf-worlds/core/plugin';

/**
 * Any base IRI will do: parsing requires one for relative IRIs, but they are resolved only where
 * the text is executed.
 */
const BASE = 'http://localhost/';

const engine = nativeEngine();

/**
 * Parses a query or update without running it. Throws `INVALID_SPARQL` with a location, and any
 * other error of `SparqlEngine.prepare`.
 */
export async function prepareSparql(
  text: string,
  limits?: Partial<RequestLimits>,
): Promise<PreparedQuery | PreparedUpdate> {
  return engine.prepare(text, { baseIri: BASE, limits: { ...DEFAULT_REQUEST_LIMITS, ...limits } });
}
