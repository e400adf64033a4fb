import { type QueryResult, WorldsError, writeQueryResult } from '@rdf-worlds/core';
import { Accept } from '../accept.ts';
import type { Call } from '../call.ts';
import { overCollection } from '../collection.ts';
import { BOOLEAN_TYPES, DESCRIPTION_TYPES, GRAPH_TYPES, SOLUTION_TYPES, SPARQL_JSON } from '../media-type.ts';
import type { NamedWorld } from '../named-world.ts';
import type { RequestRecord } from '../observation/request-record.ts';
import { emptyReply, jsonReply, type Reply, streamedReply, wholeReply } from '../reply.ts';
import { bodyType, jsonValue, readBody, utf8 } from '../request-body.ts';
import { parseBody, SparqlPostBody } from '../schemas.ts';
import { type SparqlForm, sparqlForm } from '../sparql-text.ts';
import { changeHeaders } from './change-headers.ts';
import { requireFewSources, resolveScope, type Scope } from './scope.ts';
import { directRequest, formRequest, queryRequest, type SparqlRequest } from './sparql-protocol.ts';
import { updateSources } from './update-sources.ts';
import { writeConditionally } from './write-condition.ts';

/**
 * POST: the interface's JSON body, or one of the forms of the SPARQL 1.1 Protocol (sections 2.1.2,
 * 2.1.3, 2.2.1 and 2.2.2).
 */
export async function postSparql(call: Call): Promise<Reply> {
  const bytes = await readBody(call);
  if (bytes.length === 0) throw new WorldsError('INVALID_ARGUMENT', 'The body is empty; send a query or an update.');
  const mediaType = bodyType(call.incoming);
  switch (mediaType?.type) {
    case 'application/x-www-form-urlencoded':
      return answer(call, formRequest(call.incoming.query, new URLSearchParams(utf8(bytes))));
    case 'application/sparql-query':
      return answer(call, directRequest('query', call.incoming.query, utf8(bytes)));
    case 'application/sparql-update':
      return answer(call, directRequest('update', call.incoming.query, utf8(bytes)));
    case undefined:
    case 'application/json': {
      const body = await jsonValue(bytes, mediaType, call.limits.maxJsonValues);
      requireFewSources(body, call.limits);
      const { query = '', ...rest } = parseBody(SparqlPostBody, body);
      return answer(call, { ...rest, text: query, operation: 'any' });
    }
    default:
      throw new WorldsError(
        'INVALID_ARGUMENT',
        `Content-Type: ${JSON.stringify(mediaType!.type)} is not supported here; send application/json, application/sparql-query, application/sparql-update or application/x-www-form-urlencoded.`,
      );
  }
}

/**
 * GET: the query of the query string (SPARQL 1.1 Protocol 2.1.1), or the service description if
 * there is none (SPARQL 1.1 Service Description 2).
 */
export async function getSparql(call: Call): Promise<Reply> {
  return answer(call, queryRequest(call.incoming.query));
}

async function answer(call: Call, request: SparqlRequest): Promise<Reply> {
  const form = formOf(request);
  const scope = resolveScope(call, request.sources, request.namespace);
  if (form === 'update' && !request.explain) return update(call, request, scope);
  for (const source of scope.sources ?? []) call.access.require('read', source);
  const run = (sources: readonly NamedWorld[]) => {
    if (request.explain) return explain(call, request, sources);
    // Updates have returned above, except for the ones to be explained.
    return form === 'blank' || form === 'update' ? describeService(call, sources) : query(call, request, form, sources);
  };
  return scope.sources ? run(scope.sources) : overCollection(call, scope.namespace, run);
}

/** Returns the plan of a text; changes nothing. */
async function explain(call: Call, request: SparqlRequest, sources: readonly NamedWorld[]): Promise<Reply> {
  // The estimates are counts over the whole namespace (docs/decisions/0012).
  if (call.access.hides(sources)) {
    throw new WorldsError(
      'PERMISSION_DENIED',
      'explain: a plan reveals counts of the whole namespace; only callers that may read all of its worlds can request one.',
    );
  }
  const work = engineRequest(call, request, sources);
  return jsonReply(await call.engine.explain({ ...work, analyze: request.explain === 'analyze' }));
}

/**
 * Returns the form of the text. Throws `INVALID_ARGUMENT` for a query sent as an update or vice
 * versa, which the SPARQL protocol forbids. The field `query` of the JSON body accepts both.
 */
function formOf({ operation, text }: SparqlRequest): SparqlForm {
  const form = sparqlForm(text);
  if (operation === 'query' && form === 'update') {
    throw new WorldsError(
      'INVALID_ARGUMENT',
      'This is an update; send it by POST as update= or application/sparql-update.',
    );
  }
  if (operation !== 'update' || form === 'update') return form;
  // An empty query requests the service description; an empty update does nothing.
  if (form === 'blank') return 'update';
  throw new WorldsError(
    'INVALID_ARGUMENT',
    'This is not an update; send a query as query= or application/sparql-query.',
  );
}

async function update(call: Call, request: SparqlRequest, scope: Scope): Promise<Reply> {
  call.record.isWrite = true;
  const run = async (worlds: readonly NamedWorld[]) => {
    const sources = updateSources(worlds, call.access);
    // A write-only caller must learn nothing: the success of an update and its duration would
    // reveal which data exists.
    const blind = !sources.every((source) => call.access.may('read', source));
    const target = sources.find(({ write }) => write)!;
    const result = await writeConditionally(call, target, (ifRevision) =>
      call.engine.update({ ...engineRequest(call, request, sources), blind, ifRevision }),
    );
    call.record.rows = result.inserted + result.deleted;
    return emptyReply(204, changeHeaders(result, !blind));
  };
  return scope.sources ? run(scope.sources) : overCollection(call, scope.namespace, run);
}

async function query(
  call: Call,
  request: SparqlRequest,
  form: 'select' | 'ask' | 'construct',
  sources: readonly NamedWorld[],
): Promise<Reply> {
  const accept = new Accept(call.incoming.header('accept'));
  const result = await evaluate(call, form, engineRequest(call, request, sources));
  const mediaType = resultType(result, accept, request.operation === 'any');
  const chunks = writeQueryResult(countedRows(call.record, result), mediaType, {
    signal: call.signal,
    maxMemoryBytes: call.limits.maxMemoryBytes,
    memoryPool: call.engine.memoryPool,
  });
  return streamedReply(call, mediaType, chunks, { vary: 'Accept' });
}

/** Returns the result, counting the rows as they are consumed. */
function countedRows(record: RequestRecord, result: QueryResult): QueryResult {
  if (result.type !== 'bindings' && result.type !== 'quads') return result;
  record.rows = 0;
  const counted = async function* <Batch extends { readonly length: number }>(batches: AsyncIterable<Batch>) {
    for await (const batch of batches) {
      record.rows! += batch.length;
      yield batch;
    }
  };
  return result.type === 'quads'
    ? { ...result, batches: counted(result.batches) }
    : { ...result, batches: counted(result.batches) };
}

/**
 * Runs the method for the given form. If the text turns out to have another form, that method
 * refuses it, so nothing runs that needs another permission.
 */
async function evaluate(
  { engine }: Call,
  form: 'select' | 'ask' | 'construct',
  request: Parameters<Call['engine']['select']>[0],
): Promise<QueryResult> {
  switch (form) {
    case 'select': {
      const { variables, batches } = await engine.select(request);
      return { type: 'bindings', variables, batches };
    }
    case 'ask':
      return { type: 'boolean', value: await engine.ask(request) };
    case 'construct': {
      const { batches, prefixes } = await engine.construct(request);
      return { type: 'quads', batches, prefixes };
    }
  }
}

function resultType(result: QueryResult, accept: Accept, isInterface: boolean): string {
  if (result.type === 'bindings') return accept.choose(SOLUTION_TYPES);
  if (result.type === 'boolean') return accept.choose(BOOLEAN_TYPES);
  const rdf = accept.choose(GRAPH_TYPES);
  if (!isInterface) return rdf;
  // Triples are returned as JSON (`results.quads`) unless the Accept header prefers RDF.
  const json = Math.max(accept.quality(SPARQL_JSON), accept.quality('application/json'));
  return accept.quality(rdf) > json ? rdf : SPARQL_JSON;
}

function engineRequest(call: Call, request: SparqlRequest, sources: readonly NamedWorld[]) {
  const { text, defaultGraphUris, namedGraphUris } = request;
  const { maxRows, maxMemoryBytes } = call.limits;
  const { signal, endpointUrl: baseIri, access } = call;
  call.record.query = { text, sources };
  return {
    query: text,
    sources,
    defaultGraphUris,
    namedGraphUris,
    baseIri,
    signal,
    maxRows,
    maxMemoryBytes,
    canonicalOrder: access.hides(sources),
  };
}

async function describeService(call: Call, sources: readonly NamedWorld[]): Promise<Reply> {
  const mediaType = new Accept(call.incoming.header('accept')).choose(DESCRIPTION_TYPES);
  const { endpointUrl } = call;
  const document = await call.engine.serviceDescription({ sources, endpointUrl, contentType: mediaType });
  return wholeReply(document, mediaType, 200, { vary: 'Accept' });
}
