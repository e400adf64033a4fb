import type { Algebra } from '../algebra/algebra.ts';
import { Group } from '../exec/group.ts';
import type { Operator } from '../exec/operator.ts';
import { Project } from '../exec/project.ts';
import { Rows } from '../exec/rows.ts';
import { Union } from '../exec/union.ts';
import { MAX_PLAN_DEPTH, tooDeep } from '../stack-depth.ts';
import type { ActiveGraph } from './active-graph.ts';
import { extend } from './extend.ts';
import type { Planner } from './planner.ts';
import type { Scope } from './scope.ts';
import { numbered, solutionSlot } from './solution-number.ts';
import { withoutExists } from './without-exists.ts';

export function planAggregation(
  planner: Planner,
  { input, keys, aggregates }: Algebra & { type: 'group' },
  scope: Scope,
  graph: ActiveGraph,
): Operator {
  // Each key that is computed is an operator upon the one before.
  if (keys.reduce((count, { expression }) => count + (expression.type === 'variable' ? 0 : 1), 0) > MAX_PLAN_DEPTH)
    throw tooDeep();
  // What is below the grouping is seen only through the keys and aggregates.
  const inner = scope.subquery([]);
  let operator = planner.plan(input, inner, graph);
  const keySlots: number[] = [];
  const keyPairs: [inner: number, outer: number][] = [];
  for (const { variable, expression } of keys) {
    if (expression.type !== 'variable') operator = extend(planner, operator, variable, expression, inner, graph);
    const name = expression.type === 'variable' ? expression.name : variable;
    const slot = inner.slot(name);
    keySlots.push(slot);
    keyPairs.push([slot, scope.slot(variable)]);
  }
  const specs = aggregates.map(({ variable, aggregate }) => {
    const { argument } = aggregate;
    const slot = scope.slot(variable);
    // Blank nodes of a pattern are variables of the plan, but not of a solution (section 18.3.1).
    if (!argument) return { slot, aggregate, solutionSlots: visibleSlots(operator, inner) };
    if (argument.type === 'variable') return { slot, aggregate, argumentSlot: inner.slot(argument.name) };
    const marked = withoutExists(planner, numbered(operator, argument, inner), argument, inner, graph);
    operator = marked.input;
    return {
      slot,
      aggregate,
      argument: planner.conditions.value(marked.expression, inner, graph, planner, solutionSlot(operator)),
    };
  });
  const unique = [...new Set(keySlots)];
  const given = new Set(operator.slots);
  const missing = unique.filter((slot) => !given.has(slot));
  if (missing.length > 0) operator = unbound(operator, missing);
  const grouped = new Group(operator, unique, specs);
  return new Project(grouped, [...keyPairs.map(([, outer]) => outer), ...specs.map(({ slot }) => slot)], keyPairs);
}

/** The slots of names that a text can have. */
function visibleSlots({ slots }: Operator, scope: Scope): number[] {
  const visible: number[] = [];
  const given = new Set(slots);
  for (const [name, slot] of scope.names()) if (!name.startsWith('.') && given.has(slot)) visible.push(slot);
  return visible;
}

/** The same rows with slots that are unbound in all. */
function unbound(operator: Operator, slots: readonly number[]): Operator {
  return new Union([operator, new Rows(slots, [])]);
}
