import { DEFAULT_REQUEST_LIMITS, limitExceeded, type RequestLimits } from '../../model/request-limits.ts';
import { WorldsError } from '../../model/worlds-error.ts';
import type { QuadSource } from '../../storage/quad-source.ts';
import type { Algebra } from '../algebra/algebra.ts';
import { Distinct } from '../exec/distinct.ts';
import { HashJoin } from '../exec/hash-join.ts';
import { type Operator, pruned } from '../exec/operator.ts';
import { Order } from '../exec/order.ts';
import { Project } from '../exec/project.ts';
import { Rows } from '../exec/rows.ts';
import { Slice } from '../exec/slice.ts';
import { SlotSet } from '../exec/slot-set.ts';
import { Union } from '../exec/union.ts';
import { type ActiveGraph, DEFAULT_ACTIVE_GRAPH } from './active-graph.ts';
import type { Conditions } from './conditions.ts';
import { extend } from './extend.ts';
import { planAggregation } from './plan-aggregation.ts';
import { planFilter } from './plan-filter.ts';
import { planGroup } from './plan-group.ts';
import { planLeftJoin } from './plan-left-join.ts';
import { planSearch } from './plan-search.ts';
import { PLAN_RULES } from './rules/plan-rule.ts';
import type { Scope } from './scope.ts';
import { isSearchService } from './search-service.ts';
import { numbered, solutionSlot } from './solution-number.ts';
import { PatternStatistics } from './statistics.ts';
import { UNIT } from './unit.ts';
import { withoutExists } from './without-exists.ts';

/** Makes a plan of an algebra expression for one dataset: its constants are ids, its join order follows the dataset's counts. */
export class Planner {
  readonly source: QuadSource;
  readonly conditions: Conditions;
  readonly statistics: PatternStatistics;
  /** False: nothing is rewritten. */
  readonly optimize: boolean;
  /** Slots whose values stand as terms in the pattern that is being planned, which belongs to an EXISTS. */
  substituted: SlotSet = SlotSet.EMPTY;

  /** How many GRAPHs with a variable the pattern stands in that is being planned, each planned for every graph. */
  openGraphs = 0;
  private readonly limits: RequestLimits;
  private taken = 0;

  constructor(
    source: QuadSource,
    conditions: Conditions,
    { optimize = true, limits = DEFAULT_REQUEST_LIMITS }: { optimize?: boolean; limits?: RequestLimits } = {},
  ) {
    this.source = source;
    this.conditions = conditions;
    this.statistics = new PatternStatistics(source);
    this.optimize = optimize;
    this.limits = limits;
  }

  /** How many steps the plan has taken so far. */
  get steps(): number {
    return this.taken;
  }

  /**
   * Counts steps of planning: the parts of a group that the next one is chosen among, the columns of an operator, the conditions that are looked
   * at. A plan is made in one piece, which no signal can end: so it throws LIMIT_EXCEEDED before that takes long.
   */
  claimSteps(count: number): void {
    this.taken += count;
    if (this.taken > this.limits.maxPlanSteps) throw limitExceeded('maxPlanSteps', this.limits);
  }

  /** Makes a plan while another runs, such as that of an EXISTS for one row: its steps are counted for themselves. */
  whileRunning(plan: () => Operator): Operator {
    this.taken = 0;
    return plan();
  }

  /**
   * The plan of a whole query or WHERE clause over the default graph, of whose solutions only some variables are read.
   *
   * @param keep how many of the solutions anyone will look at
   */
  planFor(algebra: Algebra, scope: Scope, read: readonly string[], keep = Number.POSITIVE_INFINITY): Operator {
    const operator = this.plan(algebra, scope, DEFAULT_ACTIVE_GRAPH, keep);
    if (!this.optimize) return operator;
    return pruned(operator, SlotSet.of(read.map((name) => scope.slot(name))));
  }

  /** @param keep how many rows anyone will look at, when that is known: lets ORDER BY keep no more, and joins begin where the first are found soon */
  plan(algebra: Algebra, scope: Scope, graph: ActiveGraph, keep = Number.POSITIVE_INFINITY): Operator {
    const operator = this.planNode(algebra, scope, graph, keep);
    this.claimSteps(operator.slots.length + 1);
    return operator;
  }

  private planNode(algebra: Algebra, scope: Scope, graph: ActiveGraph, keep: number): Operator {
    if (this.optimize) {
      for (const rule of PLAN_RULES) {
        const operator = rule.plan(this, algebra, scope, graph);
        if (operator) return operator;
      }
    }
    switch (algebra.type) {
      case 'bgp':
      case 'path':
      case 'join':
      case 'graph':
        return planGroup(this, algebra, [], scope, graph, undefined, keep);
      case 'filter':
        return planFilter(this, algebra, [], scope, graph);
      case 'values':
        return new Rows(
          algebra.variables.map((name) => scope.slot(name)),
          algebra.rows,
        );
      case 'union':
        return new Union(algebra.operands.map((operand) => this.plan(operand, scope, graph)));
      case 'leftJoin':
        return planLeftJoin(this, algebra, this.plan(algebra.left, scope, graph), scope, graph);
      case 'minus': {
        const left = this.plan(algebra.left, scope, graph);
        return new HashJoin(left, this.plan(algebra.right, scope, graph), 'anti', left.estimate / 2);
      }
      case 'extend':
        return extend(this, this.plan(algebra.input, scope, graph), algebra.variable, algebra.expression, scope, graph);
      case 'group':
        return planAggregation(this, algebra, scope, graph);
      case 'orderBy': {
        let input = this.plan(algebra.input, scope, graph);
        for (const { expression } of algebra.conditions) input = numbered(input, expression, scope);
        const conditions = algebra.conditions.map(({ expression, descending }) => {
          const marked = withoutExists(this, input, expression, scope, graph);
          input = marked.input;
          return { expression: marked.expression, descending };
        });
        const keys = conditions.map(({ expression, descending }) => ({
          descending,
          value: this.conditions.value(expression, scope, graph, this, solutionSlot(input)),
          expression,
        }));
        return new Order(input, keys, keep);
      }
      case 'project': {
        const inner = scope.subquery(algebra.variables);
        const input = this.plan(algebra.input, inner, graph, keep);
        return new Project(
          input,
          algebra.variables.map((name) => inner.slot(name)),
        );
      }
      case 'distinct':
        return new Distinct(this.plan(algebra.input, scope, graph));
      case 'reduced':
        return this.plan(algebra.input, scope, graph);
      case 'slice': {
        const { offset, limit } = algebra;
        const inner = this.optimize ? offset + Math.min(keep, limit ?? keep) : Number.POSITIVE_INFINITY;
        return new Slice(this.plan(algebra.input, scope, graph, inner), offset, limit);
      }
      case 'service':
        if (isSearchService(algebra)) return planSearch(this, algebra, UNIT, scope, graph);
        if (algebra.silent) return UNIT;
        throw new WorldsError(
          'UNSUPPORTED',
          'SERVICE is refused: this engine makes no network requests. Use SERVICE SILENT, or the engine of @rdf-worlds/comunica with allowed endpoints.',
        );
    }
  }

  /** Plans a pattern to run for the rows of `start`, whose bindings it joins with. */
  planSeeded(algebra: Algebra, start: Operator, scope: Scope, graph: ActiveGraph): Operator {
    if (algebra.type === 'filter') return planFilter(this, algebra, [], scope, graph, start);
    if (algebra.type === 'union') {
      return new Union(algebra.operands.map((operand) => this.planSeeded(operand, start, scope, graph)));
    }
    return planGroup(this, algebra, [], scope, graph, start);
  }
}
