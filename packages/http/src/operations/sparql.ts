import {
  type PreparedSparql,
  type QueryResult,
  type RunRequest,
  type SparqlProblem,
  WorldsError,
  writeQueryResult,
} from '@rdf-worlds/core';
import { watched } from '@rdf-worlds/core/internal';
import { fromWireValue } from '@rdf-worlds/core/remote';
import type * as RDF from '@rdfjs/types';
import { type Accept, acceptOf } from '../accept.ts';
import type { Call } from '../call.ts';
import { overCollection } from '../collection.ts';
import { longJsonReply } from '../json-chunks.ts';
import { BOOLEAN_TYPES, DESCRIPTION_TYPES, GRAPH_TYPES, SOLUTION_TYPES, SPARQL_JSON } from '../media-type.ts';
import type { NamedWorld } from '../named-world.ts';
import type { RequestRecord } from '../observation/request-record.ts';
import { PROTOCOL_PARAMETERS } from '../query-parameters.ts';
import { emptyReply, jsonReply, type Reply, streamedReply, wholeReply } from '../reply.ts';
import { bodyType, formValue, jsonValue, readBody, sparqlText } from '../request-body.ts';
import { revisionHeader } from '../revisions.ts';
import { parseBody, SparqlPostBody } from '../schemas.ts';
import { changeHeaders } from './change-headers.ts';
import { momentOf, readingPast } from './moment.ts';
import { namespacesOf, requireFewSources, resolveScope, type Scope } from './scope.ts';
import { directRequest, formRequest, queryRequest, type RunOptions, type SparqlRequest } from './sparql-protocol.ts';
import { upToDate } from './up-to-date.ts';
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
      return answer(call, formRequest(call.incoming.query, await formValue(bytes)));
    case 'application/sparql-query':
      return answer(call, directRequest('query', call.incoming.query, await sparqlText(bytes)));
    case 'application/sparql-update':
      return answer(call, directRequest('update', call.incoming.query, await sparqlText(bytes)));
    case undefined:
    case 'application/json': {
      const body = await jsonValue(bytes, mediaType, call.limits);
      requireNoParameters(call.incoming.query);
      requireFewSources(body, call.limits);
      const {
        query = '',
        sources,
        namespace,
        defaultGraphUris,
        namedGraphUris,
        at,
        consistency,
        explain,
        validate,
        bindings,
        ...run
      } = parseBody(SparqlPostBody, body, ['query']);
      const worlds = { sources, namespace, defaultGraphUris, namedGraphUris };
      return answer(call, {
        ...worlds,
        text: query,
        operation: 'any',
        at,
        consistency,
        explain,
        validate,
        run: { ...run, bindings: bindingsOf(bindings) },
      });
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
  const scope = resolveScope(call, request.sources, request.namespace);
  // Permissions are checked before the text is parsed: callers without any cause no work.
  if (request.operation === 'update') call.record.isWrite = true;
  requireOperation(call, request, scope);
  // A write sees the head in any case.
  const ready = request.operation === 'update' ? undefined : upToDate(call, namespacesOf(scope), request.consistency);
  if (ready) await ready;
  if (request.validate) return validate(call, request);
  if (request.explain) return overScope(call, scope, (sources) => explain(call, request, sources));
  // "If no query [...] is provided", the answer is the service description (SPARQL 1.1 Service
  // Description 2).
  if (request.operation !== 'update' && request.text.trim() === '') {
    for (const source of scope.sources ?? []) call.access.require('read', source);
    return overScope(call, scope, (sources) => describeService(call, sources));
  }
  const prepared = await prepare(call, request, scope);
  if (prepared.isUpdate) {
    if (request.at !== undefined) invalid('at: an update changes the present; only queries read the past.');
    return update(call, request, prepared, scope);
  }
  for (const source of scope.sources ?? []) call.access.require('read', source);
  return readingPast(call, scope.sources ?? [{ namespace: scope.namespace, slug: '' }], () =>
    overScope(call, scope, (sources) => query(call, request, prepared, sources), request.at),
  );
}

/**
 * Throws `PERMISSION_DENIED` unless the caller may run some text of the requested operation. The
 * JSON body accepts queries and updates, which differ in the permission that they need; for it, the
 * caller must have one of them on every source.
 */
function requireOperation(call: Call, { operation, explain }: SparqlRequest, { sources }: Scope): void {
  if (sources === undefined) return;
  if (operation === 'update') {
    updateSources(sources, call.access);
    return;
  }
  for (const source of sources) {
    if (operation === 'query' || explain) call.access.require('read', source);
    else call.access.requireAny(source);
  }
}

function overScope(
  call: Call,
  { sources, namespace }: Scope,
  run: (sources: readonly NamedWorld[]) => Promise<Reply>,
  at?: SparqlRequest['at'],
): Promise<Reply> {
  return sources ? run(sources) : overCollection(call, namespace, run, momentOf(call, at, namespace));
}

/**
 * Returns the first error of a text, for editors. Requires no permission on a world, because the
 * error reveals nothing about any.
 */
async function validate(call: Call, request: SparqlRequest): Promise<Reply> {
  const { engine, signal } = call;
  const { form, prefixes, error } = await engine.validate({
    query: request.text,
    baseIri: baseIriOf(call, request),
    signal,
  });
  return jsonReply({ form, prefixes, error: error && problemBody(error) }, 200, { 'cache-control': 'no-store' });
}

function problemBody({ code, message, location, length }: SparqlProblem): object {
  return { code, message, line: location?.line, column: location?.column, length };
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
  const { text, explain } = request;
  const run = runRequest(call, request, sources);
  const baseIri = baseIriOf(call, request);
  const plan = call.engine.explain({ ...run, query: text, baseIri, analyze: explain === 'analyze' });
  return longJsonReply(call, await plan);
}

/**
 * Parses the text, which determines its form. Throws `INVALID_ARGUMENT` for a query sent as an
 * update or vice versa, and for an update that names its dataset while the request does.
 */
async function prepare(call: Call, request: SparqlRequest, { sources = [] }: Scope): Promise<PreparedSparql> {
  const { text, operation, run } = request;
  call.record.query = { text, sources };
  const { signal } = call;
  const prepared = await call.engine.prepare({ query: text, baseIri: baseIriOf(call, request), signal });
  if (run?.form !== undefined) requireForm(run.form, prepared);
  if (operation === 'query' && prepared.isUpdate)
    invalid('This is an update; send it by POST as update= or application/sparql-update.');
  if (operation === 'update' && !prepared.isUpdate)
    invalid('This is not an update; send a query as query= or application/sparql-query.');
  // "It is an error to supply the using-graph-uri or using-named-graph-uri parameters when [...] an
  // operation [...] uses the USING, USING NAMED, or WITH clause" (SPARQL 1.1 Protocol 2.2.3).
  if (prepared.isUpdate && prepared.namesDataset && namesGraphs(request)) {
    invalid(
      'The request names graphs, and the update itself has USING or WITH; specify the dataset in only one place (SPARQL 1.1 Protocol 2.2.3).',
    );
  }
  return prepared;
}

function namesGraphs({ defaultGraphUris = [], namedGraphUris = [] }: SparqlRequest): boolean {
  return defaultGraphUris.length + namedGraphUris.length > 0;
}

function invalid(message: string): never {
  throw new WorldsError('INVALID_ARGUMENT', message);
}

async function update(call: Call, request: SparqlRequest, prepared: PreparedSparql, scope: Scope): Promise<Reply> {
  call.record.isWrite = true;
  return overScope(call, scope, async (worlds) => {
    const sources = updateSources(worlds, call.access);
    // A write-only caller must learn nothing: the success of an update and its duration would
    // reveal which data exists.
    const mayRead = sources.every((source) => call.access.may('read', source));
    const blind = request.run?.blind || !mayRead;
    const target = sources.find(({ write }) => write)!;
    const result = await writeConditionally(call, target, (ifRevision) =>
      prepared.update(Object.assign(runRequest(call, request, sources), { blind, ifRevision })),
    );
    call.record.rows = result.inserted + result.deleted;
    const { namespace } = target;
    const revision = revisionHeader(call, { namespace, revision: result.revision });
    return emptyReply(204, Object.assign(changeHeaders(result, mayRead), revision));
  });
}

async function query(
  call: Call,
  request: SparqlRequest,
  prepared: PreparedSparql,
  sources: readonly NamedWorld[],
): Promise<Reply> {
  if (call.incoming.header('rdf-worlds-if-revision') !== null)
    invalid('ifRevision applies only to updates; a query changes nothing.');
  const accept = acceptOf(call.incoming.header('accept'));
  const result = await prepared.run(runRequest(call, request, sources));
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
  const counted = <Batch extends { readonly length: number }>(batches: AsyncIterable<Batch>) =>
    watched(batches, (batch) => {
      record.rows! += batch?.length ?? 0;
    });
  return result.type === 'quads'
    ? { ...result, batches: counted(result.batches) }
    : { ...result, batches: counted(result.batches) };
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

function runRequest(call: Call, request: SparqlRequest, sources: readonly NamedWorld[]): RunRequest {
  const { text, defaultGraphUris, namedGraphUris, run = {} } = request;
  const { signal, access, limits } = call;
  call.record.query = { text, sources };
  // A revision belongs to one namespace; the engine refuses it for several.
  const [{ namespace } = call] = sources;
  return {
    sources,
    at: momentOf(call, request.at, namespace),
    defaultGraphUris,
    namedGraphUris,
    signal,
    bindings: run.bindings,
    timeoutMs: run.timeoutMs,
    // The limits of the service are the highest that a request may have.
    maxRows: Math.min(limits.maxRows, run.maxRows ?? limits.maxRows),
    maxMemoryBytes: Math.min(limits.maxMemoryBytes, run.maxMemoryBytes ?? limits.maxMemoryBytes),
    canonicalOrder: run.canonicalOrder || access.hides(sources),
  };
}

function baseIriOf(call: Call, { run }: SparqlRequest): string {
  return run?.baseIri ?? call.endpointUrl;
}

/** Throws `INVALID_ARGUMENT` for parameters of the SPARQL Protocol, which a JSON body replaces. */
function requireNoParameters(query: URLSearchParams): void {
  const name = PROTOCOL_PARAMETERS.find((known) => query.has(known));
  if (name !== undefined)
    invalid(`${name}: a request with a JSON body has no such parameter; use a field of the body.`);
}

/** The forms of texts, and their names for messages. */
const FORM_NAMES = {
  select: 'a SELECT',
  ask: 'an ASK',
  construct: 'a CONSTRUCT',
  describe: 'a DESCRIBE',
  update: 'an update',
} as const;

/** Throws `INVALID_ARGUMENT` for a text of another form than the body requires. */
function requireForm(expected: NonNullable<RunOptions['form']>, { form }: PreparedSparql): void {
  if ((form === 'describe' ? 'construct' : form) === expected) return;
  invalid(`${expected}: query: this is ${FORM_NAMES[form]}; nothing was run. Use the matching method, or query.`);
}

/** Returns the terms of `bindings`, an object of terms in SPARQL JSON. */
function bindingsOf(bindings: unknown): ReadonlyMap<string, RDF.Term> | undefined {
  if (bindings === undefined) return undefined;
  if (typeof bindings !== 'object' || bindings === null || Array.isArray(bindings))
    invalid('bindings: expected an object of terms in SPARQL JSON, by variable name.');
  return new Map(
    Object.entries(bindings).map(([name, value]) => [name, fromWireValue(value, `bindings.${name}`)] as const),
  );
}

async function describeService(call: Call, sources: readonly NamedWorld[]): Promise<Reply> {
  const mediaType = acceptOf(call.incoming.header('accept')).choose(DESCRIPTION_TYPES);
  const { endpointUrl } = call;
  const document = await call.engine.serviceDescription({ sources, endpointUrl, contentType: mediaType });
  return wholeReply(document, mediaType, 200, { vary: 'Accept' });
}
