import type { Algebra, Expression } from '../../algebra/algebra.ts';
import type { Operator } from '../../exec/operator.ts';
import type { PatternPlanner } from '../pattern-planner.ts';
import type { Planning } from '../planning.ts';
import type { Scope } from '../scope.ts';
import { filterBeforeBind } from './filter-before-bind.ts';
import { filterBeforeOptional } from './filter-before-optional.ts';
import { filterIntoUnion } from './filter-into-union.ts';

/** An optimizer rule: an equivalent, cheaper plan for a filter over a certain kind of pattern. */
export interface FilterRule {
  readonly name: string;
  /** The kind of pattern that the rule is for. */
  readonly over: Algebra['type'];
  /** Returns undefined if the rule does not apply. */
  plan(
    planner: PatternPlanner,
    input: Algebra,
    conditions: readonly Expression[],
    scope: Scope,
  ): Planning<Operator | undefined>;
}

/** The filter rules, one per row; the first that applies wins. */
export const FILTER_RULES: readonly FilterRule[] = [
  { name: 'filter into UNION', over: 'union', plan: filterIntoUnion },
  { name: 'filter before BIND', over: 'extend', plan: filterBeforeBind },
  { name: 'filter before OPTIONAL', over: 'leftJoin', plan: filterBeforeOptional },
];
