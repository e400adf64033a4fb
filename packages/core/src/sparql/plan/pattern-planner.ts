import type { QuadSource } from '../../contracts/quad-source.ts';
import type { Algebra } from '../algebra/algebra.ts';
import type { Operator } from '../exec/operator.ts';
import type { SlotSet } from '../exec/slot-set.ts';
import type { Conditions, RunTimePlanner } from './conditions.ts';
import type { PlanBasis } from './plan-basis.ts';
import type { Planning } from './planning.ts';
import type { Scope } from './scope.ts';
import type { PatternStatistics } from './statistics.ts';

/** The planner's interface towards its parts; it keeps them from importing the planner itself. */
export interface PatternPlanner extends RunTimePlanner {
  readonly source: QuadSource;
  /**
   * Finds constants and counts matches. What is read of the source otherwise is for estimates
   * alone.
   */
  readonly basis: PlanBasis;
  readonly conditions: Conditions;
  readonly statistics: PatternStatistics;
  /**
   * Slots whose values replace variables in the pattern being planned, which belongs to an EXISTS.
   */
  substituted: SlotSet;
  /** Number of rows of the filter being planned that will be read, if LIMIT says; else infinity. */
  keep: number;
  /**
   * Number of GRAPHs with a variable around the pattern being planned: it is planned once per
   * graph.
   */
  openGraphs: number;
  /** Number of GRAPHs around the pattern being planned that are planned for an estimate. */
  estimatedGraphs: number;
  /** Counts steps of planning. Throws LIMIT_EXCEEDED above `maxPlanSteps`. */
  claimSteps(count: number): void;
  /** Whether planning must yield now. */
  readonly isYieldDue: boolean;
  /** Plans a pattern that runs for the rows of `start` and joins with their bindings. */
  planSeeded(algebra: Algebra, start: Operator, scope: Scope): Planning<Operator>;
  /**
   * Plans the join of rows with a pattern that is looked up for them. Returns undefined if that is
   * not equivalent, or not worth planning.
   */
  planLookups(algebra: Algebra, rows: Operator, scope: Scope): Planning<Operator | undefined>;
}
