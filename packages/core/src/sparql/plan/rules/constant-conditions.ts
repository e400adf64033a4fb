import type { Expression } from '../../algebra/algebra.ts';
import type { Planner } from '../planner.ts';

/** The conditions that depend on a row, or on chance; undefined when one of the others is not true, so that no row passes. */
export function withoutConstants(
  planner: Planner,
  conditions: readonly Expression[],
): readonly Expression[] | undefined {
  const tests = conditions.map((condition) => planner.conditions.constantTest(condition));
  return tests.includes(false) ? undefined : conditions.filter((_, at) => tests[at] === undefined);
}
