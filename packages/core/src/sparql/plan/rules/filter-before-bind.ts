import type { Algebra, Expression } from '../../algebra/algebra.ts';
import { balanced } from '../../algebra/balanced.ts';
import type { Operator } from '../../exec/operator.ts';
import { ANY_SLOT, isNumberExpression, isNumberTest } from '../../vectors/programs.ts';
import { needsSolutionNumber } from '../conditions.ts';
import { extend } from '../extend.ts';
import { filterAll } from '../filter-all.ts';
import type { PatternPlanner } from '../pattern-planner.ts';
import type { Planning } from '../planning.ts';
import type { Scope } from '../scope.ts';
import { expressionVariables, mentionsExists, replaceVariables } from '../variables.ts';

/**
 * Filter pushdown below BIND. A condition that does not mention the variable runs before it. So
 * does one that compares numbers, with the expression in place of the variable: computing a number
 * twice costs less than storing a term for each row that is dropped. An error in the expression
 * leaves the variable unbound (section 18.5, Extend), and evaluating either is the same error
 * (section 17.2).
 */
export function* filterBeforeBind(
  planner: PatternPlanner,
  input: Algebra,
  conditions: readonly Expression[],
  scope: Scope,
): Planning<Operator | undefined> {
  if (input.type !== 'extend') return undefined;
  const early: Expression[] = [];
  const late: Expression[] = [];
  for (const condition of conditions) {
    const moved = beforeBind(condition, input.variable, input.expression);
    if (moved) early.push(moved);
    else late.push(condition);
  }
  if (early.length === 0) return undefined;
  const filtered: Algebra = { type: 'filter', input: input.input, condition: balanced('&&', early) };
  const below = yield* planner.plan(filtered, scope);
  const bound = yield* extend(planner, below, input.variable, input.expression, scope);
  return late.length > 0 ? yield* filterAll(planner, bound, late, scope) : bound;
}

function beforeBind(condition: Expression, variable: string, expression: Expression): Expression | undefined {
  if (mentionsExists(condition) || needsSolutionNumber(condition)) return undefined;
  if (!expressionVariables(condition).has(variable)) return condition;
  if (!isNumberExpression(expression, ANY_SLOT)) return undefined;
  const replaced = replaceVariables(condition, new Map([[variable, expression]]));
  // Chains of BIND would square its calls each time: too many are no test of numbers.
  return isNumberTest(replaced, ANY_SLOT) ? replaced : undefined;
}
