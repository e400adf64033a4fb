import { type Consistency, type WorldSource, WorldsError } from '@rdf-worlds/core';
import { isAbsoluteIri } from '@rdf-worlds/core/internal';
import type * as RDF from '@rdfjs/types';
import { PROTOCOL_PARAMETERS, requireSpelling } from '../query-parameters.ts';
import { consistencyOf } from './consistency.ts';

/** A request to a SPARQL endpoint, independent of how it was sent. */
export interface SparqlRequest {
  readonly text: string;
  /** The operations that the encoding allows. Only the JSON body of this API allows both. */
  readonly operation: 'query' | 'update' | 'any';
  readonly sources?: readonly WorldSource[];
  readonly namespace?: string;
  readonly defaultGraphUris?: readonly string[];
  readonly namedGraphUris?: readonly string[];
  /** Returns the plan instead of the result. Only the JSON body can ask for it. */
  readonly explain?: 'plan' | 'analyze';
  /** Returns the first error of the text, and runs nothing. Only the JSON body can ask for it. */
  readonly validate?: boolean;
  /** The past to read, as sent. In the forms of the SPARQL 1.1 Protocol, it is an extension. */
  readonly at?: string | number;
  /** How recent the state must be. In the forms of the SPARQL 1.1 Protocol, it is an extension. */
  readonly consistency?: Consistency;
  /** Options of the run, which only the JSON body has. */
  readonly run?: RunOptions;
}

/** The members of the JSON body for a single run. */
export interface RunOptions {
  /** Form that the text must have; `construct` includes DESCRIBE. */
  readonly form?: 'select' | 'ask' | 'construct' | 'update';
  /** Terms by variable name. */
  readonly bindings?: ReadonlyMap<string, RDF.Term>;
  readonly baseIri?: string;
  readonly timeoutMs?: number;
  readonly maxRows?: number;
  readonly maxMemoryBytes?: number;
  readonly canonicalOrder?: boolean;
  readonly blind?: boolean;
}

type Operation = 'query' | 'update';

/** The dataset parameters of each operation (SPARQL 1.1 Protocol 2.1.4 and 2.2.3). */
const DATASET = {
  query: { defaultGraphs: 'default-graph-uri', namedGraphs: 'named-graph-uri' },
  update: { defaultGraphs: 'using-graph-uri', namedGraphs: 'using-named-graph-uri' },
} as const;

/**
 * Parses a query by GET (2.1.1). Without a query it asks for the service description. Throws
 * `INVALID_ARGUMENT` for an update, which GET does not support.
 */
export function queryRequest(query: URLSearchParams): SparqlRequest {
  if (query.has('update')) invalid('update: updates must be sent by POST.');
  return request('query', [query], single(query.getAll('query'), 'query') ?? '');
}

/**
 * Parses a query or update by POST with URL-encoded parameters (2.1.2 and 2.2.1). Parameters may
 * also be in the query string.
 */
export function formRequest(query: URLSearchParams, form: URLSearchParams): SparqlRequest {
  requireSpelling(PROTOCOL_PARAMETERS, form);
  const queries = [...form.getAll('query'), ...query.getAll('query')];
  const updates = [...form.getAll('update'), ...query.getAll('update')];
  if (queries.length > 0 && updates.length > 0) invalid('query, update: send only one of them.');
  const operation = updates.length > 0 ? 'update' : 'query';
  const text = single(operation === 'update' ? updates : queries, operation);
  if (text === undefined) invalid('query: it is missing; send query= or update=.');
  return request(operation, [form, query], text);
}

/**
 * Parses a query or update by direct POST (2.1.3 and 2.2.2): the text is the body, the other
 * parameters are in the query string.
 */
export function directRequest(operation: Operation, query: URLSearchParams, text: string): SparqlRequest {
  if (query.has('query') || query.has('update'))
    invalid('query, update: the body contains the text; omit them from the URL.');
  return request(operation, [query], text);
}

function request(operation: Operation, parameters: readonly URLSearchParams[], text: string): SparqlRequest {
  const graphs = (name: string) => {
    const all = parameters.flatMap((some) => some.getAll(name));
    for (const iri of all)
      if (!isAbsoluteIri(iri)) invalid(`${name}: expected an absolute IRI, found ${JSON.stringify(iri)}.`);
    return all.length > 0 ? all : undefined;
  };
  const { defaultGraphs, namedGraphs } = DATASET[operation];
  const other = DATASET[operation === 'query' ? 'update' : 'query'];
  for (const name of Object.values(other)) {
    if (parameters.some((some) => some.has(name)))
      invalid(`${name}: it is not a parameter of ${operation === 'query' ? 'a query' : 'an update'}.`);
  }
  const defaultGraphUris = graphs(defaultGraphs);
  const namedGraphUris = graphs(namedGraphs);
  const at = single(
    parameters.flatMap((some) => some.getAll('at')),
    'at',
  );
  const consistency = consistencyOf(parameters.flatMap((some) => some.getAll('consistency')));
  return { text, operation, defaultGraphUris, namedGraphUris, at, consistency };
}

function single(values: readonly string[], name: string): string | undefined {
  if (values.length > 1) invalid(`${name}: it is given ${values.length} times; send it once.`);
  return values[0];
}

function invalid(message: string): never {
  throw new WorldsError('INVALID_ARGUMENT', message);
}
