import type * as RDF from '@rdfjs/types';
import { CANONICAL_HASHES } from '../canonical/canonical-work.ts';
import { RDF_DIRECTIONS } from '../formats/rdf-direction.ts';
import { isAbortSignal, isDate, tagOf } from '../model/any-realm.ts';
import { isAbsoluteIri } from '../model/iri.ts';
import { unknownFieldText } from '../model/known-fields.ts';
import { isObject, kindOf } from '../model/passed-value.ts';
import { WorldsError } from '../model/worlds-error.ts';
import { SEARCH_SETTINGS, type SearchSetting } from '../search/search-settings.ts';
import type { CheckProgress, EntityRequest, SalvageRequest } from './engine-requests.ts';
import { isEntityName } from './entity.ts';
import { type GraphName, isGraphName } from './graph-name.ts';
import type { ImportProgress } from './read-documents.ts';
import { exampleCall } from './request-examples.ts';
import * as z from './request-schema.ts';
import { isSparqlText } from './sparql-text.ts';
import type { World } from './world.ts';

/** Schemas of all requests. Arguments of callers are validated only here. */

/**
 * Returns a schema for an object with exactly these fields. Unknown fields are rejected, because a
 * misspelled field would otherwise be ignored silently.
 */
function object<Fields extends Parameters<typeof z.strictObject>[0]>(fields: Fields) {
  const known = Object.keys(fields);
  return z.strictObject(fields, (key) => unknownFieldText(key, known));
}

const flags = { write: z.boolean().optional(), schema: z.boolean().optional() };

const ofRecord = {
  label: z.unknown().optional(),
  description: z.unknown().optional(),
  createdAt: z.unknown().optional(),
  updatedAt: z.unknown().optional(),
  deletedAt: z.unknown().optional(),
  revision: z.unknown().optional(),
} satisfies { [Field in Exclude<keyof World, 'slug' | 'namespace'>]-?: unknown };

export const worldSource = z.union(
  [
    z.string(),
    object({ name: z.string(), ...flags }),
    // A World returned by another call may be passed as a source.
    object({ slug: z.string(), namespace: z.string().optional(), ...flags, ...ofRecord }),
  ],
  { error: 'expected a world: "namespace/slug", { name: "namespace/slug" } or { slug, namespace? }' },
);

const absoluteIri = z.string().refine(isAbsoluteIri, { error: 'expected an absolute IRI' });
const signal = z.custom<AbortSignal>((value) => isAbortSignal(value), { error: 'expected an AbortSignal' }).optional();
const ifRevision = z.int().min(0).optional();
const term = z.custom<RDF.Term>((value) => typeof (value as RDF.Term | null)?.termType === 'string', {
  error: 'expected an RDF/JS term',
});
const graph = z.custom<GraphName>(isGraphName, {
  error: 'expected the absolute IRI of a graph, or its term: a named node, a blank node, the default graph',
});
const present = z.custom<unknown>((value) => value !== undefined && value !== null, { error: 'is missing' });
const progressOf = <Progress>() =>
  z
    .custom<(progress: Progress) => void>((value) => typeof value === 'function', { error: 'expected a function' })
    .optional();

const moment = z.union(
  [
    z.int().min(0),
    z.custom<Date>((value) => isDate(value) && !Number.isNaN(value.getTime()), { error: 'expected a date' }),
  ],
  {
    error: 'expected a revision (an integer of 0 or more) or a valid Date',
  },
);
const at = moment.optional();

const target = { source: worldSource };
const readTarget = { source: worldSource, at };
const consistency = z.oneOf(['bounded', 'latest']).optional();
const scope = { sources: z.array(worldSource).optional(), namespace: z.string().optional() };

export const createWorldRequest = object({
  slug: z.string(),
  namespace: z.string().optional(),
  label: z.string().optional(),
  description: z.string().nullable().optional(),
  ifExists: z.oneOf(['error', 'return']).optional(),
});

export const sourceRequest = object(target);
export const readRequest = object(readTarget);
export const getWorldRequest = object({ ...readTarget, consistency });
export const getNamespaceRequest = object({ namespace: z.string().optional() }).optional();
export const namespaceRequest = object({ namespace: z.string() });
export const worldsRequest = object({ namespace: z.string().optional(), at }).optional();
export const optionalNamespaceRequest = object({ namespace: z.string().optional() }).optional();
export const compactRequest = object({
  namespace: z.string().optional(),
  forgetChanges: z.boolean().optional(),
  forgetHistory: z.boolean().optional(),
  signal,
  onProgress: progressOf<CheckProgress>(),
}).optional();
export const backupOptions = object({ since: z.string().optional(), signal }).optional();
export const salvageRequest = object({
  namespace: z.string().optional(),
  repair: z.boolean().optional(),
  output: z
    .custom<NonNullable<SalvageRequest['output']>>(
      (value) =>
        typeof value === 'function' ||
        tagOf(value) === 'WritableStream' ||
        typeof (value as NodeJS.WritableStream | null)?.write === 'function',
      { error: 'expected a writable stream, or a function that returns one for a world' },
    )
    .optional(),
  signal,
}).optional();
export const flushRequest = object({ namespace: z.string().optional(), signal }).optional();
export const checkRequest = object({
  namespace: z.string().optional(),
  signal,
  onProgress: progressOf<CheckProgress>(),
}).optional();

export const listWorldsRequest = object({
  namespace: z.string().optional(),
  page: z.int().optional(),
  pageSize: z.int().optional(),
  at,
  consistency,
}).optional();

export const updateWorldRequest = object({
  ...target,
  label: z.string().optional(),
  description: z.string().nullable().optional(),
  ifRevision,
});

export const deleteWorldRequest = object({ ...target, ifRevision });

const document = {
  data: present,
  contentType: z.string().optional(),
  baseIri: absoluteIri.optional(),
  context: z.unknown().optional(),
  rdfDirection: z.oneOf(RDF_DIRECTIONS).optional(),
  decompress: z.boolean().optional(),
};
const importFields = {
  ...target,
  graph: graph.optional(),
  mode: z.oneOf(['merge', 'replace']).optional(),
  ifRevision,
  signal,
  onProgress: progressOf<ImportProgress>(),
};

export const importOptions = object(importFields);
export const importRequest = object({ ...importFields, ...document });
export const importAllRequest = object({ ...importFields, documents: z.array(object(document)) });

export const graphRequest = object({ ...readTarget, graph });
export const deleteGraphRequest = object({ ...target, graph, ifRevision, signal });

export const writeRequest = object({
  ...target,
  insert: present.optional(),
  delete: present.optional(),
  ifRevision,
  signal,
});

export const changesRequest = object({
  namespace: z.string().optional(),
  after: z.int().min(0).optional(),
  signal,
}).optional();

export const catchUpRequest = object({
  namespace: z.string().optional(),
  revision: z.int().min(0).optional(),
  signal,
}).optional();

export const commitStatusRequest = object({ namespace: z.string().optional(), commit: z.string() });

const framing = object({
  embed: z.union([z.oneOf(['@always', '@once', '@never']), z.boolean()]).optional(),
  explicit: z.boolean().optional(),
  requireAll: z.boolean().optional(),
  omitDefault: z.boolean().optional(),
  omitGraph: z.boolean().optional(),
  pruneBlankNodeIdentifiers: z.boolean().optional(),
});

export const exportRequest = object({
  ...readTarget,
  consistency,
  contentType: z.string().optional(),
  graph: graph.optional(),
  prefixes: z.record(z.string()).optional(),
  rdfDirection: z.oneOf(RDF_DIRECTIONS).optional(),
  context: z.unknown().optional(),
  frame: z.unknown().optional(),
  framing: framing.optional(),
  canonicalOrder: z.boolean().optional(),
  signal,
});

const graphOfWorld = { ...readTarget, graph: graph.optional() };
const bounds = { signal, timeoutMs: z.number().min(0).optional(), maxMemoryBytes: z.number().min(0).optional() };

export const canonicalizeRequest = object({
  ...graphOfWorld,
  algorithm: z.oneOf(CANONICAL_HASHES).optional(),
  ...bounds,
});
export const isomorphicRequest = object({ ...graphOfWorld, to: object(graphOfWorld), ...bounds });

export const quadsRequest = object({
  ...readTarget,
  consistency,
  subject: term.nullish(),
  predicate: term.nullish(),
  object: term.nullish(),
  graph: term.nullish(),
  signal,
});

export const forkRequest = object({
  ...readTarget,
  slug: z.string(),
  label: z.string().optional(),
  description: z.string().nullable().optional(),
  signal,
});

export const diffRequest = object({
  ...target,
  from: at,
  to: z
    .union([object(readTarget), moment], {
      error: 'expected a revision, a valid Date, or another world: { source, at? }',
    })
    .optional(),
  maxMemoryBytes: z.number().min(0).optional(),
  signal,
});

const strings = z.record(z.string()).optional();
export const entityRequest = object({
  ...readTarget,
  consistency,
  entity: z.custom<EntityRequest['entity']>(isEntityName, {
    error: 'expected the absolute IRI of an entity, a blank node label (_:label), or the term of either',
  }),
  prefixes: strings,
  context: strings,
  graph: graph.optional(),
  signal,
});

const queryFields = {
  query: z.union(
    [z.string(), z.custom<{ toString(): string }>((value) => isSparqlText(value), { error: 'expected a string' })],
    { error: 'expected a string' },
  ),
  ...scope,
  defaultGraphUris: z.array(absoluteIri).optional(),
  namedGraphUris: z.array(absoluteIri).optional(),
  // A Map or an object, read by `bindings.ts`. z.record would lose a variable named __proto__.
  bindings: z
    .custom<object>((value) => typeof value === 'object' && value !== null, { error: 'expected an object or a Map' })
    .optional(),
  baseIri: absoluteIri.optional(),
  signal,
  timeoutMs: z.number().min(0).optional(),
  maxRows: z.int().min(0).optional(),
  maxMemoryBytes: z.number().min(0).optional(),
  canonicalOrder: z.boolean().optional(),
  at,
  consistency,
};

export const prepareRequest = object({ query: queryFields.query, baseIri: queryFields.baseIri, signal });
export const sparqlRequest = object({ ...queryFields, ifRevision, blind: z.boolean().optional() });

export const explainRequest = object({ ...queryFields, analyze: z.boolean().optional() });

const number = z.number().optional();
const fusionMethod = z.oneOf(SEARCH_SETTINGS.fusion.short);
/** The valid ranges are checked where the numbers are used. */
const numbers = {
  fusion: { k: number, textWeight: number, vectorWeight: number },
  fields: { label: number, subject: number, predicate: number },
  feedback: { documents: number, terms: number, weight: number },
} satisfies { [Setting in SearchSetting]: Record<keyof (typeof SEARCH_SETTINGS)[Setting]['numbers'], typeof number> };
const flagged = { error: 'expected true, false or an object of numbers' };

export const schemaRequest = object({
  ...target,
  limit: z.int().min(0).optional(),
  consistency,
  maxMemoryBytes: z.number().min(0).optional(),
  signal,
});

export const searchRequest = object({
  query: z.string(),
  ...scope,
  consistency,
  at,
  limit: z.int().min(1).optional(),
  subjects: z.array(z.string()).optional(),
  predicates: z.array(absoluteIri).optional(),
  types: z.array(z.string()).optional(),
  fusion: z
    .union([fusionMethod, object({ method: fusionMethod.optional(), ...numbers.fusion })], {
      error: `expected ${SEARCH_SETTINGS.fusion.short.join(', ')} or an object`,
    })
    .optional(),
  fields: z.union([z.boolean(), object(numbers.fields)], flagged).optional(),
  feedback: z.union([z.boolean(), object(numbers.feedback)], flagged).optional(),
  prefix: z.boolean().optional(),
  explain: z.boolean().optional(),
  canonicalOrder: z.boolean().optional(),
  signal,
});

export const serviceDescriptionRequest = object({
  ...scope,
  endpointUrl: absoluteIri,
  contentType: z.string().optional(),
});

/**
 * Returns the request as parsed by its schema. Throws INVALID_ARGUMENT that names the operation and
 * the first invalid field.
 *
 * @param simple requests that the schema would return unchanged
 */
export function validate<Described extends z.Schema<unknown, boolean>>(
  operation: string,
  schema: Described,
  request: unknown,
  simple?: { includes(request: unknown): boolean },
): z.Output<Described> {
  if (simple?.includes(request)) return request as z.Output<Described>;
  const issues: z.SchemaIssue[] = [];
  const checked = schema.check(request, issues);
  if (issues.length === 0) return checked as z.Output<Described>;
  if (!isObject(request)) {
    throw new WorldsError(
      'INVALID_ARGUMENT',
      `${operation}: expected a request object, not ${kindOf(request)}; write ${exampleCall(operation)}.`,
    );
  }
  // A misspelt field is also reported as missing; the message names the misspelling.
  const { path, message } = innermost(issues.find(({ code }) => code === 'unrecognized_keys') ?? issues[0]);
  const field = path.map((step, i) => (typeof step === 'number' ? `[${step}]` : (i > 0 ? '.' : '') + step));
  const where = field.length > 0 ? `${operation}: ${field.join('')}` : operation;
  throw new WorldsError('INVALID_ARGUMENT', `${where}: ${message}`);
}

/**
 * For a union, returns the issue inside the alternative that was evidently meant, if that is clear.
 */
function innermost(issue: z.SchemaIssue): z.SchemaIssue {
  if (issue.code !== 'invalid_union') return issue;
  const otherwiseRight = issue.alternatives.find((issues) => issues.every(({ code }) => code === 'unrecognized_keys'));
  if (otherwiseRight) return otherwiseRight[0].within(issue.path);
  const inside = issue.alternatives.filter(([first]) => first !== undefined && first.path.length > 0);
  if (inside.length !== 1) return issue;
  return innermost(inside[0][0].within(issue.path));
}

/** Throws INVALID_ARGUMENT that names the operation unless a source has one of the three forms. */
export function requireSource(operation: string, source: unknown): void {
  const issues: z.SchemaIssue[] = [];
  worldSource.check(source, issues);
  if (issues.length > 0) validate(operation, sourceRequest, { source });
}
