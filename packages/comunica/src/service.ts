import { dataFactory, WorldsError } from '@rdf-worlds/core';
import type * as RDF from '@rdfjs/types';
import {
  type Expression,
  mapExpression,
  mapOperation,
  type Operation,
  project,
  type Service,
  scope,
  values,
  valuesRow,
} from './algebra.ts';
import { abortError } from './pacer.ts';
import { isSearchService, readSearchService } from './search-service.ts';
import type { Toolbox } from './toolbox.ts';

export interface ServiceOptions {
  /** The endpoints that SERVICE may query, compared with the resolved IRI in the text. */
  readonly allowedEndpoints: ReadonlySet<string>;
  readonly fetch: typeof fetch;
}

/**
 * One empty solution: the result of a SERVICE SILENT that cannot be queried (SPARQL 1.1 Federated
 * Query section 2.4).
 */
const UNIT = values([], [valuesRow([])]);

type MapService = (service: Service) => Operation;

function mapServices(operation: Operation, map: MapService): Operation {
  const each = (op: Operation): Operation =>
    op.type === 'service' ? map(op) : mapOperation(op, each, (part) => expression(part));
  const expression = (part: Expression): Expression => mapExpression(part, expression, each);
  return each(operation);
}

/**
 * Refuses every SERVICE whose endpoint is not allowed: throws UNSUPPORTED, or substitutes the empty
 * solution for SILENT. The search of the same worlds is always allowed; a pattern that is not a
 * search is INVALID_SPARQL.
 */
export function checkServices(operation: Operation, allowedEndpoints: ReadonlySet<string>): Operation {
  return mapServices(operation, (service) => {
    const { name, silent } = service;
    if (isSearchService(service)) {
      if (!silent) readSearchService(service);
      return { ...service, input: checkServices(service.input, allowedEndpoints) };
    }
    if (name.termType === 'NamedNode' && allowedEndpoints.has(name.value)) return service;
    if (silent) return UNIT;
    const endpoint = name.termType === 'NamedNode' ? `<${name.value}>` : `a ${name.termType}`;
    throw new WorldsError(
      'UNSUPPORTED',
      `SERVICE ${endpoint} is refused: list the IRI of the endpoint in allowedEndpoints, or write SERVICE SILENT.`,
    );
  });
}

interface JsonTerm {
  readonly type?: unknown;
  readonly value?: unknown;
  readonly datatype?: unknown;
  readonly 'xml:lang'?: unknown;
}

/**
 * Parses a value of the SPARQL 1.1 Query Results JSON Format. Blank nodes get labels specific to
 * the response.
 */
function parseTerm(json: JsonTerm, blankNode: (label: string) => RDF.BlankNode): RDF.Term {
  const { type, value, datatype } = json;
  if (type === 'triple' && typeof value === 'object' && value !== null) {
    const { subject, predicate, object } = value as Record<string, JsonTerm>;
    return dataFactory.quad(
      parseTerm(subject, blankNode) as RDF.Quad_Subject,
      parseTerm(predicate, blankNode) as RDF.Quad_Predicate,
      parseTerm(object, blankNode) as RDF.Quad_Object,
    );
  }
  if (typeof value !== 'string') throw new Error('a value is not a string');
  if (type === 'uri') return dataFactory.namedNode(value);
  if (type === 'bnode') return blankNode(value);
  if (type !== 'literal' && type !== 'typed-literal') throw new Error(`a value has the unknown type ${String(type)}`);
  if (typeof json['xml:lang'] === 'string') return dataFactory.literal(value, json['xml:lang']);
  return dataFactory.literal(value, typeof datatype === 'string' ? dataFactory.namedNode(datatype) : undefined);
}

function parseResults(body: unknown, variables: readonly RDF.Variable[], responseId: number) {
  const rows = (body as { results?: { bindings?: unknown } } | null)?.results?.bindings;
  if (!Array.isArray(rows)) throw new Error('the response has no results.bindings');
  const blankNode = (label: string) => dataFactory.blankNode(`service${responseId}_${label}`);
  return rows.map((row: unknown) => {
    const cells = new Map(Object.entries(row as Record<string, JsonTerm>));
    return valuesRow(
      variables.flatMap(({ value }): [string, RDF.Term][] => {
        const cell = cells.get(value);
        return cell ? [[value, parseTerm(cell, blankNode)]] : [];
      }),
    );
  });
}

function queryText({ algebra, generator }: Toolbox, { input }: Service, variables: readonly RDF.Variable[]): string {
  const query = algebra.toAst(project(input, variables) as unknown as Parameters<typeof algebra.toAst>[0]);
  return new generator.Generator().generate(
    query as Parameters<InstanceType<typeof generator.Generator>['generate']>[0],
  );
}

async function ask(
  toolbox: Toolbox,
  service: Service,
  { fetch }: ServiceOptions,
  signal: AbortSignal | undefined,
  responseId: number,
): Promise<Operation> {
  const variables = [...scope(service.input)].map((name) => dataFactory.variable(name));
  try {
    const response = await fetch(service.name.value, {
      method: 'POST',
      headers: { 'content-type': 'application/sparql-query', accept: 'application/sparql-results+json' },
      body: queryText(toolbox, service, variables),
      // A redirect could lead to an endpoint that is not allowed.
      redirect: 'error',
      signal,
    });
    if (!response.ok) throw new Error(`it responded with status ${response.status}`);
    return values(variables, parseResults(await response.json(), variables, responseId));
  } catch (error) {
    if (signal?.aborted) throw abortError(signal);
    if (service.silent) return UNIT;
    const reason = error instanceof Error ? error.message : String(error);
    throw new WorldsError('UNSUPPORTED', `SERVICE <${service.name.value}> failed: ${reason}.`, { cause: error });
  }
}

/**
 * Queries every SERVICE once, for all of its solutions, and replaces it by the response (SPARQL 1.1
 * Federated Query section 2.4: its pattern is evaluated at the endpoint on its own, then joined).
 */
export async function withServices(
  toolbox: Toolbox,
  operation: Operation,
  options: ServiceOptions,
  signal: AbortSignal | undefined,
): Promise<Operation> {
  const services: Service[] = [];
  mapServices(operation, (service) => {
    services.push(service);
    return service;
  });
  if (services.length === 0) return operation;
  const answers = await Promise.all(services.map((service, index) => ask(toolbox, service, options, signal, index)));
  const bySource = new Map(services.map((service, index) => [service, answers[index]]));
  return mapServices(operation, (service) => bySource.get(service)!);
}
