import { z } from 'zod';
import { World } from './schemas.ts';

/**
 * Schemas of answers, used only by the OpenAPI document: core produces the answers, so they are not
 * validated here.
 */

export const ErrorBody = z
  .object({
    error: z.object({
      message: z.string().meta({ description: 'What is wrong, where, and what to do. For people; it may change.' }),
    }),
  })
  .meta({
    id: 'Error',
    description: 'The body of every error response. The error code is in the header `RDF-Worlds-Error`.',
  });

const place = {
  start: z.int().meta({ description: 'Offset of the first unit in the snippet, in UTF-16 units.' }),
  end: z.int().meta({ description: 'Offset after the last unit.' }),
};

const HitExplanation = z
  .object({
    terms: z
      .array(
        z.object({
          field: z.enum(['text', 'label', 'subject', 'predicate']).meta({ description: 'Where the word matched.' }),
          word: z.string().meta({ description: 'The word of the query, without differences of case and accents.' }),
          term: z.string().meta({
            description:
              'The index term that it matched: for example a stem, a completion or a correction of the word.',
          }),
          frequency: z.int().meta({ description: 'Occurrences of the term; the index may cap the number.' }),
          score: z.number().meta({ description: 'Score of this match.' }),
          counted: z.boolean().meta({
            description:
              'Whether the match is part of the text score: a word counts only in the field where it scores highest.',
          }),
        }),
      )
      .meta({ description: 'Matches of words of the query, by field. Empty if only the vectors match.' }),
    textScore: z.number().nullable().meta({
      description: 'Sum of the scores of the matches that count (BM25). Null if it is not a full-text hit.',
    }),
    similarity: z.number().nullable().meta({
      description: 'Cosine similarity of the vectors of query and text. Null if it is not a vector hit.',
    }),
    snippet: z
      .object({
        text: z.string().meta({ description: 'The snippet.' }),
        start: z.int().meta({ description: 'Offset of the snippet in the whole text, in UTF-16 units.' }),
        matches: z.array(z.object(place)).meta({ description: 'Positions of the matched words in the snippet.' }),
        marked: z.string().meta({ description: 'The snippet with `**` around each matched word.' }),
      })
      .meta({ description: 'The part of the text with the most matches.' }),
  })
  .meta({ id: 'HitExplanation', description: 'Why a triple is a hit. Only with `explain: true`.' });

export const TripleSearchResult = z
  .object({
    subject: z.string().meta({ description: 'IRI or label of a blank node.' }),
    predicate: z.string().meta({ description: 'IRI.' }),
    object: z.string().meta({ description: 'IRI, label of a blank node, or lexical form of a literal.' }),
    vecRank: z.number().nullable().meta({
      description: 'Rank among the vector hits, starting at 1. Null if it is not a vector hit.',
    }),
    ftsRank: z.number().nullable().meta({
      description: 'Rank among the full-text hits, starting at 1. Null if it is not a full-text hit.',
    }),
    score: z.number().meta({ description: 'Combined score; higher is better. Comparable only within one response.' }),
    world: World,
    explanation: HitExplanation.optional(),
  })
  .meta({ id: 'TripleSearchResult', description: 'A triple that a search found, and the world that contains it.' });

const PlanNode = z
  .object({
    operator: z.string().meta({ description: 'Name of the operator.' }),
    detail: z.string().meta({ description: 'Operands of the operator; may be empty.' }),
    estimatedRows: z.number().meta({ description: 'Number of rows that the planner expects.' }),
    actualRows: z.int().optional().meta({ description: 'Number of rows over all runs. Only with `analyze`.' }),
    runs: z.int().optional().meta({ description: 'Number of times that the operator ran. Only with `analyze`.' }),
    timeMs: z
      .number()
      .optional()
      .meta({ description: 'Time spent in the operator, without its inputs, in milliseconds. Only with `analyze`.' }),
    memoryBytes: z
      .int()
      .optional()
      .meta({ description: 'Memory held by the operator, without its inputs, in bytes. Only with `analyze`.' }),
    get inputs() {
      return z.array(PlanNode);
    },
  })
  .meta({ id: 'PlanNode', description: 'An operator of a plan, and the operators whose rows it reads (`inputs`).' });

export const QueryPlan = z
  .object({
    form: z.enum(['select', 'ask', 'construct', 'describe', 'update']).meta({ description: 'Form of the text.' }),
    algebra: z.string().optional().meta({ description: 'SPARQL algebra of the text, one operation per line.' }),
    plan: PlanNode,
    text: z.string().meta({ description: 'The plan in readable form, one operator per line.' }),
  })
  .meta({ id: 'QueryPlan', description: 'The plan of a query or update. Only with `explain`.' });

const SparqlHead = z
  .object({
    vars: z.array(z.string()).optional().meta({ description: 'Names of the variables of a SELECT.' }),
    link: z.array(z.string()).nullable().optional().meta({ description: 'Links to further information.' }),
  })
  .meta({ id: 'SparqlHead', description: 'Head of a result (SPARQL 1.1 Query Results JSON Format).' });

const uri = z.object({ type: z.literal('uri'), value: z.string() });
const bnode = z.object({ type: z.literal('bnode'), value: z.string() });
const literal = z.object({
  type: z.literal('literal'),
  value: z.string(),
  'xml:lang': z.string().optional().meta({ description: 'Language tag.' }),
  datatype: z.string().optional().meta({ description: 'IRI of the datatype.' }),
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
  .meta({
    id: 'SparqlValue',
    description:
      'An RDF term: an IRI (`uri`), a blank node (`bnode`), a literal with its language or datatype, or a triple.',
  });

const SparqlQuad = z
  .object({
    subject: z.object({ type: z.enum(['uri', 'bnode']), value: z.string() }),
    predicate: uri,
    object: SparqlValue,
    graph: z.object({ type: z.enum(['default', 'uri']), value: z.string() }),
  })
  .meta({ id: 'SparqlQuad', description: 'A quad of terms in SPARQL JSON.' });

const SparqlSelectResults = z
  .object({
    head: SparqlHead,
    results: z.object({ bindings: z.array(z.record(z.string(), SparqlValue)) }),
  })
  .meta({
    id: 'SparqlSelectResults',
    description: 'Result of a SELECT. Each of `bindings` is a solution, an object of terms by variable name.',
  });

const SparqlAskResults = z
  .object({ head: SparqlHead, boolean: z.boolean() })
  .meta({ id: 'SparqlAskResults', description: 'Result of an ASK.' });

const SparqlQuadsResults = z.object({ head: SparqlHead, results: z.object({ quads: z.array(SparqlQuad) }) }).meta({
  id: 'SparqlQuadsResults',
  description: 'Result of a CONSTRUCT or DESCRIBE as JSON, an extension of SPARQL JSON.',
});

export const SparqlResults = z
  .union([SparqlSelectResults, SparqlAskResults, SparqlQuadsResults])
  .meta({ id: 'SparqlResults', description: 'Result of a query in SPARQL JSON.' });

const QuotaUse = z
  .object({
    used: z.int().meta({ description: 'What is used, as a count or in bytes.' }),
    limit: z.int().nullable().meta({ description: 'The quota, in the same unit. Null if there is no limit.' }),
  })
  .meta({ id: 'QuotaUse', description: 'The use of a quota.' });

const worldQuotas = {
  quads: QuotaUse,
  bytes: QuotaUse.meta({
    description: 'Size of the data: 36 bytes for each quad or named graph, plus the texts of its terms.',
  }),
};

export const WorldStats = z
  .object({
    namespace: z.string(),
    slug: z.string().meta({ description: 'Name of the world within its namespace.' }),
    quotas: z.object(worldQuotas).optional().meta({ description: 'Absent if the service has no quotas.' }),
  })
  .meta({ id: 'WorldStats', description: 'Use of the quotas of a world.' });

export const NamespaceStats = z
  .object({
    namespace: z.string(),
    worlds: z.int().meta({ description: 'Number of worlds.' }),
    quads: z.int().meta({ description: 'Number of quads in all worlds.' }),
    quotas: z
      .object({
        ...worldQuotas,
        worlds: QuotaUse,
        diskBytes: QuotaUse.meta({ description: 'Size of the log and checkpoints, in bytes; 0 without a storage.' }),
      })
      .optional()
      .meta({ description: 'Absent if the service has no quotas.' }),
  })
  .meta({ id: 'NamespaceStats', description: 'Size of a namespace, and the use of its quotas.' });

export const CallerDescription = z
  .object({
    id: z.string().meta({ description: 'Identifies the caller in logs.' }),
    namespace: z.string().meta({ description: 'The default namespace of the caller.' }),
    admin: z.boolean().meta({ description: 'Whether the caller has `admin`.' }),
    namespaces: z
      .array(
        z.object({
          namespace: z.string(),
          read: z.boolean().meta({ description: 'Whether the caller may read at least one world.' }),
          write: z.boolean().meta({ description: 'Whether the caller may write at least one world.' }),
        }),
      )
      .meta({
        description:
          'For callers with `admin`, all namespaces. For others, the namespaces of their grants, whether they exist or not.',
      }),
  })
  .meta({ id: 'CallerDescription', description: 'The caller, and its permissions by namespace.' });

/** What a JSON body with `validate` gets. */
export const SparqlValidation = z
  .object({
    form: z
      .enum(['select', 'ask', 'construct', 'describe', 'update'])
      .optional()
      .meta({ description: 'Form of the text. Absent if it has an error.' }),
    prefixes: z.record(z.string(), z.string()).meta({
      description: 'Namespace IRIs by prefix, as the text declares them, even if the rest has an error.',
    }),
    error: z
      .object({
        code: z.string().meta({ description: 'INVALID_SPARQL, UNSUPPORTED or LIMIT_EXCEEDED.' }),
        message: z.string(),
        line: z.int().optional().meta({ description: 'Line of the error, starting at 1. Absent if it has no place.' }),
        column: z.int().optional().meta({ description: 'Column of the error, starting at 1.' }),
        length: z
          .int()
          .optional()
          .meta({ description: 'Length of the token there, in UTF-16 units; 0 at the end of the text.' }),
      })
      .optional()
      .meta({ description: 'The first error. Absent if there is none.' }),
  })
  .meta({ id: 'SparqlValidation', description: 'What `validate` finds in a text.' });

const FacetCounts = z
  .array(
    z.object({
      value: z.string().meta({ description: 'IRI of a type or predicate, or the `namespace/slug` of a world.' }),
      count: z.int().meta({ description: 'Number of hits.' }),
    }),
  )
  .optional()
  .meta({ id: 'FacetCounts', description: 'Values of a facet, at most 100, with the highest counts first.' });

/** The answer of a search with `facets`. */
export const FacetedHits = z
  .object({
    hits: z.array(TripleSearchResult),
    facets: z
      .object({
        hits: z.int().meta({ description: 'Number of hits that were counted: all, or the best 1000.' }),
        types: FacetCounts,
        predicates: FacetCounts,
        worlds: FacetCounts,
      })
      .optional()
      .meta({ description: 'The requested facets. A subject counts for each of its types.' }),
  })
  .meta({ id: 'FacetedHits', description: 'Hits with counts. Only with `facets`.' });

export const WorldSchema = z
  .object({
    namespace: z.string(),
    slug: z.string().meta({ description: 'Name of the world within its namespace.' }),
    quads: z.int().meta({ description: 'Number of quads in all graphs.' }),
    classes: z.array(
      z.object({
        class: z.string().meta({ description: 'IRI.' }),
        count: z.int().meta({ description: 'Number of `rdf:type` quads with the class.' }),
      }),
    ),
    predicates: z.array(
      z.object({
        predicate: z.string().meta({ description: 'IRI.' }),
        count: z.int().meta({ description: 'Number of quads with the predicate.' }),
        literals: z.int().meta({ description: 'Number of these quads whose object is a literal.' }),
      }),
    ),
    links: z
      .array(
        z.object({
          from: z.string().meta({ description: 'Class of the subjects.' }),
          predicate: z.string().meta({ description: 'IRI.' }),
          to: z.string().nullable().meta({
            description: 'Class of the objects. Null for literals, and for entities without a class.',
          }),
          count: z.int().meta({ description: 'Number of quads.' }),
        }),
      )
      .meta({ description: 'Predicates between instances of the 500 classes with the highest counts.' }),
    totals: z
      .object({ classes: z.int(), predicates: z.int(), links: z.int() })
      .meta({ description: 'Lengths of the lists before they were cut to their maximum.' }),
  })
  .meta({ id: 'WorldSchema', description: 'What a world contains. Lists are sorted by count, highest first.' });

const RequestReport = z.object({
  requestId: z.string().meta({ description: 'Value of the header `X-Request-Id`.' }),
  operation: z.string().optional().meta({ description: 'Name of the operation.' }),
  principal: z.string().optional().meta({ description: 'Identifies the caller in logs.' }),
  namespace: z.string().optional(),
  worlds: z.array(z.string()).optional().meta({
    description: 'Worlds for which access was granted or denied: `namespace/slug`, or `namespace/*` for all worlds.',
  }),
  status: z.int().optional().meta({ description: 'Status of the response. Absent while the request is running.' }),
  code: z.string().optional().meta({ description: 'Error code, if the request failed.' }),
  outcome: z.string().optional().meta({
    description:
      '`broken` if the response failed after its status was sent, `abandoned` if the client left; otherwise absent.',
  }),
  rows: z.int().optional().meta({ description: 'Number of solutions, triples, hits or changed quads so far.' }),
  bytes: z.int().optional().meta({
    description: 'Number of bytes of the response body. Absent while the request is running.',
  }),
  durationMs: z
    .number()
    .meta({ description: 'Time since the start of the request, or its duration, in milliseconds.' }),
  workMs: z.number().optional().meta({
    description:
      'Part of the duration that was not spent waiting for the client, in milliseconds. Absent while the request is running.',
  }),
  query: z.string().optional().meta({
    description: 'Text of the query without strings, numbers and comments, cut to 1,000 characters.',
  }),
});

export const ServerActivity = z
  .object({
    time: z.number().meta({ description: 'Time of the response, in milliseconds since the Unix epoch.' }),
    health: z
      .object({
        status: z.enum(['ok', 'degraded']).meta({ description: '`degraded` while there are problems.' }),
        problems: z.array(z.object({})).meta({
          description:
            'Background work that failed and has not succeeded since: `{ namespace, activity, message, atMs, failures }`.',
        }),
        strays: z.array(z.string()).optional().meta({
          description: 'Paths of unknown files in the storage, which are ignored. Absent if there are none.',
        }),
      })
      .meta({ description: 'State of the background work of the engine.' }),
    memory: z.record(z.string(), z.number()).meta({
      description:
        'Memory in bytes, by part: `terms`, `quads`, `search`, `vectors`, `records`, and the `requests` that are running, with their limit `requestsLimit`.',
    }),
    counters: z.object({}).meta({ description: 'Other metrics of the engine, by name.' }),
    feeds: z.int().meta({ description: 'Number of open change feeds.' }),
    waiting: z.int().meta({ description: 'Number of requests that wait to be processed.' }),
    namespaces: z
      .array(
        z.object({
          namespace: z.string(),
          worlds: z.int().meta({ description: 'Number of worlds.' }),
          revision: z.int().meta({ description: 'Revision of the namespace, which counts its changes.' }),
          memoryBytes: z.int().meta({ description: 'Memory in bytes.' }),
        }),
      )
      .meta({ description: 'The namespaces in memory, at most the 100 that use the most.' }),
    namespacesInMemory: z.int().meta({ description: 'Number of namespaces in memory.' }),
    running: z.array(RequestReport).meta({ description: 'Requests that are running, at most 200, longest first.' }),
    slowest: z
      .array(
        RequestReport.extend({
          endedAt: z.number().meta({ description: 'Time of the end, in milliseconds since the Unix epoch.' }),
        }),
      )
      .meta({ description: 'The 50 queries of the last hour that took the most work, slowest first.' }),
  })
  .meta({ id: 'ServerActivity', description: 'What the server is doing.' });
