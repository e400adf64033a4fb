import type { Aggregate } from './algebra.ts';

/** Use of a variable outside of aggregates, with its offset. */
export interface VariableUse {
  readonly name: string;
  readonly offset: number;
}

/** An aggregate and the variable that holds its value. */
export interface NamedAggregate {
  readonly variable: string;
  readonly aggregate: Aggregate;
}

/**
 * Collects the aggregates of one query level, which may occur in SELECT, HAVING and ORDER BY
 * (section 19.8, note 12).
 */
export class AggregateScope {
  /** Aggregates in textual order; expressions refer to them by variable (section 18.2.4.1). */
  readonly aggregates: NamedAggregate[] = [];
  /** Variables by aggregate key, for aggregates of `*` or a plain variable. */
  names: Map<string, string> | undefined;
  /**
   * Variables used outside of aggregates in the expression being parsed; the parser takes and
   * resets them.
   */
  uses: VariableUse[] = [];
}
