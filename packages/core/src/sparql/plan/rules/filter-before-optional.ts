import type { Algebra, Expression } from '../../algebra/algebra.ts';
import { balanced } from '../../algebra/balanced.ts';
import type { Operator } from '../../exec/operator.ts';
import { filterAll } from '../filter-all.ts';
import type { PatternPlanner } from '../pattern-planner.ts';
import { planLeftJoin } from '../plan-left-join.ts';
import type { Planning } from '../planning.ts';
import type { Scope } from '../scope.ts';
import { expressionVariables, mentionsExists, variablesOf } from '../variables.ts';
import { optionalNotBound } from './optional-not-bound.ts';

/**
 * Filter pushdown below OPTIONAL: conditions that the optional side cannot affect run before the
 * join. In a chain of OPTIONALs, a condition runs after the last one that may bind one of its
 * variables; a condition with EXISTS runs after all of them.
 */
export function* filterBeforeOptional(
  planner: PatternPlanner,
  input: Algebra,
  conditions: readonly Expression[],
  scope: Scope,
): Planning<Operator | undefined> {
  if (input.type !== 'leftJoin') return undefined;
  const joins: (typeof input)[] = [];
  let first: Algebra = input;
  for (; first.type === 'leftJoin'; first = first.left) joins.unshift(first);
  /** For each variable, the 1-based position of the last OPTIONAL that may bind it. */
  const binders = new Map<string, number>();
  joins.forEach(({ right }, at) => {
    for (const name of variablesOf(right)) binders.set(name, at + 1);
  });
  const behind: Expression[][] = Array.from({ length: joins.length + 1 }, () => []);
  for (const condition of conditions) {
    let at = mentionsExists(condition) ? joins.length : 0;
    for (const name of expressionVariables(condition)) at = Math.max(at, binders.get(name) ?? 0);
    behind[at].push(condition);
  }
  const [early] = behind;
  const left: Algebra = early.length > 0 ? { type: 'filter', input: first, condition: balanced('&&', early) } : first;
  let operator = yield* planner.plan(left, scope);
  for (const [at, join] of joins.entries()) {
    const negated = optionalNotBound(planner, join, operator, behind[at + 1], scope);
    const late = negated ?? behind[at + 1];
    if (!negated) operator = yield* planLeftJoin(planner, join, operator, scope);
    if (late.length > 0) operator = yield* filterAll(planner, operator, late, scope);
    if (planner.isYieldDue) yield;
  }
  return operator;
}
