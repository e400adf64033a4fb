import { z } from 'zod';
import { World } from './schemas.ts';

/**
 * Schemas of answers, used only by the OpenAPI document: core produces the answers, so they are not
 * validated here.
 */

export const ErrorBody = z
  .object({ error: z.object({ message: z.string() }) })
  .meta({ id: 'Error', description: 'The body of every error response.' });

const place = { start: z.int(), end: z.int() };

const HitExplanation = z
  .object({
    terms: z
      .array(
        z.object({
          field: z.enum(['text', 'label', 'subject', 'predicate']).meta({ description: 'Where the word matched.' }),
          word: z.string().meta({ description: 'The word of the query, folded.' }),
          term: z.string().meta({ description: 'The index term that it matched.' }),
          frequency: z.int(),
          score: z.number(),
          counted: z.boolean().meta({
            description:
              'Whether this match counts towards the score: each word counts only in the field where it scores most.',
          }),
        }),
      )
      .meta({ description: 'The matches of query words, by field.' }),
    textScore: z.number().nullable().meta({ description: 'Sum of the scores of the matches that count.' }),
    similarity: z.number().nullable().meta({ description: 'Cosine similarity of the vectors of query and text.' }),
    snippet: z.object({
      text: z.string(),
      start: z.int().meta({ description: 'Offset of the snippet in the whole text, in UTF-16 units.' }),
      matches: z.array(z.object(place)).meta({ description: 'Positions of the matched words in the snippet.' }),
      marked: z.string().meta({ description: 'The snippet with `**` around each matched word.' }),
    }),
  })
  .meta({ id: 'HitExplanation', description: 'Why a triple is a hit; present with `explain: true`.' });

export const TripleSearchResult = z
  .object({
    subject: z.string(),
    predicate: z.string(),
    object: z.string(),
    vecRank: z.number().nullable().meta({ description: 'Rank among the vector hits, starting at 1.' }),
    ftsRank: z.number().nullable().meta({ description: 'Rank among the full-text hits, starting at 1.' }),
    score: z.number(),
    world: World,
    explanation: HitExplanation.optional(),
  })
  .meta({ id: 'TripleSearchResult' });

const PlanNode = z
  .object({
    operator: z.string(),
    detail: z.string(),
    estimatedRows: z.number(),
    actualRows: z.int().optional().meta({ description: 'This and the following fields are present with `analyze`.' }),
    runs: z.int().optional(),
    timeMs: z.number().optional().meta({ description: 'Time in milliseconds, excluding the inputs.' }),
    memoryBytes: z.int().optional(),
    get inputs() {
      return z.array(PlanNode);
    },
  })
  .meta({ id: 'PlanNode', description: 'An operator of the plan, with its inputs.' });

export const QueryPlan = z
  .object({
    form: z.enum(['select', 'ask', 'construct', 'describe', 'update']),
    algebra: z.string().optional().meta({ description: 'The SPARQL algebra, one operation per line.' }),
    plan: PlanNode,
    text: z.string().meta({ description: 'The plan in readable form, one operator per line.' }),
  })
  .meta({ id: 'QueryPlan', description: 'The plan of a query or update; returned with `explain`.' });

const SparqlHead = z
  .object({ vars: z.array(z.string()).optional(), link: z.array(z.string()).nullable().optional() })
  .meta({ id: 'SparqlHead' });

const uri = z.object({ type: z.literal('uri'), value: z.string() });
const bnode = z.object({ type: z.literal('bnode'), value: z.string() });
const literal = z.object({
  type: z.literal('literal'),
  value: z.string(),
  'xml:lang': z.string().optional(),
  datatype: z.string().optional(),
});

export const SparqlValue = z
  .union([
    uri,
    bnode,
    literal,
    z.object({
      type: z.literal('triple'),
      value: z.object({
        get subject(): z.ZodType {
          return SparqlValue;
        },
        get predicate(): z.ZodType {
          return SparqlValue;
        },
        get object(): z.ZodType {
          return SparqlValue;
        },
      }),
    }),
  ])
  .meta({ id: 'SparqlValue' });

const SparqlQuad = z
  .object({
    subject: z.object({ type: z.enum(['uri', 'bnode']), value: z.string() }),
    predicate: uri,
    object: SparqlValue,
    graph: z.object({ type: z.enum(['default', 'uri']), value: z.string() }),
  })
  .meta({ id: 'SparqlQuad' });

const SparqlSelectResults = z
  .object({
    head: SparqlHead,
    results: z.object({ bindings: z.array(z.record(z.string(), SparqlValue)) }),
  })
  .meta({ id: 'SparqlSelectResults' });

const SparqlAskResults = z.object({ head: SparqlHead, boolean: z.boolean() }).meta({ id: 'SparqlAskResults' });

const SparqlQuadsResults = z
  .object({ head: SparqlHead, results: z.object({ quads: z.array(SparqlQuad) }) })
  .meta({ id: 'SparqlQuadsResults' });

export const SparqlResults = z
  .union([SparqlSelectResults, SparqlAskResults, SparqlQuadsResults])
  .meta({ id: 'SparqlResults' });

const QuotaUse = z
  .object({ used: z.int(), limit: z.int().nullable().meta({ description: 'Null if there is no limit.' }) })
  .meta({ id: 'QuotaUse' });

const worldQuotas = {
  quads: QuotaUse,
  bytes: QuotaUse.meta({ description: '36 bytes for each quad or named graph, plus the texts of its terms.' }),
};

export const WorldStats = z
  .object({
    namespace: z.string(),
    slug: z.string(),
    quotas: z.object(worldQuotas).optional().meta({ description: 'Absent if the service has no quotas.' }),
  })
  .meta({ id: 'WorldStats' });

export const NamespaceStats = z
  .object({
    namespace: z.string(),
    worlds: z.int(),
    quads: z.int(),
    quotas: z
      .object({ ...worldQuotas, worlds: QuotaUse, diskBytes: QuotaUse })
      .optional()
      .meta({ description: 'Absent if the service has no quotas.' }),
  })
  .meta({ id: 'NamespaceStats' });

export const CallerDescription = z
  .object({
    id: z.string().meta({ description: 'Identifies the caller in logs.' }),
    namespace: z.string().meta({ description: 'The namespace of worlds that are named without one.' }),
    admin: z.boolean(),
    namespaces: z.array(
      z.object({
        namespace: z.string(),
        read: z.boolean().meta({ description: 'True if the caller may read at least one world.' }),
        write: z.boolean().meta({ description: 'True if the caller may write at least one world.' }),
      }),
    ),
  })
  .meta({ id: 'CallerDescription' });

/** What a JSON body with `validate` gets. */
export const SparqlValidation = z
  .object({
    form: z
      .enum(['select', 'ask', 'construct', 'describe', 'update'])
      .optional()
      .meta({ description: 'Absent if the text is not well-formed.' }),
    prefixes: z.record(z.string(), z.string()).meta({ description: 'The prefixes that the text declares.' }),
    error: z
      .object({
        code: z.string(),
        message: z.string(),
        line: z.int().optional(),
        column: z.int().optional(),
        length: z.int().optional(),
      })
      .optional(),
  })
  .meta({ id: 'SparqlValidation' });

const FacetCounts = z
  .array(z.object({ value: z.string(), count: z.int() }))
  .optional()
  .meta({ id: 'FacetCounts' });

/** The answer of a search with `facets`. */
export const FacetedHits = z
  .object({
    hits: z.array(TripleSearchResult),
    facets: z
      .object({
        hits: z.int().meta({ description: 'Number of hits that were counted, at most 1000.' }),
        types: FacetCounts,
        predicates: FacetCounts,
        worlds: FacetCounts,
      })
      .optional(),
  })
  .meta({ id: 'FacetedHits' });

export const WorldSchema = z
  .object({
    namespace: z.string(),
    slug: z.string(),
    quads: z.int(),
    classes: z.array(z.object({ class: z.string(), count: z.int() })),
    predicates: z.array(z.object({ predicate: z.string(), count: z.int(), literals: z.int() })),
    links: z.array(
      z.object({
        from: z.string(),
        predicate: z.string(),
        to: z.string().nullable().meta({ description: 'Null for literals, and for entities without a class.' }),
        count: z.int(),
      }),
    ),
    totals: z
      .object({ classes: z.int(), predicates: z.int(), links: z.int() })
      .meta({ description: 'Lengths of the lists before they were cut.' }),
  })
  .meta({ id: 'WorldSchema' });

const RequestReport = z.object({
  requestId: z.string(),
  operation: z.string().optional(),
  principal: z.string().optional(),
  namespace: z.string().optional(),
  worlds: z.array(z.string()).optional(),
  status: z.int().optional(),
  code: z.string().optional(),
  outcome: z.string().optional(),
  rows: z.int().optional(),
  bytes: z.int().optional(),
  durationMs: z.number(),
  workMs: z.number().optional(),
  query: z.string().optional().meta({ description: 'The text without its literals, shortened.' }),
});

export const ServerActivity = z
  .object({
    time: z.number(),
    health: z.object({
      status: z.enum(['ok', 'degraded']),
      problems: z.array(z.object({})),
      strays: z.array(z.string()).optional(),
    }),
    memory: z.record(z.string(), z.number()).meta({ description: 'Bytes by part.' }),
    counters: z.object({}),
    feeds: z.int(),
    waiting: z.int(),
    namespaces: z.array(z.object({ namespace: z.string(), worlds: z.int(), revision: z.int(), memoryBytes: z.int() })),
    namespacesInMemory: z.int(),
    running: z.array(RequestReport),
    slowest: z.array(RequestReport.extend({ endedAt: z.number() })),
  })
  .meta({ id: 'ServerActivity' });
