import type { NamedAggregate } from './aggregate-scope.ts';
import type { Algebra, Expression, OrderCondition } from './algebra.ts';
import { balanced } from './balanced.ts';
import { joined } from './group-pattern.ts';

export interface GroupKey {
  readonly variable: string;
  readonly expression: Expression;
}

/** Solution modifiers of a query (rules 18 to 28), with aggregates replaced by variables. */
export interface SolutionModifiers {
  /**
   * `(expression AS ?key)` of GROUP BY; bound before grouping, so that aggregates see them, too.
   */
  readonly keyAliases: readonly GroupKey[];
  /** Undefined without grouping. */
  readonly keys: readonly GroupKey[] | undefined;
  readonly aggregates: readonly NamedAggregate[];
  readonly having: readonly Expression[];
  readonly values: Algebra | undefined;
  /** `(expression AS ?variable)` of SELECT, in textual order. */
  readonly aliases: readonly GroupKey[];
  readonly order: readonly OrderCondition[];
}

const extended = (input: Algebra, bindings: readonly GroupKey[]) =>
  bindings.reduce<Algebra>(
    (pattern, { variable, expression }) => ({ type: 'extend', input: pattern, variable, expression }),
    input,
  );

/**
 * Applies sections 18.2.4 and 18.2.5 up to ORDER BY, which sees variables that are not projected.
 */
export function modified(where: Algebra, modifiers: SolutionModifiers): Algebra {
  const { keyAliases, keys, aggregates, having, values, aliases, order } = modifiers;
  let algebra = where;
  if (keys) algebra = { type: 'group', input: extended(algebra, keyAliases), keys, aggregates };
  if (having.length > 0) algebra = { type: 'filter', input: algebra, condition: balanced('&&', having) };
  if (values) algebra = joined(algebra, values);
  algebra = extended(algebra, aliases);
  return order.length > 0 ? { type: 'orderBy', input: algebra, conditions: order } : algebra;
}

/** LIMIT and OFFSET (section 18.2.5.5). */
export interface SliceClause {
  readonly offset: number;
  readonly limit: number | undefined;
}

export function sliced(input: Algebra, slice: SliceClause | undefined): Algebra {
  return slice ? { type: 'slice', input, offset: slice.offset, limit: slice.limit } : input;
}
