import { RDF_DIRECTIONS, WorldsError } from '@rdf-worlds/core';
import { DEFAULT_NAMESPACE_MARK, isAbsoluteIri, NAME_PATTERN, NAME_RULE } from '@rdf-worlds/core/internal';
import { z } from 'zod';
import { GRAPH_TEXT, graphName } from './graph-text.ts';
import { SEARCH_SETTING_SCHEMAS } from './search-setting-schemas.ts';
import { requireIntendedFields } from './unknown-fields.ts';
import { quoted } from './world-name.ts';

/**
 * The bodies and answers of the interface; the schemas both validate requests and generate the
 * OpenAPI document. Unknown fields are ignored unless they evidently mean a known one (see
 * {@link requireIntendedFields}). `meta({ id })` makes a schema a component of the document.
 */

const name = z.string().regex(NAME_PATTERN, { error: `must ${NAME_RULE}` });
const iri = z.string().refine(isAbsoluteIri, { error: 'expected an absolute IRI' });

/** A graph in a body or a query string; see {@link graphName}. */
const graph = z.string().refine((value) => graphName(value) !== undefined, { error: `expected ${GRAPH_TEXT}` });

const flags = {
  write: z.boolean().optional().meta({
    description: 'false: the world is only read. true: of several worlds, this is the one that an update writes.',
  }),
  schema: z.boolean().optional().meta({
    description:
      'true: a schema world. Its class and property hierarchy extends `types` and `predicates` of a search; it is never written and yields no hits.',
  }),
};

export const WorldSource = z
  .union(
    [
      z
        .string()
        .meta({ description: 'The qualified form `namespace/slug`, or a slug in the namespace of the request.' }),
      z.object({ name: z.string().meta({ description: 'The qualified form `namespace/slug`.' }), ...flags }),
      z.object({ slug: z.string(), namespace: z.string().optional(), ...flags }),
    ],
    { error: 'expected a world: "namespace/slug", { name: "namespace/slug" } or { slug, namespace? }' },
  )
  .meta({ id: 'WorldSource', description: 'A reference to a world, in one of three forms.' });

export const World = z
  .object({
    slug: z.string().meta({ description: 'Identifier of the world within its namespace.' }),
    namespace: z.string().optional(),
    label: z.string().optional(),
    description: z.string().nullable().optional(),
    createdAt: z.number().meta({ description: 'Milliseconds since the epoch.' }),
    updatedAt: z
      .number()
      .meta({ description: 'Milliseconds since the epoch; updated by every change of the record or the data.' }),
    deletedAt: z.number().nullable().optional(),
  })
  .meta({ id: 'World' });

export const CreateWorldParams = z
  .object({
    slug: name,
    namespace: z
      .string()
      .refine((value) => value !== DEFAULT_NAMESPACE_MARK, {
        error: '"_" is reserved; omit the field to use the default namespace',
      })
      .optional()
      .meta({ description: 'On namespaced routes, the namespace of the path takes precedence. `_` is rejected.' }),
    label: z.string().optional(),
    description: z.string().nullable().optional(),
  })
  .meta({ id: 'CreateWorldParams' });

export const UpdateWorldParams = z
  .object({
    source: WorldSource.optional(),
    label: z.string().optional(),
    description: z.string().nullable().optional(),
  })
  .meta({ id: 'UpdateWorldParams' });

export const DeleteWorldBody = z.object({ source: WorldSource.optional() }).meta({ id: 'DeleteWorldBody' });

const rdfDirection = z.enum(RDF_DIRECTIONS).optional().meta({
  description: 'JSON-LD only: how `@direction` is represented in RDF. If absent, imports ignore `@direction`.',
});

const moment = z.union([z.string(), z.int().min(0)]).meta({
  description:
    'The past to read: a time with its zone, such as 2026-01-31T12:00:00Z, or a revision. A revision requires permission to read the whole namespace.',
});

const consistency = z.enum(['bounded', 'latest']).optional().meta({
  description:
    'How recent the state is where several servers share a storage. latest: includes every change that any of them acknowledged before the request. Default: bounded, a state that is moments old at most.',
});

/** The query string of what reads the present. */
export const ConsistencyQuery = z.object({ consistency });

/** The query string of what reads the past too. */
export const MomentQuery = z.object({ at: moment.optional(), consistency });

export const ForkPostBody = z
  .object({
    slug: name.meta({ description: 'Name of the new world, in the namespace of the source.' }),
    source: WorldSource.optional(),
    at: moment.optional(),
    label: z.string().optional().meta({ description: 'If absent, that of the source.' }),
    description: z.string().nullable().optional().meta({ description: 'If absent, that of the source.' }),
  })
  .meta({ id: 'ForkPostBody' });

export const DiffPostBody = z
  .object({
    source: WorldSource.optional(),
    from: moment.optional().meta({ description: 'When the world is compared. If absent, now.' }),
    to: z
      .union([z.string(), z.int().min(0), z.object({ source: WorldSource, at: moment.optional() })], {
        error: 'expected a time, a revision, or another world: { source, at? }',
      })
      .optional()
      .meta({
        description: 'What it is compared with: the world at another moment, or another world. If absent, now.',
      }),
    maxMemoryBytes: z.number().min(0).optional().meta({ description: 'Memory limit; at most that of the service.' }),
  })
  .meta({ id: 'DiffPostBody' });

export const ExportPostBody = z
  .object({
    contentType: z.string().optional().meta({
      description:
        'Media type of an RDF format. If absent, the Accept header decides; the default is application/n-quads.',
    }),
    source: WorldSource.optional(),
    at: moment.optional(),
    consistency,
    context: z.unknown().optional().meta({
      description: 'JSON-LD only: the context to compact the document with. If absent, the document is expanded.',
    }),
    frame: z.unknown().optional().meta({
      description: 'JSON-LD only: the frame by which nodes are selected and nested.',
    }),
    framing: z
      .strictObject({
        embed: z.union([z.enum(['@always', '@once', '@never']), z.boolean()]).optional(),
        explicit: z.boolean().optional(),
        requireAll: z.boolean().optional(),
        omitDefault: z.boolean().optional(),
        omitGraph: z.boolean().optional(),
        pruneBlankNodeIdentifiers: z.boolean().optional(),
      })
      .optional()
      .meta({ description: 'Flags for the frame (JSON-LD 1.1 Framing, JsonLdOptions).' }),
    rdfDirection,
    graph: graph
      .optional()
      .meta({ description: `A single graph, as the default graph of the document: ${GRAPH_TEXT}.` }),
    prefixes: z
      .record(z.string(), z.string())
      .optional()
      .meta({ description: 'Turtle, TriG and N3 only: namespace IRIs by prefix name without the colon.' }),
    canonicalOrder: z.boolean().optional().meta({
      description: 'Makes the document, including its order, depend only on the data of the world.',
    }),
  })
  .meta({ id: 'ExportPostBody' });

const importTarget = {
  graph: graph.optional().meta({ description: `The graph for all triples of the documents: ${GRAPH_TEXT}.` }),
  mode: z.enum(['merge', 'replace']).optional().meta({
    description: 'replace: deletes the data of the graph, or of the world, in the same commit. Default: merge.',
  }),
  baseIri: iri.optional().meta({ description: 'Base IRI for relative IRIs in the documents.' }),
};

/** The query string of an import. */
export const ImportQuery = z.object({ rdfDirection, ...importTarget });

export const ImportPostBody = z
  .object({
    data: z.string().meta({ description: 'An RDF document in base64.', contentEncoding: 'base64' }),
    contentType: z.string().optional().meta({ default: 'application/n-quads' }),
    source: WorldSource.optional(),
    context: z.unknown().optional().meta({
      description: 'JSON-LD only: a context that is applied before the document’s own.',
    }),
    rdfDirection,
    ...importTarget,
  })
  .meta({ id: 'ImportPostBody' });

export type ImportPostBody = z.output<typeof ImportPostBody>;

export const SparqlPostBody = z
  .object({
    query: z.string().optional().meta({
      description: 'A SPARQL 1.1 query or update. If absent or empty, the response is a service description.',
    }),
    sources: z.array(WorldSource).optional(),
    namespace: z.string().optional(),
    defaultGraphUris: z.array(iri).optional(),
    namedGraphUris: z.array(iri).optional(),
    at: moment.optional(),
    consistency,
    form: z.enum(['select', 'ask', 'construct', 'update']).optional().meta({
      description: 'Required form of the text; nothing is run if it has another one. `construct` includes DESCRIBE.',
    }),
    bindings: z.unknown().optional().meta({
      description:
        'Values for variables of the text: an object of terms in SPARQL JSON, by variable name. Values are never parsed.',
    }),
    baseIri: iri.optional().meta({ description: 'Base IRI for relative IRIs. Default: the URL of the endpoint.' }),
    timeoutMs: z.number().min(0).optional().meta({ description: 'Time limit; at most that of the service.' }),
    maxRows: z.int().min(0).optional().meta({ description: 'Maximum number of rows; at most that of the service.' }),
    maxMemoryBytes: z.number().min(0).optional().meta({ description: 'Memory limit; at most that of the service.' }),
    canonicalOrder: z.boolean().optional().meta({
      description: 'Makes the result, including its order, depend only on the terms in the worlds of the request.',
    }),
    blind: z.boolean().optional().meta({
      description: 'Updates only: refuses an update whose outcome could reveal what the worlds contain.',
    }),
    validate: z.boolean().optional().meta({
      description:
        'Returns the form of the text, its prefixes and its first error with line, column and length, as application/json. Runs nothing.',
    }),
    explain: z.enum(['plan', 'analyze']).optional().meta({
      description:
        'Returns the plan instead of the result; `analyze` also runs the query and adds measurements of each operator. Never changes data.',
    }),
  })
  .meta({ id: 'SparqlPostBody' });

export const SearchPostBody = z
  .object({
    query: z.string(),
    sources: z.array(WorldSource).optional(),
    namespace: z.string().optional(),
    consistency,
    limit: z
      .int()
      .min(1)
      .optional()
      .meta({ default: 20, description: 'At most 1000; larger values are reduced to 1000.' }),
    subjects: z.array(z.string()).optional(),
    predicates: z.array(z.string()).optional(),
    types: z.array(z.string()).optional(),
    fusion: SEARCH_SETTING_SCHEMAS.fusion.optional(),
    fields: SEARCH_SETTING_SCHEMAS.fields.optional(),
    feedback: SEARCH_SETTING_SCHEMAS.feedback.optional(),
    prefix: z
      .boolean()
      .optional()
      .meta({ description: 'Whether the last word of the query may be incomplete, as while a user is typing.' }),
    explain: z.boolean().optional().meta({ description: 'Whether each hit includes an explanation.' }),
    facets: z
      .union([z.boolean(), z.array(z.enum(['types', 'predicates', 'worlds']))])
      .optional()
      .meta({
        description:
          'Counts the hits, up to 1000, by type of the subject, predicate and world; true counts by all three. The response is then an object with `hits` and `facets`.',
      }),
    canonicalOrder: z.boolean().optional().meta({
      description: 'Makes hits, ranks and scores depend only on the data of the worlds of the request.',
    }),
  })
  .meta({ id: 'SearchPostBody' });

/**
 * Validates a value against a schema. Throws `INVALID_ARGUMENT` with the field if it does not
 * match, and for an unknown field that evidently means a known one.
 *
 * @param expected fields that the schema does not require, but without which an unknown field is
 *   taken for a misspelling
 */
export function parseBody<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  expected?: readonly string[],
): z.output<Schema> {
  requireIntendedFields(schema, value, expected);
  requireElements(schema, value);
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = innermost(parsed.error.issues[0]);
  throw new WorldsError('INVALID_ARGUMENT', `${fieldPath(issue.path)}: ${problem(issue, value)}`, {
    cause: parsed.error,
  });
}

/**
 * Elements of an array that zod may check in one piece: it makes an issue for each that is wrong.
 */
const MAX_ISSUES = 100;

/**
 * Throws `INVALID_ARGUMENT` for the first wrong element of a long array in a body, without looking
 * at the others.
 */
function requireElements(schema: z.ZodType, value: unknown): void {
  if (!(schema instanceof z.ZodObject) || typeof value !== 'object' || value === null) return;
  for (const [field, member] of Object.entries<z.ZodType>(schema.shape)) {
    const elements: unknown = Object.hasOwn(value, field) ? (value as Record<string, unknown>)[field] : undefined;
    if (!Array.isArray(elements) || elements.length <= MAX_ISSUES) continue;
    const element = elementOf(member);
    if (!element) continue;
    for (let i = 0; i < elements.length; i++) {
      const parsed = element.safeParse(elements[i]);
      if (parsed.success) continue;
      const issue = innermost(parsed.error.issues[0]);
      throw new WorldsError(
        'INVALID_ARGUMENT',
        `${fieldPath([field, i, ...issue.path])}: ${problem(issue, elements[i])}`,
        {
          cause: parsed.error,
        },
      );
    }
  }
}

/** Returns the schema of the elements of an array; undefined if it may be no array. */
function elementOf(schema: unknown): z.ZodType | undefined {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return elementOf(schema.unwrap());
  if (schema instanceof z.ZodArray) return schema.element as z.ZodType;
  if (!(schema instanceof z.ZodUnion)) return undefined;
  return schema.options.map(elementOf).find((element: z.ZodType | undefined) => element !== undefined);
}

/** Describes an issue with what was found, if a message of zod does not. */
function problem({ path, code, message }: z.core.$ZodIssue, value: unknown): string {
  let found = value;
  for (const step of path) found = (found as Readonly<Record<PropertyKey, unknown>> | undefined)?.[step];
  if (found === undefined) return message.replace(/^Invalid input: (.*), received undefined$/, 'it is missing; $1');
  if (code === 'invalid_type' || typeof found === 'object') return message;
  return `${message}, found ${typeof found === 'string' ? quoted(found) : String(found)}`;
}

function fieldPath(path: readonly PropertyKey[]): string {
  if (path.length === 0) return 'The body';
  return path.map((step, i) => (typeof step === 'number' ? `[${step}]` : (i > 0 ? '.' : '') + String(step))).join('');
}

/**
 * Returns the most specific issue: for a union, the issue inside the variant that was evidently
 * meant.
 */
function innermost(issue: z.core.$ZodIssue): z.core.$ZodIssue {
  if (issue.code !== 'invalid_union') return issue;
  const inside = issue.errors.filter(([first]) => first !== undefined && first.path.length > 0);
  if (inside.length !== 1) return issue;
  const [first] = inside[0];
  return innermost({ ...first, path: [...issue.path, ...first.path] });
}
