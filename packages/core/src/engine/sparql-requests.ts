import type { PreparedQuery, PreparedUpdate, SparqlEngine } from '../contracts/sparql-engine.ts';
import { variablesIn } from './bound-variables.ts';
import type { Catalog } from './catalog.ts';
import type { SparqlRequest } from './engine-requests.ts';
import type { QueryResult } from './query-results.ts';
import { queryText } from './query-text.ts';
import { queryWorlds } from './query-worlds.ts';
import type * as z from './request-schema.ts';
import type { RequestedWorlds } from './requested-worlds.ts';
import * as requests from './requests.ts';
import type { ResultOf } from './sparql-methods.ts';
import { toBindings } from './term-value.ts';
import { upToDate } from './up-to-date.ts';

type CheckedRequest = z.Output<typeof requests.sparqlRequest>;

/** Runs the queries and updates of an engine: checks each request, opens its worlds, evaluates. */
export class SparqlRequests {
  private readonly catalog: Catalog;
  private readonly engine: SparqlEngine;

  constructor(catalog: Catalog, engine: SparqlEngine) {
    this.catalog = catalog;
    this.engine = engine;
  }

  /**
   * Runs a request as {@link RunSparql} says.
   *
   * @param prepared what the text of the request was prepared as before; undefined to prepare it
   */
  run<Type extends QueryResult['type'] = QueryResult['type']>(
    operation: string,
    request: SparqlRequest,
    expected?: Type,
    prepared?: PreparedQuery | PreparedUpdate,
  ): ResultOf<Type> | Promise<ResultOf<Type>> {
    const checked = this.checked(operation, request);
    const ready = checked.consistency && upToDate(this.catalog, checked, checked.sources, checked.namespace);
    const requested = ready ? ready.then(() => this.requested(checked)) : this.requested(checked);
    const result =
      requested instanceof Promise
        ? requested.then((worlds) => this.runOver(worlds, operation, checked, expected, prepared))
        : this.runOver(requested, operation, checked, expected, prepared);
    return result as ResultOf<Type> | Promise<ResultOf<Type>>;
  }

  private checked(operation: string, request: unknown): CheckedRequest {
    this.catalog.requireOpen();
    if (requests.isSimpleSparqlRequest(request)) return request;
    return requests.validate(operation, requests.sparqlRequest, request);
  }

  /** Returns the worlds of a request, now or as of `at`. */
  requested({
    sources,
    namespace,
    at,
    signal,
  }: Pick<CheckedRequest, 'sources' | 'namespace' | 'at' | 'signal'>): RequestedWorlds | Promise<RequestedWorlds> {
    return at === undefined
      ? this.catalog.sources.requested(sources, namespace)
      : this.catalog.sources.requestedAt(sources, namespace, at, signal);
  }

  private runOver(
    worlds: RequestedWorlds,
    operation: string,
    checked: CheckedRequest,
    expected: QueryResult['type'] | undefined,
    prepared: PreparedQuery | PreparedUpdate | undefined,
  ): QueryResult | Promise<QueryResult> {
    // Copied field by field, because this runs for every query and object rest is slow.
    return queryWorlds(this.catalog, this.engine, {
      operation,
      expected,
      text: queryText(checked.query),
      prepared,
      worlds,
      reopen: this.catalog.canBeOvertaken
        ? () => this.catalog.sources.requested(checked.sources, checked.namespace)
        : undefined,
      bindings: variablesIn(queryText(checked.query), toBindings(checked.bindings), operation),
      defaultGraphUris: checked.defaultGraphUris,
      namedGraphUris: checked.namedGraphUris,
      baseIri: checked.baseIri,
      signal: checked.signal,
      timeoutMs: checked.timeoutMs,
      maxRows: checked.maxRows,
      maxMemoryBytes: checked.maxMemoryBytes,
      ifRevision: checked.ifRevision,
      canonicalOrder: checked.canonicalOrder,
      blind: checked.blind,
      at: checked.at,
    });
  }
}
