import type { RequestLimits } from '../../model/request-limits.ts';
import type { Algebra } from '../algebra/algebra.ts';
import type { LongCalls } from './long-calls.ts';
import type { Value } from './value.ts';

/**
 * Access to the row that an expression is evaluated for. The executor implements it over batches of
 * ids.
 */
export interface RowReader {
  /** Returns the value in a column; undefined if unbound. */
  value(column: number): Value | undefined;
  /** Whether the column is bound; cheaper than reading the value. */
  bound(column: number): boolean;
}

/** Inputs of functions other than their arguments. One object serves one request. */
export interface EvaluationContext {
  /** Result of NOW(), which is constant for a request (section 17.4.5.1). */
  readonly now: Date;
  /** Base of IRI(); an absolute IRI. Without it, IRI() of a relative reference is an error. */
  readonly baseIri?: string;
  /** Returns a number in [0, 1). */
  random(): number;
  /** Returns a new UUID in lower-case hexadecimal form. */
  uuid(): string;
  /** Default: `DEFAULT_REQUEST_LIMITS`. */
  readonly limits?: RequestLimits | undefined;
  /** Counts the calls of functions on long texts, and lets them pause. */
  readonly calls?: LongCalls | undefined;
  /** Called by functions that may have taken a millisecond or more on their own. */
  readonly slow?: () => void;
  /**
   * Called with the length, in UTF-16 code units, of a large string that a function created for one
   * row.
   */
  readonly madeText?: (length: number) => void;
  /**
   * Called with the length, in UTF-16 code units, of a large string that is part of the compiled
   * expression.
   */
  readonly keptText?: (length: number) => void;
  /**
   * BNODE(): returns a new blank node or, with a label, the node of that label in the given
   * solution (section 17.4.2.9).
   */
  blankNode(label?: string, solution?: RowReader): Value;
}

export interface CompileScope {
  /**
   * Returns the column of a variable. Undefined means that it is not in scope and therefore always
   * unbound.
   */
  column(variable: string): number | undefined;
  /**
   * Returns a test whether a pattern has a solution compatible with a row, or has none if `negated`
   * (section 17.4.1.4).
   */
  exists(pattern: Algebra, negated: boolean): (row: RowReader) => boolean;
  readonly context: EvaluationContext;
}

/**
 * A compiled expression. Valid only for the scope and context it was compiled for, since NOW(), for
 * example, is a constant in it.
 */
export interface CompiledExpression {
  /** Returns the value; undefined stands for an error or an unbound variable. */
  evaluate(row: RowReader): Value | undefined;
  /**
   * Returns the effective boolean value (section 17.2.2); undefined stands for an error, which
   * FILTER treats as false.
   */
  test(row: RowReader): boolean | undefined;
  /**
   * Names of all variables mentioned in the expression, including those of EXISTS patterns, without
   * `?`.
   */
  readonly variables: ReadonlySet<string>;
  /**
   * Whether the value depends only on the variables, so that it can be reused for equal rows. False
   * for expressions with RAND, UUID, STRUUID, BNODE or EXISTS.
   */
  readonly deterministic: boolean;
  /** Set if the value is the same for all rows: `constant.value` (undefined: always an error). */
  readonly constant?: { readonly value: Value | undefined };
}
