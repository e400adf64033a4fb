/** One operator of a plan, with its inputs. Plain JSON. */
export interface PlanNode {
  /** Name of the operator, chosen by the engine. */
  readonly operator: string;
  /** Operands, variables by name; empty if the operator's name is enough. */
  readonly detail: string;
  /** Planner's estimate of the number of rows. */
  readonly estimatedRows: number;
  /**
   * Number of rows produced over all runs. This field and those below are present only for a plan
   * that was executed.
   */
  readonly actualRows?: number;
  /** Number of runs; more than one if the operator is re-run for the rows of another. */
  readonly runs?: number;
  /** Milliseconds spent in this operator, without its inputs. */
  readonly timeMs?: number;
  /** Total bytes held by this operator, without its inputs; only for an engine that counts them. */
  readonly memoryBytes?: number;
  /** Operators whose rows this one reads; empty for one that reads the data. */
  readonly inputs: readonly PlanNode[];
}

/** How an engine evaluates a text. Plain JSON. */
export interface QueryPlan {
  /** What the text asks for. */
  readonly form: 'select' | 'ask' | 'construct' | 'describe' | 'update';
  /**
   * SPARQL algebra of the text for human readers, one operation per line. Omitted by an engine that
   * has none.
   */
  readonly algebra?: string;
  /** The operator that produces the result, with its inputs. */
  readonly plan: PlanNode;
  /** The plan as text, one operator per line, each indented below its consumer. */
  readonly text: string;
}
