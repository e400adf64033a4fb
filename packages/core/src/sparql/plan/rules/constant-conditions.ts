import type { Expression } from '../../algebra/algebra.ts';
import type { PatternPlanner } from '../pattern-planner.ts';
import type { Planning } from '../planning.ts';

/** What a look at a condition takes, in steps of planning. */
const LOOK_STEPS = 8;

/**
 * The conditions that depend on a row, or on chance; undefined when one of the others is not true,
 * so that no row passes.
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
