import { requireOptions } from './passed-value.ts';
import { type TextLocation, WorldsError } from './worlds-error.ts';

interface LimitRow {
  /** Default value. */
  readonly value: number;
  /** What is limited, with its unit: the start of the error message. */
  readonly limited: string;
  /** What the caller can do about it: the end of the error message. */
  readonly remedy: string;
}

/**
 * Limits on the content of one request, the same for all callers: sizes that determine the work
 * caused by a text or document before evaluation starts. To add a limit, add a row. Exceeding one
 * throws LIMIT_EXCEEDED, always before the work is done.
 */
const ROWS = {
  maxIriLength: {
    value: 1 << 17,
    limited: 'UTF-16 units of one IRI, with its prefix and base expanded',
    remedy: 'shorten the IRI, its prefix or its base, or put the data into a literal',
  },
  maxExpansionBytes: {
    value: 1 << 24,
    limited:
      'UTF-16 units added by expanding prefixes, bases and entities, if that also exceeds maxExpansionFactor times the text',
    remedy: 'shorten the prefixes and the base, or split the request',
  },
  maxExpansionFactor: {
    value: 20,
    limited: 'times the length of a text, added by expanding prefixes, bases and entities, above maxExpansionBytes',
    remedy: 'shorten the prefixes and the base, or split the request',
  },
  maxNesting: {
    value: 500,
    limited: 'levels of nesting in a SPARQL text, where each operator of a chain counts as one',
    remedy: 'split the text, or reduce its nesting',
  },
  maxOperations: {
    value: 100_000,
    limited: 'operations of one update',
    remedy: 'combine the triples of several operations into one, or split the update',
  },
  maxPatterns: {
    value: 10_000,
    limited: 'triple patterns, paths and subpatterns of one query or operation, with collections expanded',
    remedy: 'split the query, or put constants into VALUES',
  },
  // Each graph is looked up before the query starts.
  maxGraphs: {
    value: 10_000,
    limited: 'graphs named by FROM and USING, or by the dataset of a request, default and named graphs together',
    remedy: 'name fewer graphs, or omit the dataset and select graphs with GRAPH and VALUES',
  },
  // Each variable is a column over all rows. Wide tables have hundreds.
  maxVariables: {
    value: 5000,
    limited: 'variables of one SELECT or VALUES, with SELECT * expanded',
    remedy: 'name fewer variables, or split the query',
  },
  maxKeys: {
    value: 1000,
    limited: 'keys of one GROUP BY or ORDER BY',
    remedy: 'group or sort by fewer keys',
  },
  // An expression is parsed and compiled in one piece each, which takes up to 40 ms at this size.
  // Long lists of constants, as programs generate them, belong in VALUES.
  maxExpressions: {
    value: 25_000,
    limited:
      'operators, function calls, variables and constants in the expressions and clauses of one query or operation, with SELECT * expanded, and the prefixes before it',
    remedy: 'split the query, or put constants into VALUES',
  },
  // A computed string is copied, encoded and hashed in one piece, which takes up to 40 ms at this
  // length.
  maxStringLength: {
    value: 3_000_000,
    limited: 'UTF-16 units of a string that a query computes',
    remedy: 'concatenate or replace in smaller texts',
  },
  maxValues: {
    value: 400_000,
    limited: 'values in the VALUES of one query or operation, where each row counts as one more',
    remedy: 'split the query',
  },
  maxNestedTriples: {
    value: 100_000,
    limited: 'items of lists and properties in brackets inside one object of a template or of data',
    remedy: 'import the data, or label the blank nodes and write them separately',
  },
  maxPlanSteps: {
    value: 2_000_000,
    limited: 'steps of planning a query: columns of all its operators, and the parts and conditions examined for each',
    remedy: 'select fewer variables in subqueries, or split the query',
  },
  maxTokenLength: {
    value: 1 << 23,
    limited: 'characters or bytes of one token of a document, such as a string, or of one line of N-Quads',
    remedy: 'store large values elsewhere, and refer to them by IRI',
  },
  maxDecompressedBytes: {
    value: 2 ** 32,
    limited: 'bytes of one document after gzip decompression',
    remedy: 'decompress the document first, or split it',
  },
  maxLanguageTagLength: {
    value: 1000,
    limited: 'characters of one language tag in a document',
    remedy: 'use a shorter tag; registered tags have fewer than 40 characters',
  },
  // The parser keeps the statement around each open bracket, which takes much more memory than the
  // bracket. XML and JSON have fixed limits, because their parsers search or recurse level by
  // level.
  maxDocumentNesting: {
    value: 100_000,
    limited: 'brackets inside one another in Turtle, TriG or N3',
    remedy: 'label the inner blank nodes and write them as statements of their own',
  },
  // The XML parser reads all attributes of an element in one piece. Typical elements have a dozen.
  maxAttributes: {
    value: 5000,
    limited: 'attributes of one XML element, including namespace declarations',
    remedy: 'write properties as elements, and declare namespaces where they are used',
  },
  // A DOCTYPE is read in one piece. Entities abbreviate namespaces, of which documents have some
  // tens.
  maxEntities: {
    value: 5000,
    limited: 'entities declared by the DOCTYPE of an XML document',
    remedy: 'write namespaces in full, or declare them with xmlns',
  },
  maxContextTerms: {
    value: 250_000,
    limited:
      'terms defined by the contexts of a JSON-LD document, counted each time a context applies, beyond one for every 8 characters',
    remedy: 'use fewer or smaller contexts, or move a context shared by several nodes to a node around them',
  },
  maxContextDepth: {
    value: 600,
    limited: 'JSON-LD contexts and terms, each defined in terms of the next',
    remedy: 'write IRIs in full, or nest fewer contexts',
  },
  maxRemoteContexts: {
    value: 100,
    limited: 'remote contexts that one JSON-LD document may load',
    remedy: 'use fewer contexts, or inline them',
  },
  // A level of nodes is two levels of JSON, of which a reader takes 512.
  maxFrameDepth: {
    value: 200,
    limited: 'nodes that a JSON-LD frame embeds in one another',
    remedy: 'embed less of them: set "@embed": "@never" or "@explicit": true in the frame of such a property',
  },
  // A step takes 2 to 10 microseconds. Application data needs few, because its blank nodes differ
  // in their properties.
  maxCanonicalSteps: {
    value: 500_000,
    limited: 'steps of distinguishing similar blank nodes for the canonical form of a graph',
    remedy: 'give such blank nodes IRIs or distinct properties',
  },
} as const satisfies Record<string, LimitRow>;

/** Name of a limit on one request; a key of `DEFAULT_REQUEST_LIMITS`. */
export type RequestLimitName = keyof typeof ROWS;

/** A value for each limit; `Infinity` disables it. */
export type RequestLimits = { readonly [Name in RequestLimitName]: number };

/** The names of all limits, in table order. */
export const REQUEST_LIMIT_NAMES = Object.keys(ROWS) as readonly RequestLimitName[];

/** Limits that apply unless the engine's options override them. */
export const DEFAULT_REQUEST_LIMITS: RequestLimits = Object.freeze(
  Object.fromEntries(REQUEST_LIMIT_NAMES.map((name) => [name, ROWS[name].value])) as Record<RequestLimitName, number>,
);

/** Returns what a limit counts, with its unit, such as `operations of one update`. */
export function limitedText(name: RequestLimitName): string {
  return ROWS[name].limited;
}

/**
 * Returns the limits of an engine: the given values, defaults for the rest. Throws INVALID_ARGUMENT
 * for an unknown name and for a value that is neither a positive integer nor `Infinity`.
 */
export function requestLimits(given: Partial<RequestLimits> = {}): RequestLimits {
  requireOptions(given, 'limits', 'limits: { maxNesting: 200 }');
  const limits: Record<RequestLimitName, number> = { ...DEFAULT_REQUEST_LIMITS };
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(ROWS, name)) {
      throw new WorldsError(
        'INVALID_ARGUMENT',
        `limits: there is no limit ${JSON.stringify(name)}; the limits are ${REQUEST_LIMIT_NAMES.join(', ')}.`,
      );
    }
    if (value === undefined) continue;
    if (!(value === Number.POSITIVE_INFINITY || (Number.isSafeInteger(value) && value > 0))) {
      throw new WorldsError('INVALID_ARGUMENT', `limits: ${name}: expected a positive integer or Infinity.`);
    }
    limits[name as RequestLimitName] = value;
  }
  return limits;
}

/**
 * Returns the LIMIT_EXCEEDED error of a limit. `location` is where the text exceeds it, if known.
 */
export function limitExceeded(name: RequestLimitName, limits: RequestLimits, location?: TextLocation): WorldsError {
  const { limited, remedy } = ROWS[name];
  return new WorldsError(
    'LIMIT_EXCEEDED',
    `The request exceeds the limit ${name} = ${limits[name]} (${limited}): ${remedy}.`,
    { location },
  );
}

/**
 * Counts how much prefixes, bases and entities expand one text or document. Abbreviating is their
 * purpose, but a long prefix used ten thousand times turns kilobytes into gigabytes.
 */
export class ExpansionMeter {
  private readonly limits: RequestLimits;
  private added = 0;

  constructor(limits: RequestLimits) {
    this.limits = limits;
  }

  /**
   * Counts one IRI. Throws LIMIT_EXCEEDED if the IRI is too long, or the total expansion so far is
   * too large.
   *
   * @param length length of the expanded IRI
   * @param added how much longer it is than its written form
   * @param read length of the text read so far, in the same unit
   */
  claim(length: number, added: number, read: number, location?: () => TextLocation): void {
    const { limits } = this;
    if (length > limits.maxIriLength) throw limitExceeded('maxIriLength', limits, location?.());
    if (added <= 0) return;
    this.added += added;
    if (this.added > limits.maxExpansionBytes && this.added > limits.maxExpansionFactor * read) {
      throw limitExceeded('maxExpansionBytes', limits, location?.());
    }
  }
}
