import {
  type EngineWiring,
  type EvaluatorMediator,
  type ExpressionEvaluator,
  type FunctionMediator,
  PACER,
} from './engine-wiring.ts';
import type { Pacer } from './pacer.ts';

/**
 * Comunica's expression errors, which leave a variable unbound or drop a solution; Comunica
 * rethrows all others.
 */
export type ExpressionErrors = Pick<
  typeof import('@comunica/utils-expression-evaluator'),
  'ExpressionError' | 'isExpressionError'
>;

/** Comunica's names of the functions that take a pattern. */
const PATTERN_FUNCTIONS: ReadonlySet<string> = new Set(['regex', 'replace']);

const EVALUATIONS = [
  'evaluate',
  'evaluateAsEBV',
  'evaluateAsEvaluatorExpression',
] as const satisfies readonly (keyof ExpressionEvaluator)[];

/**
 * Wraps every expression that this engine evaluates in a guard. An error that is not an expression
 * error fails the evaluation through its pacer, and Comunica receives an expression error instead:
 * it throws others inside transforms, where they cannot be caught and the query never ends.
 */
export function guardExpressions({ evaluators, functions }: EngineWiring, errors: ExpressionErrors): void {
  guardPatterns(functions, errors);
  guardEvaluators(evaluators, errors);
}

/**
 * Converts invalid arguments to expression errors. SPARQL 1.1 sections 17.4.3.14 and 17.4.3.15
 * adopt `fn:matches` and `fn:replace`, in which a malformed pattern (err:FORX0002), wrong flags
 * (FORX0001) and a malformed replacement (FORX0004) are errors of that one call; section 17.2
 * defines their effect. Comunica throws the errors of JavaScript's RegExp.
 */
function guardPatterns(functions: FunctionMediator, { ExpressionError, isExpressionError }: ExpressionErrors): void {
  const mediate = functions.mediate.bind(functions);
  functions.mediate = async (action) => {
    const implementation = await mediate(action);
    if (!PATTERN_FUNCTIONS.has(action.functionName)) return implementation;
    const apply = implementation.applyOnTerms?.bind(implementation);
    if (!apply) throw new Error(`This version of Comunica computes ${action.functionName} differently.`);
    implementation.applyOnTerms = (...call) => {
      try {
        return apply(...call);
      } catch (cause) {
        if (isExpressionError(cause as Error)) throw cause;
        throw new ExpressionError(cause instanceof Error ? cause.message : String(cause));
      }
    };
    return implementation;
  };
}

function guardEvaluators(
  evaluators: EvaluatorMediator,
  { ExpressionError, isExpressionError }: ExpressionErrors,
): void {
  const mediate = evaluators.mediate.bind(evaluators);
  evaluators.mediate = async (action) => {
    const evaluator = await mediate(action);
    const pacer = action.context.get({ name: PACER }) as Pacer | undefined;
    if (!pacer) return evaluator;
    for (const method of EVALUATIONS) {
      const evaluate = evaluator[method].bind(evaluator);
      evaluator[method] = async (solution) => {
        try {
          return await evaluate(solution);
        } catch (cause) {
          const error = cause instanceof Error ? cause : new Error(String(cause));
          if (isExpressionError(error)) throw error;
          pacer.fail(error);
          throw new ExpressionError(error.message);
        }
      };
    }
    return evaluator;
  };
}
