import type * as RDF from '@rdfjs/types';
import type { SearchSource } from '../contracts/search-source.ts';
import type { EvaluateOptions, PreparedQuery, PreparedUpdate, SparqlEngine } from '../contracts/sparql-engine.ts';
import type { RequestMemory } from '../model/memory-budget.ts';
import { RequestBudget } from '../model/request-budget.ts';
import type { Dictionary } from '../quads/dictionary.ts';
import { type NewTerms, Overlay } from '../quads/overlay.ts';
import type { Catalog } from './catalog.ts';
import type { SparqlRequest } from './engine-requests.ts';
import type { QueryResult } from './query-results.ts';
import type { RequestedWorlds } from './requested-worlds.ts';

/** A validated query or update with its worlds. */
export interface QueryWork extends Omit<SparqlRequest, 'query' | 'sources' | 'namespace' | 'bindings'> {
  /** Name of the engine's method, for messages. */
  readonly operation: string;
  /** The only result type that the caller accepts; undefined for any. */
  readonly expected?: QueryResult['type'];
  readonly text: string;
  /**
   * The text as `prepareText` returned it without bindings; undefined if it is still to be parsed.
   */
  readonly prepared?: PreparedQuery | PreparedUpdate;
  readonly worlds: RequestedWorlds;
  /** Opens the worlds again, for an update that was overtaken; undefined if that is impossible. */
  readonly reopen?: (() => RequestedWorlds | Promise<RequestedWorlds>) | undefined;
  readonly bindings?: ReadonlyMap<string, RDF.Term>;
}

/** Prepares the text of a request, or binds the variables of one that was prepared before. */
export function prepareText(
  catalog: Catalog,
  engine: SparqlEngine,
  { text, prepared, baseIri, bindings }: Pick<QueryWork, 'text' | 'prepared' | 'baseIri' | 'bindings'>,
  signal: AbortSignal | undefined,
): PreparedQuery | PreparedUpdate | Promise<PreparedQuery | PreparedUpdate> {
  if (prepared && !bindings) return prepared;
  if (prepared?.bind) return prepared.bind(bindings!);
  return engine.prepare(text, { baseIri, bindings, limits: catalog.limits, signal });
}

/**
 * Creates the memory budget of a request. The caller must release it when the request has ended.
 */
export function requestMemory(catalog: Catalog, { maxMemoryBytes }: QueryWork): RequestMemory {
  return new RequestBudget(catalog.memoryPool, maxMemoryBytes);
}

/** Creates the terms of a request. Its blank nodes belong to `world`, the target world, if any. */
export function requestOverlay(
  catalog: Catalog,
  dictionary: Dictionary,
  world: number,
  newTerms?: NewTerms,
  memory?: RequestMemory,
): Overlay {
  return new Overlay(dictionary, { world, scope: catalog.newScope }, newTerms, memory);
}

export function evaluateOptions(
  catalog: Catalog,
  work: QueryWork,
  signal: AbortSignal | undefined,
  memory: RequestMemory,
  search?: SearchSource,
): EvaluateOptions {
  const { defaultGraphUris, namedGraphUris, maxRows, canonicalOrder } = work;
  // SPARQL 1.1 Protocol 2.1.4: graphs named in the request replace those of the text; if only one
  // kind is given, the other is empty.
  const dataset =
    defaultGraphUris?.length || namedGraphUris?.length
      ? { defaultGraphs: defaultGraphUris ?? [], namedGraphs: namedGraphUris ?? [] }
      : undefined;
  return { signal, now: new Date(catalog.clock()), dataset, maxRows, memory, search, canonicalOrder };
}
