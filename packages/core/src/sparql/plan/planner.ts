import type { QuadSource } from '../../contracts/quad-source.ts';
import { DEFAULT_REQUEST_LIMITS, limitExceeded, type RequestLimits } from '../../model/request-limits.ts';
import { WorldsError } from '../../model/worlds-error.ts';
import type { Algebra, Expression } from '../algebra/algebra.ts';
import { Apply, Seed } from '../exec/apply.ts';
import { Distinct } from '../exec/distinct.ts';
import { GivenRow } from '../exec/given-row.ts';
import { HashJoin } from '../exec/hash-join.ts';
import { type Operator, pruned } from '../exec/operator.ts';
import { Order } from '../exec/order.ts';
import { Project } from '../exec/project.ts';
import { Rows } from '../exec/rows.ts';
import { Slice } from '../exec/slice.ts';
import { SlotSet } from '../exec/slot-set.ts';
import { Union } from '../exec/union.ts';
import type { Conditions } from './conditions.ts';
import { extend } from './extend.ts';
import type { PatternPlanner } from './pattern-planner.ts';
import { planAggregation } from './plan-aggregation.ts';
import { PlanBasis } from './plan-basis.ts';
import { planFilter } from './plan-filter.ts';
import { planGroup } from './plan-group.ts';
import { planLeftJoin } from './plan-left-join.ts';
import { planSearch } from './plan-search.ts';
import { type Planning, planAll } from './planning.ts';
import { minusByLookup } from './rules/minus-by-lookup.ts';
import { orderBeforeBind } from './rules/order-before-bind.ts';
import { PLAN_RULES } from './rules/plan-rule.ts';
import type { Scope } from './scope.ts';
import { isSearchService } from './search-service.ts';
import { isSeedable } from './seedable.ts';
import { numbered, solutionSlot } from './solution-number.ts';
import { PatternStatistics } from './statistics.ts';
import { UNIT } from './unit.ts';
import { seededNames, withoutExists } from './without-exists.ts';

/** Patterns that {@link planGroup} plans. */
type GroupType = 'bgp' | 'path' | 'join' | 'graph';

/**
 * Nested patterns that are planned both as a whole and as lookups: each level doubles the work.
 */
const MAX_OPEN_LOOKUPS = 3;

/** Planning steps between two yields; a fraction of a millisecond. */
const STEPS_BETWEEN_YIELDS = 8192;

/**
 * Plans an algebra expression for one dataset: constants are resolved to ids, and the join order
 * follows the dataset's statistics.
 */
export class Planner implements PatternPlanner {
  readonly source: QuadSource;
  readonly basis: PlanBasis;
  readonly conditions: Conditions;
  readonly statistics: PatternStatistics;
  /** If false, no rewrite rules are applied. */
  readonly optimize: boolean;
  /**
   * Slots whose values replace variables in the pattern being planned, which belongs to an EXISTS.
   */
  substituted: SlotSet = SlotSet.EMPTY;
  /** Number of rows of the filter being planned that will be read, if LIMIT says; else infinity. */
  keep: number = Number.POSITIVE_INFINITY;

  /**
   * Number of GRAPHs with a variable around the pattern being planned: it is planned once per
   * graph.
   */
  openGraphs = 0;
  /** Number of GRAPHs around the pattern being planned that are planned for an estimate. */
  estimatedGraphs = 0;
  /** Number of patterns around the one being planned that are planned a second time, as lookups. */
  private openLookups = 0;
  private readonly limits: RequestLimits;
  private isBound = false;
  private taken = 0;
  private yieldAt = STEPS_BETWEEN_YIELDS;

  constructor(
    source: QuadSource,
    conditions: Conditions,
    { optimize = true, limits = DEFAULT_REQUEST_LIMITS }: { optimize?: boolean; limits?: RequestLimits } = {},
  ) {
    this.source = source;
    this.conditions = conditions;
    this.basis = new PlanBasis(source);
    this.statistics = new PatternStatistics(source, this.basis);
    this.optimize = optimize;
    this.limits = limits;
  }

  /** Whether another run over the same quads needs a plan of its own. */
  get isForThisRun(): boolean {
    return this.isBound || this.conditions.readsNow;
  }

  bindToRun(): void {
    this.isBound = true;
  }

  /** Planning steps taken so far. */
  get steps(): number {
    return this.taken;
  }

  /**
   * Counts planning steps: join candidates, columns of operators and conditions examined. Throws
   * LIMIT_EXCEEDED above `maxPlanSteps`.
   */
  claimSteps(count: number): void {
    this.taken += count;
    if (this.taken > this.limits.maxPlanSteps) throw limitExceeded('maxPlanSteps', this.limits);
  }

  /** Whether enough steps were taken since the last yield that planning must yield now. */
  get isYieldDue(): boolean {
    if (this.taken < this.yieldAt) return false;
    this.yieldAt = this.taken + STEPS_BETWEEN_YIELDS;
    return true;
  }

  /**
   * Resets the step count. Call it before planning during execution, such as for an EXISTS of one
   * row, because that plan has its own limit.
   */
  beginAnother(): void {
    this.taken = 0;
    this.yieldAt = STEPS_BETWEEN_YIELDS;
  }

  /**
   * Plans a whole query or WHERE clause over the default graph and prunes it to the variables in
   * `read`.
   *
   * @param keep number of solutions that will be read
   */
  *planFor(
    algebra: Algebra,
    scope: Scope,
    read: readonly string[],
    keep = Number.POSITIVE_INFINITY,
  ): Planning<Operator> {
    const operator = yield* this.plan(algebra, scope, keep);
    if (!this.optimize) return operator;
    // Pruning walks the whole plan once more.
    if (this.taken >= STEPS_BETWEEN_YIELDS) yield;
    return pruned(operator, SlotSet.of(read.map((name) => scope.slot(name))));
  }

  /**
   * @param keep number of rows that will be read, if known: bounds the rows that ORDER BY keeps,
   *   and lets joins favour an order that finds the first rows quickly
   */
  *plan(algebra: Algebra, scope: Scope, keep = Number.POSITIVE_INFINITY): Planning<Operator> {
    const operator = yield* this.planNode(algebra, scope, keep);
    this.claimSteps(operator.slots.length + 1);
    if (this.isYieldDue) yield;
    return operator;
  }

  /** Kinds that a function of their own plans cost no further generator. */
  private planNode(algebra: Algebra, scope: Scope, keep: number): Planning<Operator> {
    switch (algebra.type) {
      case 'bgp':
      case 'path':
      case 'join':
      case 'graph':
        return planGroup(this, algebra, [], scope, undefined, keep);
      case 'filter':
        return this.planKeeping(planFilter(this, algebra, [], scope), keep);
      default:
        return this.planOther(algebra, scope, keep);
    }
  }

  /** Plans a filter of which `keep` rows will be read. */
  private *planKeeping(planning: Planning<Operator>, keep: number): Planning<Operator> {
    const outer = this.keep;
    this.keep = keep;
    const operator = yield* planning;
    this.keep = outer;
    return operator;
  }

  private *planOther(
    algebra: Exclude<Algebra, { type: GroupType | 'filter' }>,
    scope: Scope,
    keep: number,
  ): Planning<Operator> {
    if (this.optimize) {
      for (const rule of PLAN_RULES) {
        if (rule.of !== algebra.type) continue;
        const operator = rule.plan(this, algebra, scope);
        if (operator) return operator;
      }
    }
    switch (algebra.type) {
      case 'values': {
        const slots = algebra.variables.map((name) => scope.slot(name));
        return algebra.isGiven ? new GivenRow(slots, algebra.variables) : new Rows(slots, algebra.rows);
      }
      case 'union':
        return new Union(yield* planAll(algebra.operands, (operand) => this.plan(operand, scope)));
      case 'leftJoin':
        return yield* planLeftJoin(this, algebra, yield* this.plan(algebra.left, scope), scope);
      case 'minus': {
        const left = yield* this.plan(algebra.left, scope);
        const right = yield* this.plan(algebra.right, scope);
        const lookup = yield* minusByLookup(this, algebra.right, left, right, scope);
        return lookup ?? new HashJoin(left, right, 'anti', left.estimate / 2);
      }
      case 'extend':
        return yield* extend(this, yield* this.plan(algebra.input, scope), algebra.variable, algebra.expression, scope);
      case 'group':
        return yield* planAggregation(this, algebra, scope);
      case 'orderBy': {
        const sorted = this.optimize ? yield* orderBeforeBind(this, algebra, scope, keep) : undefined;
        if (sorted) return sorted;
        let input = yield* this.plan(algebra.input, scope);
        for (const { expression } of algebra.conditions) input = numbered(input, expression, scope);
        const conditions: { expression: Expression; descending: boolean }[] = [];
        for (const { expression, descending } of algebra.conditions) {
          const marked = yield* withoutExists(this, input, expression, scope);
          input = marked.input;
          conditions.push({ expression: marked.expression, descending });
        }
        const keys = conditions.map(({ expression, descending }) => ({
          descending,
          value: this.conditions.value(expression, scope, solutionSlot(input)),
          expression,
        }));
        return new Order(input, keys, keep);
      }
      case 'project': {
        const inner = scope.subquery(algebra.variables);
        const input = yield* this.plan(algebra.input, inner, keep);
        return new Project(
          input,
          algebra.variables.map((name) => inner.slot(name)),
        );
      }
      case 'distinct': {
        const input = yield* this.plan(algebra.input, scope);
        return this.optimize && input.isDistinct === true ? input : new Distinct(input);
      }
      case 'reduced':
        return yield* this.plan(algebra.input, scope);
      case 'slice': {
        const { offset, limit } = algebra;
        const inner = this.optimize ? offset + Math.min(keep, limit ?? keep) : Number.POSITIVE_INFINITY;
        return new Slice(yield* this.plan(algebra.input, scope, inner), offset, limit);
      }
      case 'service':
        if (isSearchService(algebra)) return yield* planSearch(this, algebra, UNIT, scope);
        if (algebra.silent) return UNIT;
        throw new WorldsError(
          'UNSUPPORTED',
          'SERVICE is refused: this engine makes no network requests. Use SERVICE SILENT, or the engine of @rdf-worlds/comunica with allowed endpoints.',
        );
    }
  }

  /** Plans a pattern that runs for the rows of `start` and joins with their bindings. */
  planSeeded(algebra: Algebra, start: Operator, scope: Scope): Planning<Operator> {
    if (algebra.type === 'filter') return planFilter(this, algebra, [], scope, start);
    if (algebra.type === 'union') return this.planSeededUnion(algebra.operands, start, scope);
    return planGroup(this, algebra, [], scope, start);
  }

  *planLookups(algebra: Algebra, rows: Operator, scope: Scope): Planning<Operator | undefined> {
    // In an EXISTS, terms are substituted for variables, which lookups would have to respect.
    if (this.substituted !== SlotSet.EMPTY || this.openLookups === MAX_OPEN_LOOKUPS) return undefined;
    if (!isSeedable(algebra, seededNames(rows, scope), false)) return undefined;
    this.openLookups++;
    const seed = new Seed(rows, scope.counter.take());
    const part = yield* this.planSeeded(algebra, seed, scope);
    this.openLookups--;
    return new Apply(rows, seed, part, 'inner');
  }

  private *planSeededUnion(operands: readonly Algebra[], start: Operator, scope: Scope): Planning<Operator> {
    return new Union(yield* planAll(operands, (operand) => this.planSeeded(operand, start, scope)));
  }
}
