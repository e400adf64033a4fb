/**
 * `@rdf-worlds/core/remote`: what implementations of {@link Worlds} other than the engine are made
 * of, such as `@rdf-worlds/client`: terms, results, errors and names. It contains no part of the
 * engine, loads no library and nothing of Node, and therefore runs in browsers. The names are also
 * exported by `@rdf-worlds/core`, except for those of the last three groups.
 *
 * @module @rdf-worlds/core/remote
 */

// Requests.
export { entityOf, entityTerm, isEntityName, shortNames } from './engine/entity.ts';
export { graphTerm, isGraphName } from './engine/graph-name.ts';
export { importInput, inputType } from './engine/import-input.ts';
export { QuadsResult, readOnce, SelectResult } from './engine/query-results.ts';
export { isSparqlText, SparqlText, sparql } from './engine/sparql-text.ts';
export { toBindings } from './engine/term-value.ts';
// Results.
export { fromWireValue, toWireValue } from './engine/wire-value.ts';
export { requireName, resolveNamespace, resolveSource } from './engine/world-name.ts';
export type { Worlds } from './engine/worlds.ts';
// Values of other realms.
export { anySignal, asBytes, isAbortSignal, isError, tagOf } from './model/any-realm.ts';
export { isAbsoluteIri } from './model/iri.ts';
export { fieldsOf, requireKnownFields } from './model/known-fields.ts';
export { requireOptions } from './model/passed-value.ts';
export { requirePositions } from './model/quad-positions.ts';
export { dataFactory } from './model/term.ts';
export { throwIfAborted, WorldsError } from './model/worlds-error.ts';
export { ResultRow } from './sparql/result-row.ts';
