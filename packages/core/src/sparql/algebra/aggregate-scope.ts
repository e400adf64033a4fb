import type { Aggregate } from './algebra.ts';

/** A variable that an expression names outside of aggregates, and where. */
export interface VariableUse {
  readonly name: string;
  readonly offset: number;
}

/** An aggregate, and the variable that carries its value. */
export interface NamedAggregate {
  readonly variable: string;
  readonly aggregate: Aggregate;
}

/**
 * The expressions of one query level in which aggregates may stand: SELECT, HAVING and ORDER BY
 * (section 19.8, note 12).
 */
export class AggregateScope {
  /**
   * What the expressions aggregate, in the order of the text; in their place stand the variables
   * (section 18.2.4.1).
   */
  readonly aggregates: NamedAggregate[] = [];
  /** The variables of aggregates by what they aggregate, as far as that has a short name. */
  names: Map<string, string> | undefined;
  /**
   * The variables of the expression that is being read, outside of aggregates; the reader takes
   * them.
   */
  uses: VariableUse[] = [];
}
