import type { Algebra, Expression } from '../../algebra/algebra.ts';
import type { Operator } from '../../exec/operator.ts';
import type { ActiveGraph } from '../active-graph.ts';
import type { PatternPlanner } from '../pattern-planner.ts';
import type { Planning } from '../planning.ts';
import type { Scope } from '../scope.ts';
import { filterBeforeOptional } from './filter-before-optional.ts';
import { filterIntoUnion } from './filter-into-union.ts';

/** A better plan for a filter over some kind of pattern, with the same solutions. */
export interface FilterRule {
  readonly name: string;
  /** Undefined when it is not for this pattern. */
  plan(
    planner: PatternPlanner,
    input: Algebra,
    conditions: readonly Expression[],
    scope: Scope,
    graph: ActiveGraph,
  ): Planning<Operator | undefined>;
}

/** A rule is a row. The first that has a plan is taken. */
export const FILTER_RULES: readonly FilterRule[] = [
  { name: 'filter into UNION', plan: filterIntoUnion },
  { name: 'filter before OPTIONAL', plan: filterBeforeOptional },
];
