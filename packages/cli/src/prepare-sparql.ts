import { nativeEngine, type PreparedQuery, type PreparedUpdate } from '@rdf-worlds/core';

/**
 * Relative IRIs are allowed; what they are relative to is known only where the text is run, and
 * nothing here depends on it.
 */
const BASE = 'http://localhost/';

const engine = nativeEngine();

/**
 * Parses a query or an update without running it. Throws INVALID_SPARQL with a location, and what
 * else `prepare` of an engine throws.
 */
export async function prepareSparql(text: string): Promise<PreparedQuery | PreparedUpdate> {
  return engine.prepare(text, { baseIri: BASE });
}
