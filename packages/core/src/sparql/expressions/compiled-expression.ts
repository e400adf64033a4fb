import type { Algebra } from '../algebra/algebra.ts';
import type { Value } from './value.ts';

/** The row that an expression is evaluated over. The executor implements it over batches of ids. */
export interface RowReader {
  /** The value at a column; undefined when unbound. */
  value(column: number): Value | undefined;
  /** Whether the column is bound; cheaper than asking for the value. */
  bound(column: number): boolean;
}

/** What functions may depend on besides their arguments. One object serves one request. */
export interface EvaluationContext {
  /** NOW() is one instant for a whole request (section 17.4.5.1). */
  readonly now: Date;
  /** Base of IRI(); an absolute IRI. Without it, IRI() of a relative reference is an error. */
  readonly baseIri?: string;
  /** At least 0, below 1. */
  random(): number;
  /** A new UUID in its lower-case hexadecimal form. */
  uuid(): string;
  /** Called by a function that may have taken a millisecond or more by itself. */
  readonly slow?: () => void;
  /** Called with the length, in UTF-16 units, of a large text that a function made for one row. */
  readonly madeText?: (length: number) => void;
  /** The same for a text that is part of the compiled expression. */
  readonly keptText?: (length: number) => void;
  /**
   * BNODE(): a new blank node, or with a label the one of this label and solution (section
   * 17.4.2.9).
   */
  blankNode(label?: string, solution?: RowReader): Value;
}

export interface CompileScope {
  /**
   * The column of a variable; undefined when it is not in scope, which makes it unbound everywhere.
   */
  column(variable: string): number | undefined;
  /**
   * Whether a pattern has (or with `negated` has not) a solution that is compatible with a row:
   * section 17.4.1.4.
   */
  exists(pattern: Algebra, negated: boolean): (row: RowReader) => boolean;
  readonly context: EvaluationContext;
}

/**
 * An expression as closures. It belongs to the scope and the context that it was compiled for:
 * NOW() is a constant in it.
 */
export interface CompiledExpression {
  /** Undefined is an error, or unbound. */
  evaluate(row: RowReader): Value | undefined;
  /**
   * The effective boolean value (section 17.2.2); undefined is an error, which a FILTER takes for
   * false.
   */
  test(row: RowReader): boolean | undefined;
  /**
   * Every variable that the text of the expression mentions, those of EXISTS patterns too, by name
   * without `?`.
   */
  readonly variables: ReadonlySet<string>;
  /**
   * Whether the value depends on the variables alone, so that it may be computed once for equal
   * rows, earlier or later. False with RAND, UUID, STRUUID, BNODE or EXISTS in it.
   */
  readonly deterministic: boolean;
  /**
   * The expression has one value for all rows, which is `constant.value` (undefined: always an
   * error).
   */
  readonly constant?: { readonly value: Value | undefined };
}
