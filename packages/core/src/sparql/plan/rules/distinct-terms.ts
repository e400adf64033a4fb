import type { Algebra } from '../../algebra/algebra.ts';
import type { Operator } from '../../exec/operator.ts';
import type { PatternPlanner } from '../pattern-planner.ts';
import type { Scope } from '../scope.ts';
import { termCounts } from './term-counts.ts';

/** Answers DISTINCT of one variable over one pattern from its ranges. */
export function distinctTerms(planner: PatternPlanner, algebra: Algebra, scope: Scope): Operator | undefined {
  if (algebra.type !== 'distinct' || algebra.input.type !== 'project') return undefined;
  const { variables, input } = algebra.input;
  if (variables.length !== 1) return undefined;
  return termCounts(planner, input, variables[0], scope, []);
}
