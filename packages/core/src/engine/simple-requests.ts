import { isAbortSignal } from '../model/any-realm.ts';
import { isAbsoluteIri } from '../model/iri.ts';
import { getWorldRequest, prepareRequest, searchRequest, sparqlRequest } from './requests.ts';

/**
 * Tells which requests their schema would return unchanged, by a few checks. Most requests are
 * simple in this sense, and running a large schema takes as long as evaluating a short query.
 */
export class SimpleRequests {
  private readonly required: readonly string[];
  /** By field of the schema. The other fields are simple if they are undefined. */
  private readonly checks: ReadonlyMap<string, IsSimple>;

  constructor(schema: { readonly fields: object }, required: readonly SimpleField[], optional: readonly SimpleField[]) {
    this.required = required;
    this.checks = new Map([
      ...Object.keys(schema.fields).map((field) => [field, isNever] as const),
      ...[...required, ...optional].map((field) => [field, FIELDS[field]] as const),
    ]);
  }

  /** Reads what the request inherits too, as the schemas do. */
  includes(request: unknown): boolean {
    if (typeof request !== 'object' || request === null) return false;
    for (const field of this.required) if (!(field in request)) return false;
    for (const field in request) {
      const check = this.checks.get(field);
      if (check === undefined) return false;
      const value = (request as Readonly<Record<string, unknown>>)[field];
      // Callers may pass through options that are undefined.
      if (value === undefined && !this.required.includes(field)) continue;
      if (!check(value)) return false;
    }
    return true;
  }
}

type IsSimple = (value: unknown) => boolean;
type SimpleField = keyof typeof FIELDS;

const isNever: IsSimple = () => false;
const isText: IsSimple = (value) => typeof value === 'string';
const isFlag: IsSimple = (value) => typeof value === 'boolean';
const isAmount: IsSimple = (value) => Number.isFinite(value) && (value as number) >= 0;
const isCount: IsSimple = (value) => Number.isSafeInteger(value) && (value as number) >= 0;

/** The simple values of each field. */
const FIELDS = {
  query: isText,
  source: isSimpleSource,
  sources: (value) => Array.isArray(value) && areSimpleSources(value),
  namespace: isText,
  baseIri: (value) => typeof value === 'string' && isAbsoluteIri(value),
  signal: isAbortSignal,
  bindings: (value) => typeof value === 'object' && value !== null,
  timeoutMs: isAmount,
  maxMemoryBytes: isAmount,
  maxRows: isCount,
  ifRevision: isCount,
  limit: (value) => isCount(value) && (value as number) > 0,
  canonicalOrder: isFlag,
  blind: isFlag,
} as const satisfies Record<string, IsSimple>;

/** Not with `every`, which passes over holes. */
function areSimpleSources(sources: readonly unknown[]): boolean {
  for (let i = 0; i < sources.length; i++) if (!isSimpleSource(sources[i])) return false;
  return true;
}

function isSimpleSource(source: unknown): boolean {
  if (typeof source === 'string') return true;
  if (typeof source !== 'object' || source === null || Array.isArray(source) || !('slug' in source)) return false;
  for (const field in source) {
    const type = SOURCE_TYPES.get(field);
    const value = (source as Readonly<Record<string, unknown>>)[field];
    // The service passes its sources with flags that are undefined.
    if (type === undefined || (typeof value !== type && (value !== undefined || field === 'slug'))) return false;
  }
  return true;
}

/** The types of the fields of a simple source. */
const SOURCE_TYPES: ReadonlyMap<string, string> = new Map([
  ['slug', 'string'],
  ['namespace', 'string'],
  ['write', 'boolean'],
  ['schema', 'boolean'],
]);

const RUN_FIELDS = [
  'sources',
  'namespace',
  'bindings',
  'signal',
  'timeoutMs',
  'maxRows',
  'maxMemoryBytes',
  'canonicalOrder',
  'blind',
  'ifRevision',
] as const;

export const SIMPLE_SPARQL = new SimpleRequests(sparqlRequest, ['query'], [...RUN_FIELDS, 'baseIri']);
/** Requests to run a prepared text. */
export const SIMPLE_RUN = new SimpleRequests(sparqlRequest, [], RUN_FIELDS);
export const SIMPLE_PREPARE = new SimpleRequests(prepareRequest, ['query'], ['baseIri', 'signal']);
export const SIMPLE_SEARCH = new SimpleRequests(searchRequest, ['query'], ['sources', 'namespace', 'limit', 'signal']);
export const SIMPLE_GET_WORLD = new SimpleRequests(getWorldRequest, ['source'], []);
