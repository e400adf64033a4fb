import type { RdfDirection, SparqlResults, WorldsEngine } from '@rdf-worlds/core';
import type * as RDF from '@rdfjs/types';

/**
 * The part of `WorldsEngine` that the suites go through. Sources are slugs of the default
 * namespace.
 */
export interface EngineUnderTest {
  createWorld(options: { slug: string }): Promise<unknown>;
  deleteWorld(options: { source: string }): Promise<void>;
  import(options: {
    source: string;
    data: Uint8Array;
    contentType: string;
    baseIri: string;
    context?: unknown;
    rdfDirection?: RdfDirection;
  }): Promise<unknown>;
  export(options: { source: string; contentType: string; rdfDirection?: RdfDirection }): Promise<Uint8Array>;
  canonicalize(options: { source: string }): Promise<{ readonly document: Uint8Array }>;
  write(options: { source: string; insert: readonly RDF.Quad[] }): Promise<unknown>;
  quads(options: { source: string }): AsyncIterable<RDF.Quad>;
  sparql(options: { query: string; sources: readonly string[]; baseIri: string }): Promise<SparqlResults | null>;
  /** The engine itself, for who serves it; not there when this is the engine itself. */
  opened?(): Promise<WorldsEngine>;
}
