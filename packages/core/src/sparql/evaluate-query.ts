import type * as RDF from '@rdfjs/types';
import { QuadBatch } from '../contracts/quad-batch.ts';
import type { QuadSource } from '../contracts/quad-source.ts';
import type { BindingsBatch, EvaluateOptions, QuadsBatch, SparqlResult } from '../contracts/sparql-engine.ts';
import { DEFAULT_GRAPH, NO_TERM, type TermId } from '../contracts/term-source.ts';
import { LARGE_TEXT } from '../model/memory-budget.ts';
import { MemoryPool } from '../model/memory-pool.ts';
import { RequestBudget } from '../model/request-budget.ts';
import { DEFAULT_REQUEST_LIMITS, limitExceeded, type RequestLimits } from '../model/request-limits.ts';
import { dataFactory } from '../model/term.ts';
import { throwIfAborted, WorldsError } from '../model/worlds-error.ts';
import type { Algebra, DatasetClause, Query } from './algebra/algebra.ts';
import { PAUSE, type Stream } from './exec/batch.ts';
import { Execution, isPause } from './exec/execution.ts';
import { MemoryClaims } from './exec/memory-claims.ts';
import { estimatedRows, type Operator } from './exec/operator.ts';
import { RowNumbers } from './exec/row-numbers.ts';
import type { KeptAs, KeptPlan } from './kept-plans.ts';
import { PacedStream, type Steps } from './paced-stream.ts';
import { Conditions } from './plan/conditions.ts';
import { Planner } from './plan/planner.ts';
import type { Planning } from './plan/planning.ts';
import { Scope, SlotCounter } from './plan/scope.ts';
import type { RequestOptions } from './request-options.ts';
import { ownColumns, SolutionBatch, TermCache } from './solution-batch.ts';
import { sortedTriples } from './sorted-triples.ts';
import { requireShallow, withoutOverflow } from './stack-depth.ts';
import { type QuadReceiver, Template, templateVariables } from './template.ts';

/** Approximate bytes per DESCRIBE resource in a set. */
const RESOURCE_BYTES = 40;

/** Everything needed to run one plan. */
export interface Evaluation {
  readonly source: QuadSource;
  readonly scope: Scope;
  readonly execution: Execution;
}

/** Everything needed to plan and run one pattern. */
export interface PlannedEvaluation extends Evaluation {
  readonly planner: Planner;
}

/**
 * Sets up the planner, scope and execution for one evaluation.
 *
 * @param baseIri base for relative IRIs in expressions, if it differs from that of the request
 */
export function openEvaluation(
  source: QuadSource,
  request: RequestOptions,
  options: EvaluateOptions,
  baseIri = request.baseIri,
): PlannedEvaluation {
  const { random = Math.random, optimize, limits } = request;
  const conditions = new Conditions({ now: options.now, baseIri, random });
  return {
    source,
    planner: new Planner(source, conditions, { optimize, limits }),
    scope: new Scope(new SlotCounter()),
    execution: openExecution(source, request, options),
  };
}

function openExecution(
  source: QuadSource,
  request: RequestOptions,
  options: EvaluateOptions,
  given?: KeptAs['given'],
): Execution {
  const { memory = new RequestBudget(UNLIMITED) } = options;
  if (request.maxMemoryBytes !== undefined) memory.lowerLimit(request.maxMemoryBytes);
  return new Execution(source, {
    now: options.now,
    signal: options.signal,
    search: options.search,
    batchRows: request.batchRows,
    given,
    memory,
    unboxed: request.optimize,
  });
}

/** Budget for evaluations outside a request. */
const UNLIMITED = new MemoryPool(Number.POSITIVE_INFINITY);

/**
 * Returns the dataset of FROM and FROM NAMED, unless the request names one (SPARQL 1.1 Protocol
 * 2.1.4). Throws LIMIT_EXCEEDED for more than `maxGraphs` graphs.
 */
export function datasetOf(
  source: QuadSource,
  clause: DatasetClause | undefined,
  options: EvaluateOptions,
  limits: RequestLimits = DEFAULT_REQUEST_LIMITS,
): QuadSource {
  const dataset = options.dataset ?? clause;
  if (!dataset) return source;
  if (dataset.defaultGraphs.length + dataset.namedGraphs.length > limits.maxGraphs) {
    throw limitExceeded('maxGraphs', limits);
  }
  const ids = (iris: readonly string[]): TermId[] => iris.map((iri) => source.terms.intern(dataFactory.namedNode(iri)));
  return source.dataset(ids(dataset.defaultGraphs), ids(dataset.namedGraphs));
}

/** A query with its plan for one dataset. */
export interface PlannedQuery {
  readonly query: Query;
  readonly evaluation: Evaluation;
  /** Undefined for a DESCRIBE of IRIs only. */
  readonly operator: Operator | undefined;
  /** Steps that planning took; 0 for a plan that was kept. */
  readonly planSteps: number;
}

/**
 * Plans and starts a query. Throws, or rejects with, errors found while planning. Returns a promise
 * only if planning, or the evaluation of an ASK, has to pause.
 *
 * @param query called if no plan was kept
 * @param keptAs undefined if no later run can use the plan
 */
export function evaluateQuery(
  query: () => Query,
  whole: QuadSource,
  request: RequestOptions,
  options: EvaluateOptions,
  keptAs?: KeptAs,
): SparqlResult | Promise<SparqlResult> {
  throwIfAborted(options.signal);
  const kept = keptAs && keptPlan(whole, request, options, keptAs);
  const planned = kept ?? planQuery(query(), whole, request, options, keptAs);
  return planned instanceof Promise ? planned.then((ready) => runQuery(ready, options)) : runQuery(planned, options);
}

/** Returns the kept plan of a query, with what a run of it needs; undefined if there is none. */
function keptPlan(
  source: QuadSource,
  request: RequestOptions,
  options: EvaluateOptions,
  { plans, query, given }: KeptAs,
): PlannedQuery | undefined {
  // The dataset of FROM and FROM NAMED is a new one for each run.
  const kept = options.dataset || query.dataset ? undefined : plans.find(query, source);
  if (!kept) return undefined;
  const { scope, operator } = kept;
  const execution = openExecution(source, request, options, given);
  return { query, evaluation: { source, scope, execution }, operator, planSteps: 0 };
}

/** Plans a query; returns a promise only if planning must pause. */
export function planQuery(
  query: Query,
  whole: QuadSource,
  request: RequestOptions,
  options: EvaluateOptions,
  keptAs?: KeptAs,
): PlannedQuery | Promise<PlannedQuery> {
  throwIfAborted(options.signal);
  const source = datasetOf(whole, query.dataset, options, request.limits);
  // The BASE of the query text, which was resolved against that of the request.
  const evaluation = openEvaluation(source, request, options, query.baseIri);
  if (!query.algebra) return { query, evaluation, operator: undefined, planSteps: 0 };
  const planned = (operator: Operator): PlannedQuery => {
    const { planner, scope, execution } = evaluation;
    if (keptAs?.plans.wants(keptAs.query, source)) {
      const own = planner.isForThisRun ? undefined : { scope, operator };
      const plan = keptAs.given ? planForAll(keptAs.query, operator, source, request, options) : own;
      if (plan) keptAs.plans.keep(keptAs.query, source, plan);
    }
    return { query, evaluation: { source, scope, execution }, operator, planSteps: planner.steps };
  };
  const operator = planIn(evaluation, query.algebra, readBy(query), keepFor(query));
  return operator instanceof Promise ? operator.then(planned) : planned(operator);
}

/** A plan for all values of its parameters may have this many times the estimated rows of one's. */
const MAX_ROWS_OF_PARAMETERS = 4;
/** And this many more: these take microseconds. */
const FEW_ROWS = 100;

/**
 * Plans a query with parameters. Returns undefined if that takes too long to be done beside another
 * plan, or if the plan would be much worse than `operator`, which was made for the values of one
 * run.
 */
function planForAll(
  query: Query,
  operator: Operator,
  source: QuadSource,
  request: RequestOptions,
  options: EvaluateOptions,
): KeptPlan | undefined {
  const evaluation = openEvaluation(source, request, options, query.baseIri);
  const { planner, scope } = evaluation;
  const general = query.algebra && planIn(evaluation, query.algebra, readBy(query), keepFor(query));
  if (!general || general instanceof Promise || planner.isForThisRun) return undefined;
  const most = estimatedRows(operator) * MAX_ROWS_OF_PARAMETERS + FEW_ROWS;
  return estimatedRows(general) <= most ? { scope, operator: general } : undefined;
}

/** Returns how many solutions of a query are read, if that is known. */
function keepFor({ type }: Query): number | undefined {
  return type === 'ask' ? 1 : undefined;
}

/**
 * Plans a pattern of which only the variables in `read` are used; returns a promise only if
 * planning must pause. Throws LIMIT_EXCEEDED if the plan is too deep to run.
 */
export function planIn(
  { planner, scope, execution }: PlannedEvaluation,
  algebra: Algebra,
  read: readonly string[],
  keep?: number,
): Operator | Promise<Operator> {
  try {
    const planning = planner.planFor(algebra, scope, read, keep);
    for (;;) {
      const step = planning.next();
      if (step.done) {
        requireShallow(step.value);
        return step.value;
      }
      if (execution.pauseDue) return planOn(planning, execution);
    }
  } catch (error) {
    throw withoutOverflow(error);
  }
}

/** Continues planning after a pause. */
async function planOn(planning: Planning<Operator>, execution: Execution): Promise<Operator> {
  try {
    await execution.pause();
    for (;;) {
      const step = planning.next();
      if (step.done) {
        requireShallow(step.value);
        return step.value;
      }
      if (execution.pauseDue) await execution.pause();
    }
  } catch (error) {
    throw withoutOverflow(error);
  }
}

/** Returns the variables of a query's solutions that its result needs. */
function readBy(query: Query): readonly string[] {
  switch (query.type) {
    case 'select':
      return query.variables;
    case 'ask':
      return [];
    case 'construct':
      return templateVariables(query.template);
    case 'describe':
      return query.targets.flatMap((target) => (target.termType === 'Variable' ? [target.value] : []));
  }
}

/**
 * Evaluates an ASK, with a promise only if it has to pause; for other queries, returns a stream
 * that computes rows as they are read.
 */
export function runQuery(
  { query, evaluation, operator }: PlannedQuery,
  options: EvaluateOptions,
): SparqlResult | Promise<SparqlResult> {
  const { scope, execution, source } = evaluation;
  switch (query.type) {
    case 'select': {
      const slots = query.variables.map((name) => scope.slot(name));
      return {
        type: 'bindings',
        variables: query.variables,
        batches: new PacedStream(
          solutions(operator!, query.variables, slots, execution, options),
          execution,
          options.memory,
        ),
      };
    }
    case 'ask':
      return ask(operator!, execution);
    case 'construct': {
      const template = new Template(query.template, source.terms, scope);
      return {
        type: 'quads',
        batches: new PacedStream(construct(operator!, template, evaluation, options), execution, options.memory),
        prefixes: prefixesOf(query),
      };
    }
    case 'describe':
      return {
        type: 'quads',
        batches: new PacedStream(describe(query, operator, evaluation, options), execution, options.memory),
        prefixes: prefixesOf(query),
      };
  }
}

/** Returns a copy, because the parser shares its map between texts with the same prologue. */
export function prefixesOf({ prefixes = new Map() }: Query): Readonly<Record<string, string>> {
  return Object.fromEntries(prefixes);
}

function ask(operator: Operator, execution: Execution): SparqlResult | Promise<SparqlResult> {
  const batches = execution.run(operator);
  if (execution.pauseDue) return askOn(batches, execution);
  try {
    const first = batches.next();
    if (first.done) return { type: 'boolean', value: false };
    if (isPause(first.value)) return askOn(batches, execution);
    batches.return();
    return { type: 'boolean', value: true };
  } catch (error) {
    throw withoutOverflow(error);
  }
}

async function askOn(batches: Stream, execution: Execution): Promise<SparqlResult> {
  try {
    await execution.pause();
    for (const batch of batches) {
      if (!isPause(batch)) return { type: 'boolean', value: true };
      await execution.pause();
    }
    return { type: 'boolean', value: false };
  } catch (error) {
    throw withoutOverflow(error);
  }
}

function* solutions(
  operator: Operator,
  variables: readonly string[],
  slots: readonly number[],
  execution: Execution,
  { maxRows }: EvaluateOptions,
): Steps<BindingsBatch> {
  const terms = new TermCache(execution.source.terms, execution);
  const count = rowCounter(maxRows);
  // Planning may have used up the time slice.
  if (execution.pauseDue) yield PAUSE;
  for (const batch of execution.run(operator)) {
    if (isPause(batch)) {
      yield PAUSE;
      continue;
    }
    count(batch.length);
    yield new SolutionBatch(variables, ownColumns(batch, slots), batch.length, terms);
    // The consumer may have spent a long time on the batch.
    if (execution.pauseDue) yield PAUSE;
  }
}

/** Returns a counter of output rows that throws LIMIT_EXCEEDED above the limit. */
function rowCounter(maxRows: number | undefined): (rows: number) => void {
  let rows = 0;
  return (more) => {
    rows += more;
    if (maxRows !== undefined && rows > maxRows) {
      throw new WorldsError(
        'LIMIT_EXCEEDED',
        `The query has more than ${maxRows} rows; add a LIMIT, or raise maxRows.`,
      );
    }
  };
}

/**
 * A set of triples by id. CONSTRUCT and DESCRIBE produce a graph, so each triple is returned once.
 * Partitioned by predicate, because most triples share a few predicates.
 */
class TripleSet {
  private readonly execution: Execution;
  private readonly byPredicate = new Map<TermId, RowNumbers>();
  private last: RowNumbers | undefined;
  private lastPredicate: TermId = NO_TERM;

  constructor(execution: Execution) {
    this.execution = execution;
  }

  /** Adds a triple and returns whether it is new. */
  add(subject: TermId, predicate: TermId, object: TermId): boolean {
    let pairs = this.last;
    if (pairs === undefined || predicate !== this.lastPredicate) {
      pairs = this.byPredicate.get(predicate);
      if (pairs === undefined) {
        pairs = new RowNumbers(2, this.execution);
        this.byPredicate.set(predicate, pairs);
      }
      this.last = pairs;
      this.lastPredicate = predicate;
    }
    const known = pairs.size;
    return pairs.numberOfTwo(subject, object) === known;
  }
}

/** Collects triples that have not been returned before. */
class NewTriples implements QuadReceiver {
  private readonly execution: Execution;
  /** Undefined if no triple comes twice. */
  private readonly seen: TripleSet | undefined;
  private readonly terms: TermCache;
  private quads: RDF.Quad[] = [];

  constructor(execution: Execution, seen: TripleSet | undefined) {
    this.seen = seen;
    this.execution = execution;
    this.terms = new TermCache(execution.source.terms, execution);
  }

  add(subject: TermId, predicate: TermId, object: TermId): void {
    if (this.seen?.add(subject, predicate, object) === false) return;
    const quad = this.terms.triple(subject, predicate, object);
    const { length } = quad.object.value;
    if (length >= LARGE_TEXT) this.execution.claimTemporary(length);
    this.quads.push(quad);
  }

  /** Returns the triples added since the last call. */
  take(): RDF.Quad[] {
    const { quads } = this;
    this.quads = [];
    return quads;
  }
}

function* construct(
  operator: Operator,
  template: Template,
  { execution }: Evaluation,
  { maxRows }: EvaluateOptions,
): Steps<QuadsBatch> {
  const isSet = operator.isDistinct === true && template.isOneToOne(operator.slots);
  const triples = new NewTriples(execution, isSet ? undefined : new TripleSet(execution));
  const count = rowCounter(maxRows);
  if (execution.pauseDue) yield PAUSE;
  for (const batch of execution.run(operator)) {
    if (isPause(batch)) {
      yield PAUSE;
      continue;
    }
    for (const _ of template.instantiateAll(batch, triples)) {
      if (!execution.pauseDue) continue;
      // A template of thousands of triples yields millions per batch.
      const quads = triples.take();
      count(quads.length);
      if (quads.length > 0) yield quads;
      yield PAUSE;
    }
    const quads = triples.take();
    count(quads.length);
    if (quads.length > 0) yield quads;
    if (execution.pauseDue) yield PAUSE;
  }
}

/**
 * Computes the concise bounded description of each resource in the default graph: its triples, and
 * recursively those of the blank nodes among their objects.
 */
function* describe(
  { targets }: Query & { type: 'describe' },
  operator: Operator | undefined,
  { execution, source, scope }: Evaluation,
  { maxRows, canonicalOrder }: EvaluateOptions,
): Steps<QuadsBatch> {
  const resources = new Set<TermId>();
  for (const target of targets) if (target.termType === 'NamedNode') resources.add(source.terms.find(target));
  if (operator) {
    const slots = targets.flatMap((target) => (target.termType === 'Variable' ? [scope.slot(target.value)] : []));
    if (execution.pauseDue) yield PAUSE;
    for (const batch of execution.run(operator)) {
      if (isPause(batch)) {
        yield PAUSE;
        continue;
      }
      const known = resources.size;
      for (const slot of slots) {
        const column = batch.columns[slot];
        for (let row = 0; column && row < batch.length; row++) resources.add(column[row]);
      }
      execution.claimMemory((resources.size - known) * RESOURCE_BYTES);
    }
  }
  resources.delete(NO_TERM);
  const terms = new TermCache(source.terms, execution);
  const count = rowCounter(maxRows);
  const seen = new TripleSet(execution);
  const cursor = source.cursor();
  const found = new QuadBatch();
  // Resources added during the iteration are described, too.
  for (const resource of resources) {
    if (canonicalOrder) {
      const memory = new MemoryClaims(execution);
      for (const { predicate, object } of yield* sortedTriples(resource, execution, memory)) {
        if (source.terms.kind(object) === 'blank') resources.add(object);
        if (seen.add(resource, predicate, object)) {
          count(1);
          yield [terms.triple(resource, predicate, object)];
        }
        if (execution.pauseDue) yield PAUSE;
      }
      memory.release();
      continue;
    }
    cursor.seek(resource, NO_TERM, NO_TERM, DEFAULT_GRAPH);
    while (cursor.next(found) > 0) {
      const known = resources.size;
      const quads: RDF.Quad[] = [];
      for (let row = 0; row < found.length; row++) {
        const { subject, predicate, object } = found;
        if (seen.add(subject[row], predicate[row], object[row])) {
          quads.push(terms.triple(subject[row], predicate[row], object[row]));
        }
        if (source.terms.kind(object[row]) === 'blank') resources.add(object[row]);
      }
      execution.claimMemory((resources.size - known) * RESOURCE_BYTES);
      count(quads.length);
      if (quads.length > 0) yield quads;
      if (execution.pauseDue) yield PAUSE;
    }
    if (execution.pauseDue) yield PAUSE;
  }
}
