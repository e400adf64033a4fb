import type { Algebra } from '../../algebra/algebra.ts';
import type { Operator } from '../../exec/operator.ts';
import type { PatternPlanner } from '../pattern-planner.ts';
import type { Scope } from '../scope.ts';
import { countByTerm } from './count-by-term.ts';
import { countDistinctTerms } from './count-distinct-terms.ts';
import { countRange } from './count-range.ts';
import { distinctTerms } from './distinct-terms.ts';

/** An optimizer rule: an equivalent, cheaper plan for an algebra expression. */
export interface PlanRule {
  readonly name: string;
  /** The kind of expression that the rule is for. */
  readonly of: Algebra['type'];
  /** Returns undefined if the rule does not apply. */
  plan(planner: PatternPlanner, algebra: Algebra, scope: Scope): Operator | undefined;
}

/** The plan rules, one per row; the first that applies wins. */
export const PLAN_RULES: readonly PlanRule[] = [
  { name: 'distinct terms from ranges', of: 'distinct', plan: distinctTerms },
  { name: 'count from a range', of: 'group', plan: countRange },
  { name: 'counts by term from ranges', of: 'group', plan: countByTerm },
  { name: 'count of distinct terms from ranges', of: 'group', plan: countDistinctTerms },
];
