import type { Expression } from '../../algebra/algebra.ts';
import type { PatternPlanner } from '../pattern-planner.ts';
import type { Planning } from '../planning.ts';

/** Planning steps charged per examined condition. */
const LOOK_STEPS = 8;

/**
 * Evaluates constant conditions and returns the remaining ones, which depend on a row or on
 * randomness. Returns undefined if a constant condition is not true, so no row passes.
 */
export function* withoutConstants(
  planner: PatternPlanner,
  conditions: readonly Expression[],
): Planning<readonly Expression[] | undefined> {
  const open: Expression[] = [];
  let passes = true;
  for (const condition of conditions) {
    const test = planner.conditions.constantTest(condition);
    if (test === undefined) open.push(condition);
    else if (!test) passes = false;
    planner.claimSteps(LOOK_STEPS);
    if (planner.isYieldDue) yield;
  }
  return passes ? open : undefined;
}
