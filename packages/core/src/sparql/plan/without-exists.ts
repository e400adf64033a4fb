import type { Algebra, Expression } from '../algebra/algebra.ts';
import { Apply, Seed } from '../exec/apply.ts';
import { ExistsMark } from '../exec/exists-mark.ts';
import type { Operator } from '../exec/operator.ts';
import { ProbeJoin } from '../exec/probe-join.ts';
import { SlotSet } from '../exec/slot-set.ts';
import { MAX_PLAN_DEPTH, tooDeep } from '../stack-depth.ts';
import type { PatternPlanner } from './pattern-planner.ts';
import type { Planning } from './planning.ts';
import type { Scope } from './scope.ts';
import { isSeedable, type SeededNames } from './seedable.ts';
import { decidedWithoutExists, everyExists, mentionsExists, replaceExists } from './variables.ts';

/**
 * Plans the pattern of an EXISTS to run for all rows of the input together. Returns undefined if
 * that is not equivalent to running it per row.
 */
export function* seededPattern(
  planner: PatternPlanner,
  input: Operator,
  pattern: Algebra,
  scope: Scope,
): Planning<{ readonly seed: Seed; readonly part: Operator } | undefined> {
  if (!planner.optimize || !isSeedable(pattern, seededNames(input, scope), true)) return undefined;
  // Only named variables are visible to the pattern. Without this, a nested EXISTS would carry the
  // row numbers of all enclosing ones.
  const seed = new Seed(input, scope.counter.take(), (slot) => scope.counter.names[slot] !== undefined);
  const { substituted } = planner;
  planner.substituted = input.certain;
  const part = yield* planner.planSeeded(pattern, seed, scope);
  planner.substituted = substituted;
  return { seed, part: firstMatches(part) };
}

/**
 * Makes the last lookup of a pattern give one match per row, where nothing is tested behind it. For
 * patterns of which one match is enough.
 */
export function firstMatches(part: Operator): Operator {
  return part instanceof ProbeJoin ? part.withFirstOnly() : part;
}

/**
 * Extracts EXISTS from a larger expression. A separate operator computes each result, because it
 * can look up rows in bulk and pause; a variable passes the result to the expression.
 */
export function* withoutExists(
  planner: PatternPlanner,
  input: Operator,
  expression: Expression,
  scope: Scope,
): Planning<{ readonly input: Operator; readonly expression: Expression }> {
  if (!mentionsExists(expression)) return { input, expression };
  let current = input;
  // Each EXISTS adds an operator to the depth of the plan.
  const all = everyExists(expression);
  if (all.length > MAX_PLAN_DEPTH) throw tooDeep();
  const decided = decidedWithoutExists(expression);
  const marks = new Map<Expression, Expression>();
  for (const exists of all) {
    const { pattern, negated } = exists;
    const name = scope.newVariable('exists');
    const slot = scope.slot(name);
    const seeded = yield* seededPattern(planner, current, pattern, scope);
    if (seeded) {
      current = new Apply(current, seeded.seed, seeded.part, 'mark', { markSlot: slot });
    } else {
      const unless = decided && planner.conditions.test(decided, scope, planner);
      const makePattern = planner.conditions.pattern(pattern, scope, planner);
      current = new ExistsMark(current, slot, makePattern, pattern, unless);
    }
    planner.claimSteps(current.slots.length);
    if (planner.isYieldDue) yield;
    const mark: Expression = { type: 'variable', name };
    marks.set(exists, negated ? { type: 'call', function: '!', arguments: [mark] } : mark);
  }
  return { input: current, expression: replaceExists(expression, (exists) => marks.get(exists)!) };
}

/**
 * Returns the variables of an operator. Names are looked up on demand, because in a chain of
 * OPTIONALs each has the variables of all previous ones.
 */
export function seededNames({ slots, certain }: Operator, scope: Scope): SeededNames {
  const all = SlotSet.of(slots);
  const isAmong = (set: SlotSet, name: string) => {
    const slot = scope.find(name);
    return slot !== undefined && set.has(slot);
  };
  return { all: { has: (name) => isAmong(all, name) }, certain: { has: (name) => isAmong(certain, name) } };
}
