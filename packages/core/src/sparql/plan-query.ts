import type { QuadSource } from '../contracts/quad-source.ts';
import type { EvaluateOptions } from '../contracts/sparql-engine.ts';
import type { TermId } from '../contracts/term-source.ts';
import { MemoryPool } from '../model/memory-pool.ts';
import { RequestBudget } from '../model/request-budget.ts';
import { DEFAULT_REQUEST_LIMITS, limitExceeded, type RequestLimits } from '../model/request-limits.ts';
import { dataFactory } from '../model/term.ts';
import { throwIfAborted } from '../model/worlds-error.ts';
import type { Algebra, DatasetClause, Query } from './algebra/algebra.ts';
import { Execution } from './exec/execution.ts';
import { estimatedRows, type Operator } from './exec/operator.ts';
import type { KeptAs, KeptPlan } from './kept-plans.ts';
import { Conditions } from './plan/conditions.ts';
import { Planner } from './plan/planner.ts';
import type { Planning } from './plan/planning.ts';
import { Scope, SlotCounter } from './plan/scope.ts';
import type { RequestOptions } from './request-options.ts';
import { requireShallow, withoutOverflow } from './stack-depth.ts';
import { templateVariables } from './template.ts';

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
  given?: KeptAs['given'],
): PlannedEvaluation {
  const { random = Math.random, optimize, limits } = request;
  const conditions = new Conditions({ now: options.now, baseIri, random, limits });
  return {
    source,
    planner: new Planner(source, conditions, { optimize, limits }),
    scope: new Scope(new SlotCounter()),
    execution: openExecution(source, request, options, given),
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
    limits: request.limits,
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

/**
 * Returns the kept plan of a query, or plans it; returns a promise only if planning must pause.
 *
 * @param query called if no plan was kept
 */
export function plannedQuery(
  query: () => Query,
  source: QuadSource,
  request: RequestOptions,
  options: EvaluateOptions,
  keptAs: KeptAs | undefined,
): PlannedQuery | Promise<PlannedQuery> {
  const kept = keptAs && keptPlan(source, request, options, keptAs);
  return kept ?? planQuery(query(), source, request, options, keptAs);
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
  const isForAll = keptAs?.isPlannedForAll === true;
  const evaluation = openEvaluation(source, request, options, query.baseIri, isForAll ? keptAs.given : undefined);
  if (!query.algebra) return { query, evaluation, operator: undefined, planSteps: 0 };
  const planned = (operator: Operator): PlannedQuery | Promise<PlannedQuery> => {
    const { planner, scope, execution } = evaluation;
    if (keptAs?.whenMany && estimatedRows(operator) > FEW_ROWS_OF_OPERANDS) {
      keptAs.plans.keep(keptAs.query, source, { scope, operator, isRefused: true, basis: planner.basis.noted });
      return planQuery(keptAs.whenMany(), whole, request, options);
    }
    if (keptAs && source.measured) {
      const own = planner.isForThisRun ? undefined : { scope, operator, basis: planner.basis.noted };
      const plan = keptAs.given && !isForAll ? planForAll(keptAs.query, operator, source, request, options) : own;
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
 * Most rows of a plan whose conditions have parameters. Testing this many in the general way takes
 * about as long as planning. What is faster than the general way, such as a search of stored values
 * or texts, has to know the constants.
 */
const FEW_ROWS_OF_OPERANDS = 1000;

/**
 * Plans a query with parameters. Returns undefined if that takes too long to be done in addition to
 * another plan, or if the plan would be much worse than `operator`, which was made for the values
 * of one run.
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
  return estimatedRows(general) <= most ? { scope, operator: general, basis: planner.basis.noted } : undefined;
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
