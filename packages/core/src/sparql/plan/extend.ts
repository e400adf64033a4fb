import type { Expression } from '../algebra/algebra.ts';
import { Extend } from '../exec/extend.ts';
import type { Operator } from '../exec/operator.ts';
import type { PatternPlanner } from './pattern-planner.ts';
import type { Planning } from './planning.ts';
import { coarseNumbers } from './rules/coarse-numbers.ts';
import type { Scope } from './scope.ts';
import { numbered, solutionSlot } from './solution-number.ts';
import { isDeterministic } from './variables.ts';
import { withoutExists } from './without-exists.ts';

/** In larger queries, an expression adds one operator to the depth of the plan, and no more. */
const MAX_NAMES = 200;

export function* extend(
  planner: PatternPlanner,
  input: Operator,
  variable: string,
  expression: Expression,
  scope: Scope,
): Planning<Operator> {
  const coarse =
    planner.optimize && scope.counter.names.length < MAX_NAMES && isDeterministic(expression)
      ? coarseNumbers(expression, () => scope.newVariable('number'))
      : undefined;
  if (coarse) {
    let current = input;
    for (const part of coarse.numbers) current = yield* extend(planner, current, part.variable, part.expression, scope);
    return yield* extend(planner, current, variable, coarse.rest, scope);
  }
  const marked = yield* withoutExists(planner, numbered(input, expression, scope), expression, scope);
  const slot = scope.slot(variable);
  const term = planner.conditions.term(marked.expression, scope, planner, solutionSlot(marked.input));
  return new Extend(marked.input, slot, term);
}
