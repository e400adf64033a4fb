import type { Algebra, Expression } from '../algebra/algebra.ts';
import type { Operator } from '../exec/operator.ts';
import { MAX_PLAN_DEPTH, tooDeep } from '../stack-depth.ts';
import type { ActiveGraph } from './active-graph.ts';
import { addUnits } from './add-units.ts';
import { filterAll } from './filter-all.ts';
import { JoinOrder } from './join-order.ts';
import { joinRows, joinUnit } from './join-unit.ts';
import type { Planner } from './planner.ts';
import { beginning, MAX_FIRST_ROWS } from './rules/first-rows.ts';
import { joinEqualTerms } from './rules/join-equal-terms.ts';
import type { Scope } from './scope.ts';
import { firstRunnable, isRunnable, UNIT, type Unit } from './unit.ts';
import { expressionVariables, mentionsExists } from './variables.ts';

export function planGroup(
  planner: Planner,
  algebra: Algebra,
  conditions: readonly Expression[],
  scope: Scope,
  graph: ActiveGraph,
  start?: Operator,
  keep = Number.POSITIVE_INFINITY,
): Operator {
  const units: Unit[] = [];
  addUnits(planner, algebra, scope, graph, units);
  const others = planner.optimize ? joinEqualTerms(algebra, conditions, scope, units) : conditions;
  // Each is an operator upon the one before.
  if (units.length > MAX_PLAN_DEPTH) throw tooDeep();
  const order =
    planner.optimize && units.length > 1
      ? new JoinOrder(units, (unit, current) => joinRows(planner, unit, current), isRunnable)
      : undefined;
  let current = start;
  let waiting = others.map((condition) => waitingFor(condition, scope));
  const applyReady = (isLast: boolean): void => {
    if (!current || waiting.length === 0) return;
    const ready = isLast ? waiting : waiting.filter((one) => isReady(one, current!, units));
    if (ready.length === 0) return;
    const done = new Set(ready);
    waiting = waiting.filter((one) => !done.has(one));
    current = filterAll(
      planner,
      current,
      ready.map(({ condition }) => condition),
      scope,
      graph,
    );
  };
  if (planner.optimize) applyReady(false);
  while (units.length > 0) {
    let next = order?.take(current) ?? firstRunnable(units, current);
    if (order && !current && keep <= MAX_FIRST_ROWS) next = order.instead(next, beginning(planner, next, units));
    units.splice(units.indexOf(next), 1);
    current = joinUnit(planner, current, next);
    if (planner.optimize) applyReady(false);
  }
  current ??= UNIT;
  applyReady(true);
  return current;
}

/** A condition of a group that waits for its variables. */
interface WaitingCondition {
  readonly condition: Expression;
  readonly needsAll: boolean;
  readonly slots: readonly number[];
}

function waitingFor(condition: Expression, scope: Scope): WaitingCondition {
  const needsAll = mentionsExists(condition);
  const slots: number[] = [];
  for (const name of expressionVariables(condition)) {
    const slot = scope.find(name);
    if (slot !== undefined) slots.push(slot);
  }
  return { condition, needsAll, slots };
}

/** A condition may be asked once what it mentions is bound in every row, or will not be bound by what is left to join. */
function isReady({ needsAll, slots }: WaitingCondition, current: Operator, rest: readonly Unit[]): boolean {
  if (needsAll) return rest.length === 0;
  return slots.every((slot) => current.certain.has(slot) || !rest.some((unit) => unit.slots.includes(slot)));
}
