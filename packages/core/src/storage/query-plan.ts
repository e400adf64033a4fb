/** One operator of a plan, with those that it takes its rows from. Plain JSON. */
export interface PlanNode {
  readonly operator: string;
  /** What it does it with, variables by their names; empty where the operator's name says all. */
  readonly detail: string;
  /** About how many rows it was planned to give. */
  readonly estimatedRows: number;
  /**
   * How many rows it gave, over all its runs. This and what follows: only of a plan that was run.
   */
  readonly actualRows?: number;
  /** How often it was run: more than once where it is run anew for the rows of another. */
  readonly runs?: number;
  /** Milliseconds of its own, without those of its inputs. */
  readonly timeMs?: number;
  /** Bytes that it kept, all together, for an engine that counts them; not what its inputs kept. */
  readonly memoryBytes?: number;
  readonly inputs: readonly PlanNode[];
}

/** How an engine evaluates a text. Plain JSON. */
export interface QueryPlan {
  readonly form: 'select' | 'ask' | 'construct' | 'describe' | 'update';
  /**
   * The SPARQL algebra of the text, one operation a line, for eyes; an engine without one leaves it
   * out.
   */
  readonly algebra?: string;
  readonly plan: PlanNode;
  /** The plan, one operator a line, each indented below the one that takes its rows. */
  readonly text: string;
}
