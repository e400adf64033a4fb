import type * as RDF from '@rdfjs/types';
import type { QuadSource } from '../contracts/quad-source.ts';
import type { Query } from './algebra/algebra.ts';
import type { Operator } from './exec/operator.ts';
import { parameterised } from './parameters.ts';
import { type Basis, holdsIn } from './plan/plan-basis.ts';
import type { Scope } from './plan/scope.ts';

type Bindings = ReadonlyMap<string, RDF.Term>;

/** Plans of all queries and datasets together; each takes a few kilobytes. */
const MAX_PLANS = 1024;
/** Sets of names of bindings for one query; programs use one or two. */
const MAX_NAME_SETS = 16;

/** A plan, and the scope that has the slots of its variables. */
export interface KeptPlan {
  readonly scope: Scope;
  readonly operator: Operator;
  /** Whether it is not used, because a plan for the constants of a run is better. */
  readonly isRefused?: boolean;
  /** What it was made for; undefined if it is right for these quads alone. */
  readonly basis?: Basis | undefined;
}

/** By the measurements of the dataset and, for the latest plan, by its graphs. */
type PlansByDataset = WeakMap<object, WeakMap<Query, KeptPlan>>;

/** What the plan of a query is kept as. */
export interface KeptAs {
  readonly plans: KeptPlans;
  /** The same object for each run of the query, with parameters for its bindings. */
  readonly query: Query;
  /** The bindings of this run. */
  readonly given?: Bindings | undefined;
  /** Whether the run itself is planned with parameters, too, instead of with its bindings. */
  readonly isPlannedForAll?: boolean;
  /** Returns the query to plan instead if the plan with parameters has many rows. */
  readonly whenMany?: (() => Query) | undefined;
}

/**
 * Plans of repeated queries, for later runs: planning a short query takes longer than running it. A
 * source that remembers measurements (`QuadSource.measured`) thereby says which quads are the same.
 * After a commit, the latest plan for the same graphs (`QuadSource.layout`) is taken on if its
 * basis still holds. A plan lives at most as long as its query and one of these objects, and refers
 * to no quads, so replaced data are not kept from the garbage collector.
 */
export class KeptPlans {
  /**
   * Two generations: when the newer one is full, the plans that only the older one has are dropped.
   */
  private newer: PlansByDataset = new WeakMap();
  private older: PlansByDataset = new WeakMap();
  private inNewer = 0;
  private readonly rewrites = new WeakMap<Query, Query>();
  /** By the names of the bindings; undefined if a plan can serve only one value of these. */
  private readonly withParameters = new WeakMap<Query, Map<string, Query | undefined>>();

  /** Returns the same rewritten query each time. */
  rewritten(query: Query, rewrite: (query: Query) => Query): Query {
    let rewritten = this.rewrites.get(query);
    if (rewritten === undefined) {
      rewritten = rewrite(query);
      this.rewrites.set(query, rewritten);
    }
    return rewritten;
  }

  /**
   * As {@link parameterised}, with the same result for the same names.
   *
   * @param areRowsFew the same for each call with a query
   */
  parameterised(query: Query, bindings: Bindings, areRowsFew = false): Query | undefined {
    let known = this.withParameters.get(query);
    if (known === undefined) this.withParameters.set(query, (known = new Map()));
    const names = namesOf(bindings);
    if (!known.has(names)) {
      if (known.size === MAX_NAME_SETS) known.clear();
      known.set(names, parameterised(query, bindings, areRowsFew));
    }
    return known.get(names);
  }

  /** Whether the query has been run with bindings of these names. */
  hasParameters(query: Query, bindings: Bindings): boolean {
    return this.withParameters.get(query)?.has(namesOf(bindings)) === true;
  }

  find(query: Query, source: QuadSource): KeptPlan | undefined {
    const { measured, layout } = source;
    if (!measured) return undefined;
    const known = this.newer.get(measured)?.get(query);
    if (known) return known;
    const plan = this.older.get(measured)?.get(query) ?? (layout && this.latest(query, layout, source));
    if (plan) this.keep(query, source, plan);
    return plan;
  }

  /** Returns the latest plan for the same graphs if it serves their present quads. */
  private latest(query: Query, layout: object, source: QuadSource): KeptPlan | undefined {
    const plan = this.newer.get(layout)?.get(query) ?? this.older.get(layout)?.get(query);
    return plan?.basis && holdsIn(plan.basis, source) ? plan : undefined;
  }

  /**
   * @param plan must depend on nothing but the query, the options of the engine and the quads, and
   *   of these on its basis alone if it has one
   */
  keep(query: Query, { measured, layout }: QuadSource, plan: KeptPlan): void {
    if (!measured) return;
    if (this.inNewer * 2 >= MAX_PLANS) {
      this.older = this.newer;
      this.newer = new WeakMap();
      this.inNewer = 0;
    }
    const isTakenOn = layout && this.newer.get(layout)?.get(query) === plan;
    if (!isTakenOn) this.inNewer++;
    this.put(measured, query, plan);
    if (layout && plan.basis) this.put(layout, query, plan);
  }

  private put(dataset: object, query: Query, plan: KeptPlan): void {
    let plans = this.newer.get(dataset);
    if (plans === undefined) this.newer.set(dataset, (plans = new WeakMap()));
    plans.set(query, plan);
  }
}

function namesOf(bindings: Bindings): string {
  return [...bindings.keys()].sort().join(' ');
}
