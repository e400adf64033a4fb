import type { Aggregate, Algebra, Expression } from '../algebra/algebra.ts';
import type { GroupAggregate } from '../exec/aggregate-column.ts';
import { Group } from '../exec/group.ts';
import type { Operator } from '../exec/operator.ts';
import { Project } from '../exec/project.ts';
import { Rows } from '../exec/rows.ts';
import { Union } from '../exec/union.ts';
import { MAX_PLAN_DEPTH, tooDeep } from '../stack-depth.ts';
import { ANY_SLOT, isNumberExpression } from '../vectors/programs.ts';
import { extend } from './extend.ts';
import type { PatternPlanner } from './pattern-planner.ts';
import type { Planning } from './planning.ts';
import { boundNumbers } from './rules/bound-numbers.ts';
import type { Scope } from './scope.ts';
import { numbered, solutionSlot } from './solution-number.ts';
import { replaceVariables } from './variables.ts';
import { withoutExists } from './without-exists.ts';

/**
 * Arguments of aggregates that become terms first; each adds an operator to the depth of the plan.
 */
const MAX_COMPUTED = 16;

/** Planning steps charged per aggregate. */
const AGGREGATE_STEPS = 16;

export function* planAggregation(
  planner: PatternPlanner,
  { input, keys, aggregates }: Algebra & { type: 'group' },
  scope: Scope,
): Planning<Operator> {
  // Each computed key adds an operator to the depth of the plan.
  if (keys.reduce((count, { expression }) => count + (expression.type === 'variable' ? 0 : 1), 0) > MAX_PLAN_DEPTH)
    throw tooDeep();
  // Variables below the grouping are visible only through keys and aggregates.
  const inner = scope.subquery([]);
  let operator = yield* planner.plan(input, inner);
  const keySlots: number[] = [];
  const keyPairs: [inner: number, outer: number][] = [];
  for (const { variable, expression } of keys) {
    if (expression.type !== 'variable') operator = yield* extend(planner, operator, variable, expression, inner);
    const name = expression.type === 'variable' ? expression.name : variable;
    const slot = inner.slot(name);
    keySlots.push(slot);
    keyPairs.push([slot, scope.slot(variable)]);
  }
  const specs: GroupAggregate[] = [];
  let computed = 0;
  const numbers = planner.optimize && aggregates.some(({ aggregate }) => isSum(aggregate)) ? boundNumbers(input) : NONE;
  for (const { variable, aggregate } of aggregates) {
    planner.claimSteps(AGGREGATE_STEPS);
    if (planner.isYieldDue) yield;
    const argument = isSum(aggregate) ? summed(aggregate.argument, numbers) : aggregate.argument;
    const slot = scope.slot(variable);
    // Blank nodes of a pattern are plan variables, but not part of a solution (section 18.3.1).
    if (!argument)
      specs.push({ slot, aggregate, solutionSlots: aggregate.distinct ? visibleSlots(operator, inner) : [] });
    else if (argument.type === 'variable') specs.push({ slot, aggregate, argumentSlot: inner.slot(argument.name) });
    else if (isOfTerms(aggregate, argument) && planner.optimize && computed++ < MAX_COMPUTED) {
      const name = inner.newVariable('counted');
      operator = yield* extend(planner, operator, name, argument, inner);
      specs.push({ slot, aggregate, argumentSlot: inner.slot(name) });
    } else {
      const marked = yield* withoutExists(planner, numbered(operator, argument, inner), argument, inner);
      operator = marked.input;
      const value = planner.conditions.value(marked.expression, inner, solutionSlot(operator));
      specs.push({ slot, aggregate, argument: value });
    }
  }
  const unique = [...new Set(keySlots)];
  const given = new Set(operator.slots);
  const missing = unique.filter((slot) => !given.has(slot));
  if (missing.length > 0) operator = unbound(operator, missing);
  const grouped = new Group(operator, unique, specs);
  return new Project(grouped, [...keyPairs.map(([, outer]) => outer), ...specs.map(({ slot }) => slot)], keyPairs);
}

const NONE: ReadonlyMap<string, Expression> = new Map();

function isSum({ function: name, distinct }: Aggregate): boolean {
  return (name === 'SUM' || name === 'AVG') && !distinct;
}

/** Returns the argument of a sum, computed from {@link boundNumbers} where that is possible. */
function summed(argument: Expression | undefined, numbers: ReadonlyMap<string, Expression>): Expression | undefined {
  if (!argument || numbers.size === 0 || !isNumberExpression(argument, ANY_SLOT)) return argument;
  const replaced = replaceVariables(argument, numbers);
  return isNumberExpression(replaced, ANY_SLOT) ? replaced : argument;
}

/**
 * Whether an aggregate is cheaper if its argument becomes a term: distinct terms are counted by id,
 * and the least and the greatest of computed numbers are found without values.
 */
function isOfTerms({ function: name, distinct }: Aggregate, argument: Expression): boolean {
  if (name === 'COUNT') return distinct;
  return (name === 'MIN' || name === 'MAX') && isNumberExpression(argument, ANY_SLOT);
}

/** Returns the slots of variables that a query text can name. */
function visibleSlots({ slots }: Operator, scope: Scope): number[] {
  const visible: number[] = [];
  const given = new Set(slots);
  for (const [name, slot] of scope.names()) if (!name.startsWith('.') && given.has(slot)) visible.push(slot);
  return visible;
}

/** Adds slots that are unbound in all rows. */
function unbound(operator: Operator, slots: readonly number[]): Operator {
  return new Union([operator, new Rows(slots, [])]);
}
