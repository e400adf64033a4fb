import type { Expression } from '../algebra/algebra.ts';
import { Extend } from '../exec/extend.ts';
import type { Operator } from '../exec/operator.ts';
import type { PatternPlanner } from './pattern-planner.ts';
import type { Planning } from './planning.ts';
import type { Scope } from './scope.ts';
import { numbered, solutionSlot } from './solution-number.ts';
import { withoutExists } from './without-exists.ts';

export function* extend(
  planner: PatternPlanner,
  input: Operator,
  variable: string,
  expression: Expression,
  scope: Scope,
): Planning<Operator> {
  const marked = yield* withoutExists(planner, numbered(input, expression, scope), expression, scope);
  const slot = scope.slot(variable);
  const term = planner.conditions.term(marked.expression, scope, planner, solutionSlot(marked.input));
  return new Extend(marked.input, slot, term);
}
