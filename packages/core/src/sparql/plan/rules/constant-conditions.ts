import type { Expression } from '../../algebra/algebra.ts';
import type { PatternPlanner } from '../pattern-planner.ts';

/** Planning steps charged per examined condition. */
const LOOK_STEPS = 8;

/**
 * Evaluates a condition if it is constant. Returns undefined if it depends on a row or on
 * randomness.
 */
export function constantResult(planner: PatternPlanner, condition: Expression): boolean | undefined {
  planner.claimSteps(LOOK_STEPS);
  return planner.conditions.constantTest(condition);
}
