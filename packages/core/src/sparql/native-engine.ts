import type * as RDF from '@rdfjs/types';
import type { QuadSource } from '../contracts/quad-source.ts';
import type { QueryPlan } from '../contracts/query-plan.ts';
import { Slicer } from '../contracts/slicer.ts';
import type {
  EvaluateOptions,
  ExplainOptions,
  PreparedQuery,
  PreparedUpdate,
  PrepareOptions,
  SparqlEngine,
  SparqlResult,
  UpdateView,
} from '../contracts/sparql-engine.ts';
import { requireKnownFields } from '../model/known-fields.ts';
import type { Query, Update, UpdateOperation } from './algebra/algebra.ts';
import { bindQuery, bindUpdate, requireTerms } from './bind-variables.ts';
import { canonicalQuery } from './canonical-order.ts';
import { DataTemplates } from './data-templates.ts';
import { evaluateQuery, prefixesOf } from './evaluate-query.ts';
import { executeUpdate, type PlanModify } from './execute-update.ts';
import { explainQuery } from './explain/explain-query.ts';
import { explainUpdate } from './explain/explain-update.ts';
import { type KeptAs, KeptPlans } from './kept-plans.ts';
import { isModifyQuery, modifyQuery } from './modify-query.ts';
import type { NativeEngineOptions } from './native-engine-options.ts';
import { ParsedTexts } from './parsed-texts.ts';
import { plannedQuery } from './plan-query.ts';
import { prepareOperation, preparing } from './prepare-operation.ts';
import { hasFewMatches, QueryShapes, type SharedQuery } from './query-shapes.ts';
import { refuseNetwork } from './refuse-network.ts';
import type { RequestOptions } from './request-options.ts';
import { withoutOverflow } from './stack-depth.ts';
import type { ParseOptions } from './syntax/term-parser.ts';

/**
 * Query texts up to this many UTF-16 code units parse in about a millisecond and are parsed without
 * pauses.
 */
const SHORT_TEXT_LENGTH = 1 << 12;

/** Returns the built-in SPARQL engine: vectorized operators over term ids. */
export function nativeEngine(options: NativeEngineOptions = {}): SparqlEngine {
  requireKnownFields(options, ['batchRows', 'optimize', 'maxMemoryBytes', 'random'], 'nativeEngine');
  const parsed = new ParsedTexts();
  const plans = new KeptPlans();
  const shapes = new QueryShapes();
  const data = new DataTemplates();
  return {
    name: 'native',
    prepare(
      text: string,
      { baseIri, bindings, limits, signal }: PrepareOptions,
    ): PreparedQuery | PreparedUpdate | Promise<PreparedQuery | PreparedUpdate> {
      const { batchRows, optimize, maxMemoryBytes, random } = options;
      const request = { batchRows, optimize, maxMemoryBytes, random, baseIri, limits };
      const ready = (operation: Query | Update, isRepeated: boolean, shared?: SharedQuery) => {
        const prepared =
          operation.type === 'update'
            ? new NativeUpdate(operation, request, plans, { isRepeated, shared })
            : new NativeQuery(operation, request, plans, { isRepeated, shared });
        return bindings ? prepared.bind(bindings) : prepared;
      };
      const known = parsed.known(text, baseIri, limits);
      if (known) return ready(known, true);
      // A text that is repeated is worth parsing.
      const mayBeRecognized = !bindings && !parsed.hasSeen(text, baseIri);
      const update = mayBeRecognized ? data.find(text, baseIri, limits) : undefined;
      if (update) return new NativeUpdate(update, request, plans);
      const recognized = mayBeRecognized ? shapes.recognize(text, baseIri, limits) : undefined;
      if (recognized) {
        parsed.see(text, baseIri);
        const { like, shared } = recognized;
        const parse = () => withoutNetwork(prepareOperation(text, { baseIri, limits }));
        return isModifyQuery(like)
          ? new NativeUpdate(like.update, request, plans, { isRepeated: false, shared, parse: parse as () => Update })
          : new NativeQuery(like, request, plans, { isRepeated: false, shared, parse: parse as () => Query });
      }
      const keep = (operation: Query | Update) => {
        parsed.keep(text, baseIri, limits, operation);
        if (bindings) return ready(operation, false);
        if (operation.type === 'update') data.put(operation, baseIri, limits);
        const query = operation.type === 'update' ? modifyQuery(operation) : operation;
        return ready(operation, false, query && shapes.find(query, baseIri, limits));
      };
      if (text.length <= SHORT_TEXT_LENGTH) return keep(withoutNetwork(prepareOperation(text, { baseIri, limits })));
      const parsing = new Slicer(signal).runOrWait(preparingHere(text, { baseIri, limits }));
      return parsing instanceof Promise ? parsing.then(keep) : keep(parsing);
    },
  };
}

/** Kernel of parsing. */
function* preparingHere(text: string, options: ParseOptions): Generator<void, Query | Update, void> {
  const operation = withoutNetwork(yield* preparing(text, options));
  // Yields once more, so that planning starts in a new time slice.
  yield;
  return operation;
}

function withoutNetwork(operation: Query | Update): Query | Update {
  try {
    refuseNetwork(operation);
    return operation;
  } catch (error) {
    throw withoutOverflow(error);
  }
}

/** Terms by name of variable, without `?`. */
type Bindings = ReadonlyMap<string, RDF.Term>;

interface NativeQueryOptions {
  readonly isRepeated: boolean;
  readonly given?: Bindings;
  readonly shared?: SharedQuery | undefined;
  /** Parses the text, if that has not been done. */
  readonly parse?: () => Query;
}

class NativeQuery implements PreparedQuery {
  readonly type = 'query';
  /** The query, or one that differs from it in constants alone if it has not been parsed. */
  private like: Query;
  private parse: (() => Query) | undefined;
  private readonly request: RequestOptions;
  private readonly plans: KeptPlans;
  /** Terms that replace variables of the query. */
  private readonly given: Bindings | undefined;
  private bound: Query | undefined;
  /** Whether it has run before. A query that never comes again is not worth keeping a plan for. */
  private isRepeated: boolean;
  /** What it can share a plan with as long as it is not repeated. */
  private readonly shared: SharedQuery | undefined;

  constructor(
    query: Query,
    request: RequestOptions,
    plans: KeptPlans,
    { isRepeated, given, shared, parse }: NativeQueryOptions,
  ) {
    this.like = query;
    this.parse = parse;
    this.request = request;
    this.plans = plans;
    this.isRepeated = isRepeated;
    this.given = given;
    this.shared = shared;
  }

  get form(): Query['type'] {
    return this.like.type;
  }

  get prefixes(): Readonly<Record<string, string>> {
    return prefixesOf(this.like);
  }

  get namesDataset(): boolean {
    return this.like.dataset !== undefined;
  }

  get readsNamedGraphs(): boolean | undefined {
    return this.like.readsNamedGraphs;
  }

  private get query(): Query {
    if (this.parse) this.like = this.parse();
    this.parse = undefined;
    return this.like;
  }

  bind(bindings: Bindings): NativeQuery {
    requireTerms(bindings);
    const { query, request, plans } = this;
    const bound = new NativeQuery(query, request, plans, { isRepeated: this.isRepeated, given: bindings });
    this.isRepeated = true;
    // Bindings of the same names were checked before, and a kept plan needs no bound query.
    if (!plans.hasParameters(query, bindings)) bound.boundQuery();
    return bound;
  }

  evaluate(source: QuadSource, options: EvaluateOptions): SparqlResult | Promise<SparqlResult> {
    const { plans, given, request } = this;
    const shared = this.isRepeated ? undefined : this.sharedPlan(source, options);
    const query = this.isRepeated ? this.keptQuery(options) : undefined;
    this.isRepeated = true;
    if (shared) return evaluateQuery(() => shared.query, source, request, options, shared);
    const keptAs = query && { plans, query, given };
    return evaluateQuery(() => this.queryFor(options), source, request, options, keptAs);
  }

  /** Returns how its plan is shared with other texts; undefined if it needs a plan of its own. */
  private sharedPlan(source: QuadSource, options: EvaluateOptions): KeptAs | undefined {
    const { shared, plans } = this;
    // The dataset of FROM and FROM NAMED is a new one for each run, and keeps no plans.
    if (!shared || options.dataset || this.namesDataset) return undefined;
    return sharedPlan(shared, plans, source, options, () => this.queryFor(options));
  }

  explain(source: QuadSource, options: ExplainOptions): Promise<QueryPlan> {
    return explainQuery(this.queryFor(options), source, this.request, options);
  }

  private queryFor({ canonicalOrder }: EvaluateOptions): Query {
    const query = this.boundQuery();
    if (!canonicalOrder) return query;
    const isKept = query === this.query && this.isRepeated;
    return isKept ? this.plans.rewritten(query, canonicalQuery) : canonicalQuery(query);
  }

  /** Returns the query whose plan later runs can use; undefined if there is none. */
  private keptQuery(options: EvaluateOptions): Query | undefined {
    const { plans, given } = this;
    const query = ordered(this.query, plans, options);
    return given ? plans.parameterised(query, given) : query;
  }

  private boundQuery(): Query {
    if (!this.given) return this.query;
    try {
      return (this.bound ??= bindQuery(this.query, this.given));
    } catch (error) {
      throw withoutOverflow(error);
    }
  }
}

/** Returns the same query for each run of a query. */
function ordered(query: Query, plans: KeptPlans, { canonicalOrder }: EvaluateOptions): Query {
  return canonicalOrder ? plans.rewritten(query, canonicalQuery) : query;
}

/**
 * Returns how the plan of a query, or of an update as a query, is shared with other texts;
 * undefined if it needs a plan of its own.
 *
 * @param own returns the query itself
 */
function sharedPlan(
  shared: SharedQuery,
  plans: KeptPlans,
  source: QuadSource,
  options: EvaluateOptions,
  own: () => Query,
): KeptAs | undefined {
  if (!source.measured) return undefined;
  const { given, hasOperands } = shared;
  const whole = ordered(shared.query, plans, options);
  const query = given ? plans.parameterised(whole, given, hasOperands) : whole;
  if (!query || !hasFewMatches(shared, source)) return undefined;
  if (!hasOperands) return { plans, query, given, isPlannedForAll: true };
  if (plans.find(query, source)?.isRefused) return undefined;
  return { plans, query, given, isPlannedForAll: true, whenMany: own };
}

interface NativeUpdateOptions {
  readonly isRepeated: boolean;
  readonly shared?: SharedQuery | undefined;
  /** Parses the text, if that has not been done. */
  readonly parse?: () => Update;
}

class NativeUpdate implements PreparedUpdate {
  readonly type = 'update';
  /** The update, or one that differs from it in constants alone if it has not been parsed. */
  private like: Update;
  private parse: (() => Update) | undefined;
  private readonly request: RequestOptions;
  private readonly plans: KeptPlans;
  private isRepeated: boolean;
  private readonly shared: SharedQuery | undefined;

  constructor(update: Update, request: RequestOptions, plans: KeptPlans, options?: NativeUpdateOptions) {
    this.like = update;
    this.parse = options?.parse;
    this.request = request;
    this.plans = plans;
    this.isRepeated = options?.isRepeated === true;
    this.shared = options?.shared;
  }

  get insertsDataOnly(): boolean {
    return this.like.operations.every(isInsertData);
  }

  get isBlind(): boolean {
    return this.like.operations.every(isBlind);
  }

  get namesDataset(): boolean {
    return this.like.operations.some(namesDataset);
  }

  private get update(): Update {
    if (this.parse) this.like = this.parse();
    this.parse = undefined;
    return this.like;
  }

  bind(bindings: Bindings): NativeUpdate {
    try {
      return new NativeUpdate(bindUpdate(this.update, bindings), this.request, this.plans);
    } catch (error) {
      throw withoutOverflow(error);
    }
  }

  execute(view: UpdateView, options: EvaluateOptions): void | Promise<void> {
    const { like, request, shared, isRepeated } = this;
    this.isRepeated = true;
    const isPlannedAsQuery = !options.dataset && !options.canonicalOrder && (shared || isRepeated);
    if (!isPlannedAsQuery || !modifyQuery(like)) return executeUpdate(this.update, view, request, options);
    return executeUpdate(like, view, request, options, (source) => this.planned(source, options, isRepeated));
  }

  /** Returns the plan of an update that is planned as a query. */
  private planned(source: QuadSource, options: EvaluateOptions, isRepeated: boolean): ReturnType<PlanModify> {
    const { shared, plans, request } = this;
    const own = () => modifyQuery(this.update)!;
    const keptAs = isRepeated ? { plans, query: own() } : shared && sharedPlan(shared, plans, source, options, own);
    return plannedQuery(keptAs ? () => keptAs.query : own, source, request, options, keptAs);
  }

  async explain(source: QuadSource, options: ExplainOptions): Promise<QueryPlan> {
    return explainUpdate(this.update, source, this.request, options);
  }
}

function isInsertData({ type }: UpdateOperation): boolean {
  return type === 'insertData';
}

/** Whether an operation has USING, USING NAMED or WITH. */
function namesDataset(operation: UpdateOperation): boolean {
  return operation.type === 'modify' && (operation.using !== undefined || operation.with !== undefined);
}

/** Whether an operation neither reads quads nor depends on which graphs exist. */
function isBlind(operation: UpdateOperation): boolean {
  switch (operation.type) {
    case 'insertData':
    case 'deleteData':
    case 'load':
      return true;
    case 'create':
      return operation.silent;
    case 'clear':
    case 'drop':
      return operation.silent || typeof operation.target === 'string';
    default:
      return false;
  }
}
