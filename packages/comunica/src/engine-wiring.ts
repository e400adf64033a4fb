import type { QueryEngine } from '@comunica/query-sparql-rdfjs';
import type { AsyncIterator } from 'asynciterator';

/** The key in Comunica's context under which an evaluation's `Pacer` is passed. */
export const PACER = 'rdf-worlds:pacer';

/** A point in Comunica that all actions of one kind pass through. */
export interface Mediator<Action, Output> {
  mediate(action: Action): Promise<Output>;
}

interface InContext {
  readonly context: { get(key: { readonly name: string }): unknown };
}

/** Evaluates one operation of a query. */
export type OperationMediator = Mediator<InContext, { type: string; bindingsStream?: AsyncIterator<unknown> }>;

/** Creates the evaluator of one expression, which is called per solution. */
export type EvaluatorMediator = Mediator<InContext, ExpressionEvaluator>;
export type ExpressionEvaluator = {
  [Method in 'evaluate' | 'evaluateAsEBV' | 'evaluateAsEvaluatorExpression']: (solution: unknown) => Promise<unknown>;
};

/** Finds the implementation of one function or operator; returns a new object each time. */
export type FunctionMediator = Mediator<{ readonly functionName: string }, FunctionImplementation>;
export interface FunctionImplementation {
  /** Present on functions of terms; all calls of such a function pass through it. */
  applyOnTerms?(...call: unknown[]): unknown;
}

interface Bus<Actor> {
  readonly bus: { readonly actors: readonly Actor[] };
}
interface OperationActor {
  readonly mediatorExpressionEvaluatorFactory?: EvaluatorMediator & Bus<EvaluatorActor>;
}
interface EvaluatorActor {
  readonly mediatorFunctionFactory?: FunctionMediator;
}
interface ProcessActor {
  readonly mediatorQueryOperation?: OperationMediator & Bus<OperationActor>;
}
interface Wired {
  readonly actorInitQuery: { readonly mediatorQueryProcess: Bus<ProcessActor> };
}

/** The parts of Comunica's wiring into which this package inserts guards. */
export interface EngineWiring {
  readonly operations: OperationMediator;
  readonly evaluators: EvaluatorMediator;
  readonly functions: FunctionMediator;
}

function first<Actor, Part>({ bus }: Bus<Actor>, part: (actor: Actor) => Part | undefined): Part {
  for (const actor of bus.actors) {
    const found = part(actor);
    if (found) return found;
  }
  throw new Error('This version of Comunica is wired differently: its operations cannot be guarded.');
}

/** Finds those parts. Throws if this version of Comunica has them elsewhere. */
export function engineWiring(engine: QueryEngine): EngineWiring {
  const { mediatorQueryProcess } = (engine as unknown as Wired).actorInitQuery;
  const operations = first(mediatorQueryProcess, (actor) => actor.mediatorQueryOperation);
  const evaluators = first(operations, (actor) => actor.mediatorExpressionEvaluatorFactory);
  const functions = first(evaluators, (actor) => actor.mediatorFunctionFactory);
  return { operations, evaluators, functions };
}
