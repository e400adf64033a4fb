import type { Algebra } from '../../algebra/algebra.ts';
import type { Operator } from '../../exec/operator.ts';
import type { ActiveGraph } from '../active-graph.ts';
import type { PatternPlanner } from '../pattern-planner.ts';
import type { Scope } from '../scope.ts';
import { countByTerm } from './count-by-term.ts';
import { countDistinctTerms } from './count-distinct-terms.ts';
import { countRange } from './count-range.ts';
import { distinctTerms } from './distinct-terms.ts';

/** A better plan for an expression of the algebra, with the same solutions. */
export interface PlanRule {
  readonly name: string;
  /** Undefined when it is not for this expression. */
  plan(planner: PatternPlanner, algebra: Algebra, scope: Scope, graph: ActiveGraph): Operator | undefined;
}

/** A rule is a row. The first that has a plan is taken. */
export const PLAN_RULES: readonly PlanRule[] = [
  { name: 'distinct terms from ranges', plan: distinctTerms },
  { name: 'count from a range', plan: countRange },
  { name: 'counts by term from ranges', plan: countByTerm },
  { name: 'count of distinct terms from ranges', plan: countDistinctTerms },
];
