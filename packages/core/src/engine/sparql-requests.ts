import type { PreparedQuery, PreparedUpdate, SparqlEngine } from '../contracts/sparql-engine.ts';
import { variablesIn } from './bound-variables.ts';
import type { Catalog } from './catalog.ts';
import type { RunRequest, SparqlRequest } from './engine-requests.ts';
import type { QueryResult } from './query-results.ts';
import { queryText } from './query-text.ts';
import { queryWorlds } from './query-worlds.ts';
import type * as z from './request-schema.ts';
import type { RequestedWorlds } from './requested-worlds.ts';
import * as requests from './requests.ts';
import { SIMPLE_RUN, SIMPLE_SPARQL } from './simple-requests.ts';
import type { ResultOf } from './sparql-methods.ts';
import { toBindings } from './term-value.ts';
import { upToDate } from './up-to-date.ts';

type CheckedRequest = Omit<z.Output<typeof requests.sparqlRequest>, 'query' | 'baseIri'>;

/** The text of a request; what it was prepared as, if it was prepared before. */
export interface RequestText {
  readonly text: string;
  readonly baseIri: string | undefined;
  readonly prepared?: PreparedQuery | PreparedUpdate;
}

/** Runs the queries and updates of an engine: checks each request, opens its worlds, evaluates. */
export class SparqlRequests {
  private readonly catalog: Catalog;
  private readonly engine: SparqlEngine;

  constructor(catalog: Catalog, engine: SparqlEngine) {
    this.catalog = catalog;
    this.engine = engine;
  }

  /** Runs a request as {@link RunSparql} says. */
  run<Type extends QueryResult['type'] = QueryResult['type']>(
    operation: string,
    request: SparqlRequest,
    expected?: Type,
  ): ResultOf<Type> | Promise<ResultOf<Type>> {
    this.catalog.requireOpen();
    const checked = requests.validate(operation, requests.sparqlRequest, request, SIMPLE_SPARQL);
    return this.runText(operation, { text: queryText(checked.query), baseIri: checked.baseIri }, checked, expected);
  }

  /** Runs a prepared text as {@link RunSparql} says. */
  runPrepared<Type extends QueryResult['type'] = QueryResult['type']>(
    operation: string,
    text: RequestText,
    request: RunRequest,
    expected?: Type,
  ): ResultOf<Type> | Promise<ResultOf<Type>> {
    this.catalog.requireOpen();
    const checked = SIMPLE_RUN.includes(request)
      ? (request as CheckedRequest)
      : requests.validate(operation, requests.sparqlRequest, { ...request, query: text.text });
    return this.runText(operation, text, checked, expected);
  }

  private runText<Type extends QueryResult['type']>(
    operation: string,
    text: RequestText,
    checked: CheckedRequest,
    expected: Type | undefined,
  ): ResultOf<Type> | Promise<ResultOf<Type>> {
    const ready = checked.consistency && upToDate(this.catalog, checked, checked.sources, checked.namespace);
    const requested = ready ? ready.then(() => this.requested(checked)) : this.requested(checked);
    const result =
      requested instanceof Promise
        ? requested.then((worlds) => this.runOver(worlds, operation, text, checked, expected))
        : this.runOver(requested, operation, text, checked, expected);
    return result as ResultOf<Type> | Promise<ResultOf<Type>>;
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
    { text, baseIri, prepared }: RequestText,
    checked: CheckedRequest,
    expected: QueryResult['type'] | undefined,
  ): QueryResult | Promise<QueryResult> {
    // Copied field by field, because this runs for every query and object rest is slow.
    return queryWorlds(this.catalog, this.engine, {
      operation,
      expected,
      text,
      prepared,
      worlds,
      reopen: this.catalog.canBeOvertaken
        ? () => this.catalog.sources.requested(checked.sources, checked.namespace)
        : undefined,
      bindings: variablesIn(text, toBindings(checked.bindings), operation),
      defaultGraphUris: checked.defaultGraphUris,
      namedGraphUris: checked.namedGraphUris,
      baseIri,
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
