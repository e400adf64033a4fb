import type { QuadSource } from '../contracts/quad-source.ts';
import type { Query } from './algebra/algebra.ts';
import type { Operator } from './exec/operator.ts';
import type { Scope } from './plan/scope.ts';

/** A plan, and the scope that has the slots of its variables. */
export interface KeptPlan {
  readonly scope: Scope;
  readonly operator: Operator;
}

/**
 * Plans of repeated queries, for later runs over the same quads: planning a short query takes
 * longer than running it. A source that remembers measurements (`QuadSource.measured`) thereby says
 * which quads are the same. A plan lives as long as both its query and these measurements, so
 * replaced data are not kept from the garbage collector.
 */
export class KeptPlans {
  private readonly byDataset = new WeakMap<object, WeakMap<Query, KeptPlan>>();
  /**
   * Queries that were planned before. The others may never come again, and their plans are not
   * kept.
   */
  private readonly repeated = new WeakSet<Query>();
  private readonly rewrites = new WeakMap<Query, Query>();

  find(query: Query, { measured }: QuadSource): KeptPlan | undefined {
    return measured && this.byDataset.get(measured)?.get(query);
  }

  /** Returns the same rewritten query each time, so that its plan is found again. */
  rewritten(query: Query, rewrite: (query: Query) => Query): Query {
    let rewritten = this.rewrites.get(query);
    if (rewritten === undefined) {
      rewritten = rewrite(query);
      this.rewrites.set(query, rewritten);
    }
    return rewritten;
  }

  /**
   * Keeps a plan unless this is the first one of its query.
   *
   * @param plan must depend on nothing but the query, the options of the engine and the quads
   */
  offer(query: Query, { measured }: QuadSource, plan: KeptPlan): void {
    if (!measured) return;
    if (!this.repeated.has(query)) {
      this.repeated.add(query);
      return;
    }
    let plans = this.byDataset.get(measured);
    if (plans === undefined) {
      plans = new WeakMap();
      this.byDataset.set(measured, plans);
    }
    plans.set(query, plan);
  }
}
