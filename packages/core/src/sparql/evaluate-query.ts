import type { QuadSource } from '../contracts/quad-source.ts';
import type { BindingsBatch, EvaluateOptions, QuadsBatch, SparqlResult } from '../contracts/sparql-engine.ts';
import { throwIfAborted } from '../model/worlds-error.ts';
import type { Query } from './algebra/algebra.ts';
import { describe } from './describe.ts';
import { PAUSE, type Stream } from './exec/batch.ts';
import { type Execution, isPause } from './exec/execution.ts';
import type { Operator } from './exec/operator.ts';
import type { KeptAs } from './kept-plans.ts';
import { NewTriples, TripleSet } from './new-triples.ts';
import { PacedStream, type Steps } from './paced-stream.ts';
import { type Evaluation, type PlannedQuery, plannedQuery } from './plan-query.ts';
import type { RequestOptions } from './request-options.ts';
import { rowCounter } from './row-counter.ts';
import { ownColumns, SolutionBatch, TermCache } from './solution-batch.ts';
import { withoutOverflow } from './stack-depth.ts';
import { Template } from './template.ts';

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
  const planned = plannedQuery(query, whole, request, options, keptAs);
  return planned instanceof Promise ? planned.then((ready) => runQuery(ready, options)) : runQuery(planned, options);
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
