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
const SLUG_RULE = `Must ${NAME_RULE}.`;
const iri = z.string().refine(isAbsoluteIri, { error: 'expected an absolute IRI' });

/** A graph in a body or a query string; see {@link graphName}. */
const graph = z.string().refine((value) => graphName(value) !== undefined, { error: `expected ${GRAPH_TEXT}` });

const flags = {
  write: z.boolean().optional().meta({
    description:
      '`false`: the world is read-only in this request. `true`: an update over several worlds writes to this one.',
  }),
  schema: z.boolean().optional().meta({
    description:
      '`true`: the world contains a schema. Its class and property hierarchies extend `types` and `predicates` of a search. It is never written, and a search returns no hits from it. Default: `false`.',
  }),
};

export const WorldSource = z
  .union(
    [
      z
        .string()
        .meta({ description: 'Namespace and slug, as `namespace/slug`, or a slug in the namespace of the request.' }),
      z.object({ name: z.string().meta({ description: 'Namespace and slug, as `namespace/slug`.' }), ...flags }),
      z.object({
        slug: z.string().meta({ description: 'Name of the world within its namespace.' }),
        namespace: z.string().optional().meta({ description: 'Default: the namespace of the request.' }),
        ...flags,
      }),
    ],
    { error: 'expected a world: "namespace/slug", { name: "namespace/slug" } or { slug, namespace? }' },
  )
  .meta({ id: 'WorldSource', description: 'A reference to a world, in one of three forms.' });

export const World = z
  .object({
    slug: z.string().meta({ description: 'Name of the world within its namespace.' }),
    namespace: z.string().optional().meta({ description: 'Namespace of the world.' }),
    label: z.string().optional().meta({ description: 'Name for people. Absent if none was set.' }),
    description: z.string().nullable().optional().meta({ description: 'Text for people. Absent if none was set.' }),
    createdAt: z.number().meta({ description: 'Time of creation, in milliseconds since the Unix epoch.' }),
    updatedAt: z.number().meta({
      description: 'Time of the last change of the record or the data, in milliseconds since the Unix epoch.',
    }),
    deletedAt: z.number().nullable().optional().meta({ description: 'Reserved; this service does not set it.' }),
  })
  .meta({
    id: 'World',
    description:
      'The record of a world. If the request has the header `Prefer: revision`, callers that may read the whole namespace also get `revision`, the revision of the last change.',
  });

/** How bodies describe their `source`, whose schema is a component with its own description. */
const SOURCE_OF_BODY = '`source` replaces the world of the path.';

export const CreateWorldParams = z
  .object({
    slug: name.meta({ description: `Name of the world within its namespace. ${SLUG_RULE}` }),
    namespace: z
      .string()
      .refine((value) => value !== DEFAULT_NAMESPACE_MARK, {
        error: '"_" is reserved; omit the field to use the default namespace',
      })
      .optional()
      .meta({
        description:
          'Namespace of the world; `_` is rejected. If the path names a namespace, this field is ignored. Default: the default namespace of the caller.',
      }),
    label: z.string().optional().meta({ description: 'Name for people.' }),
    description: z.string().nullable().optional().meta({ description: 'Text for people.' }),
  })
  .meta({ id: 'CreateWorldParams', description: 'The world to create.' });

export const UpdateWorldParams = z
  .object({
    source: WorldSource.optional(),
    label: z.string().optional().meta({ description: 'New name for people. Default: unchanged.' }),
    description: z
      .string()
      .nullable()
      .optional()
      .meta({ description: 'New text for people; null is stored as null. Default: unchanged.' }),
  })
  .meta({ id: 'UpdateWorldParams', description: SOURCE_OF_BODY });

export const DeleteWorldBody = z
  .object({ source: WorldSource.optional() })
  .meta({ id: 'DeleteWorldBody', description: SOURCE_OF_BODY });

const directions = z.enum(RDF_DIRECTIONS).optional();
const DIRECTIONS_TEXT =
  '`i18n-datatype` (a datatype) and `compound-literal` (a blank node) as in JSON-LD 1.1 API, section 9.3; `dir-lang-string`: an RDF 1.2 literal with a base direction';
const importedDirection = directions.meta({
  description: `JSON-LD only: how to represent \`@direction\` in RDF. ${DIRECTIONS_TEXT}. Default: \`@direction\` is ignored.`,
});
const exportedDirection = directions.meta({
  description: `JSON-LD only: which RDF becomes \`@direction\`, in addition to RDF 1.2 literals with a base direction. ${DIRECTIONS_TEXT}.`,
});

const moment = z.union([z.string(), z.int().min(0)]).meta({
  description:
    'The past moment to read: a time with a zone, such as 2026-01-31T12:00:00Z, or a revision of the namespace. A revision requires permission to read the whole namespace. Default: the present.',
});

const consistency = z.enum(['bounded', 'latest']).optional().meta({
  description:
    'How recent the state must be if several servers share a storage. `bounded`: it may be slightly older than the latest. `latest`: it includes every change that any of the servers acknowledged before the request. Default: `bounded`.',
});

/** The query string of what reads the present. */
export const ConsistencyQuery = z.object({ consistency });

/** The query string of what reads the past too. */
export const MomentQuery = z.object({ at: moment.optional(), consistency });

export const ForkPostBody = z
  .object({
    slug: name.meta({ description: `Name of the new world, in the namespace of the source. ${SLUG_RULE}` }),
    source: WorldSource.optional(),
    at: moment.optional(),
    label: z.string().optional().meta({ description: 'Name for people. Default: the label of the source.' }),
    description: z
      .string()
      .nullable()
      .optional()
      .meta({ description: 'Text for people. Default: the description of the source.' }),
  })
  .meta({ id: 'ForkPostBody', description: SOURCE_OF_BODY });

const memoryLimit = z.number().min(0).optional().meta({
  description:
    'Maximum memory that the request may use, in bytes. Values above `maxMemoryBytes` of the service have no effect.',
});

export const DiffPostBody = z
  .object({
    source: WorldSource.optional(),
    from: moment
      .optional()
      .meta({ description: 'First state: a moment of the world, in the form of `at`. Default: the present.' }),
    to: z
      .union([z.string(), z.int().min(0), z.object({ source: WorldSource, at: moment.optional() })], {
        error: 'expected a time, a revision, or another world: { source, at? }',
      })
      .optional()
      .meta({
        description:
          'Second state: another moment of the same world, or another world as `{ source, at? }`. Default: the same world, at present.',
      }),
    maxMemoryBytes: memoryLimit,
  })
  .meta({ id: 'DiffPostBody', description: SOURCE_OF_BODY });

export const ExportPostBody = z
  .object({
    contentType: z.string().optional().meta({
      description:
        'Media type of an RDF format. Default: the type that `Accept` selects, application/n-quads if there is none.',
    }),
    source: WorldSource.optional(),
    at: moment.optional(),
    consistency,
    context: z.unknown().optional().meta({
      description:
        'JSON-LD only: the context to compact the document with: an object, an array of contexts, or a document with `@context`. Default: the document is in expanded form.',
    }),
    frame: z.unknown().optional().meta({
      description:
        'JSON-LD only: an object, the frame that selects the nodes and how they are nested (JSON-LD 1.1 Framing).',
    }),
    framing: z
      .strictObject({
        embed: z
          .union([z.enum(['@always', '@once', '@never']), z.boolean()])
          .optional()
          .meta({
            description: 'Initial `@embed`. `true` means `@once`, `false` means `@never`. Default: `@once`.',
          }),
        explicit: z.boolean().optional().meta({
          description: 'Initial `@explicit`: whether to omit properties that the frame does not have. Default: false.',
        }),
        requireAll: z.boolean().optional().meta({
          description: 'Initial `@requireAll`: whether a node must match all properties of the frame. Default: false.',
        }),
        omitDefault: z.boolean().optional().meta({
          description:
            'Initial `@omitDefault`: whether to omit properties of the frame that a node does not have. Default: false.',
        }),
        omitGraph: z.boolean().optional().meta({
          description: 'Whether a single result is written without `@graph` around it. Default: true.',
        }),
        pruneBlankNodeIdentifiers: z.boolean().optional().meta({
          description: 'Whether to omit blank node identifiers that occur only once. Default: true.',
        }),
      })
      .optional()
      .meta({ description: 'Options of the `frame` (JSON-LD 1.1 Framing, JsonLdOptions). Requires `frame`.' }),
    rdfDirection: exportedDirection,
    graph: graph.optional().meta({
      description: `The graph to export, as the default graph of the document: ${GRAPH_TEXT}. Default: all graphs that the format can contain.`,
    }),
    prefixes: z
      .record(z.string(), z.string())
      .optional()
      .meta({ description: 'Turtle, TriG and N3 only: namespace IRIs, by prefix name without the colon.' }),
    canonicalOrder: z.boolean().optional().meta({
      description:
        'Whether the document, including its order, depends only on the data of the world. Default: false, except for callers that may not read the whole namespace.',
    }),
  })
  .meta({ id: 'ExportPostBody', description: SOURCE_OF_BODY });

const importTarget = {
  graph: graph.optional().meta({
    description: `The graph for all triples: ${GRAPH_TEXT}. Documents must then have no named graphs. Default: the graphs of the documents.`,
  }),
  mode: z.enum(['merge', 'replace']).optional().meta({
    description:
      '`merge`: adds to the existing data. `replace`: deletes the existing data of `graph`, or of the whole world if no graph is given, in the same commit. Default: `merge`.',
  }),
  baseIri: iri
    .optional()
    .meta({ description: 'Base IRI for relative IRIs in the documents, which are errors without it.' }),
};

/** The query string of an import. */
export const ImportQuery = z.object({ rdfDirection: importedDirection, ...importTarget });

export const ImportPostBody = z
  .object({
    data: z.string().meta({
      description: 'The RDF document in base64 (RFC 4648, section 4), padded and without line breaks.',
      contentEncoding: 'base64',
    }),
    contentType: z
      .string()
      .optional()
      .meta({ description: 'Media type of the document.', default: 'application/n-quads' }),
    source: WorldSource.optional(),
    context: z.unknown().optional().meta({
      description: 'JSON-LD only: a context that is applied before that of the document.',
    }),
    rdfDirection: importedDirection,
    ...importTarget,
  })
  .meta({
    id: 'ImportPostBody',
    description: `${SOURCE_OF_BODY} The fields \`rdfDirection\`, \`graph\`, \`mode\` and \`baseIri\` take precedence over the parameters of the URL.`,
  });

export type ImportPostBody = z.output<typeof ImportPostBody>;

/** The worlds of a query or a search. */
const scope = {
  sources: z.array(WorldSource).optional().meta({
    description:
      'The worlds to cover. Default: the world of the path; without one, all worlds of the namespace that the caller may read.',
  }),
  namespace: z.string().optional().meta({
    description:
      'Namespace of sources that name none, and, without a world in the path and without `sources`, the namespace to cover. Default: the namespace of the path, or the default namespace of the caller.',
  }),
};

const UPDATE_GRAPHS = 'For an update, it has the effect of USING; an update that has USING or WITH itself gets 400.';

export const SparqlPostBody = z
  .object({
    query: z.string().optional().meta({
      description: 'A SPARQL 1.1 query or update. If it is absent or empty, the response is the service description.',
    }),
    ...scope,
    defaultGraphUris: z
      .array(iri)
      .optional()
      .meta({
        description: `IRIs of the graphs to merge into the default graph. Overrides FROM. ${UPDATE_GRAPHS}`,
      }),
    namedGraphUris: z
      .array(iri)
      .optional()
      .meta({ description: `IRIs of the named graphs. Overrides FROM NAMED. ${UPDATE_GRAPHS}` }),
    at: moment.optional(),
    consistency,
    form: z.enum(['select', 'ask', 'construct', 'update']).optional().meta({
      description:
        'The form that the text must have; `construct` includes DESCRIBE. If it has another form, the response is 400, and nothing is run.',
    }),
    bindings: z.unknown().optional().meta({
      description:
        'Values for variables of the text: an object of terms in SPARQL JSON, by variable name. Values are never parsed, which prevents injection.',
    }),
    baseIri: iri
      .optional()
      .meta({ description: 'Base IRI for relative IRIs in the text. Default: the URL of the endpoint.' }),
    timeoutMs: z.number().min(0).optional().meta({
      description: 'Time limit, in milliseconds. Values above `timeoutMs` of the service have no effect.',
    }),
    maxRows: z.int().min(0).optional().meta({
      description:
        'Maximum number of rows or triples; a larger result is an error. Values above `maxRows` of the service have no effect.',
    }),
    maxMemoryBytes: memoryLimit,
    canonicalOrder: z.boolean().optional().meta({
      description:
        'Whether the result, including its order, depends only on the terms in the worlds of the request. Rows without ORDER BY are then sorted. Default: false, except for callers that may not read the whole namespace.',
    }),
    blind: z.boolean().optional().meta({
      description:
        'Updates only: whether an update gets 403 if its outcome could reveal what the worlds contain. Default: false, except for callers without read permission.',
    }),
    validate: z.boolean().optional().meta({
      description:
        'Whether to check the text instead of running it. The response has the form of the text, its prefixes and its first error with line, column and length, as application/json. Default: false.',
    }),
    explain: z.enum(['plan', 'analyze']).optional().meta({
      description:
        '`plan`: returns the query plan instead of the result. `analyze`: also runs the query, discards its rows, and adds measurements of each operator. Neither changes data. Requires permission to read the whole namespace.',
    }),
  })
  .meta({ id: 'SparqlPostBody', description: 'A query or an update, the worlds that it covers, and options.' });

export const SearchPostBody = z
  .object({
    query: z
      .string()
      .meta({ description: 'The text to search for. It finds nothing if it has no letter and no digit.' }),
    ...scope,
    consistency,
    limit: z
      .int()
      .min(1)
      .optional()
      .meta({ default: 20, description: 'Maximum number of hits. Values above 1000 are reduced to 1000.' }),
    subjects: z
      .array(z.string())
      .optional()
      .meta({ description: 'Restricts the hits to these subjects: IRIs or labels of blank nodes.' }),
    predicates: z.array(z.string()).optional().meta({ description: 'IRIs: restricts the hits to these predicates.' }),
    types: z.array(z.string()).optional().meta({
      description: 'IRIs: restricts the hits to subjects that have one of these types in the same world.',
    }),
    fusion: SEARCH_SETTING_SCHEMAS.fusion.optional(),
    fields: SEARCH_SETTING_SCHEMAS.fields.optional(),
    feedback: SEARCH_SETTING_SCHEMAS.feedback.optional(),
    prefix: z.boolean().optional().meta({
      description:
        'Whether the last word of the query also matches words that start with it, for search as you type. Such matches rank below exact ones. Default: the setting of the service.',
    }),
    explain: z
      .boolean()
      .optional()
      .meta({ description: 'Whether each hit has an `explanation` of why it matches. Default: false.' }),
    facets: z
      .union([z.boolean(), z.array(z.enum(['types', 'predicates', 'worlds']))])
      .optional()
      .meta({
        description:
          'Counts the hits, at most the best 1000, by type of the subject, by predicate or by world; `true` counts by all three. The response is then an object with `hits` and `facets`. Default: false.',
      }),
    canonicalOrder: z.boolean().optional().meta({
      description:
        'Whether hits, ranks and scores depend only on the data of the worlds of the request. Default: false, except for callers that may not read the whole namespace.',
    }),
  })
  .meta({
    id: 'SearchPostBody',
    description: 'A text to search for, the worlds to search, filters, and ranking options.',
  });

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
    const isText = element instanceof z.ZodString && !element.def.checks?.length;
    for (let i = 0; i < elements.length; i++) {
      if (isText && typeof elements[i] === 'string') continue;
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
