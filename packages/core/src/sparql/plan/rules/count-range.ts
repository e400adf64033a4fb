import type { Algebra } from '../../algebra/algebra.ts';
import { CountRange } from '../../exec/count-range.ts';
import type { Operator } from '../../exec/operator.ts';
import type { PatternPlanner } from '../pattern-planner.ts';
import type { Scope } from '../scope.ts';
import { onePattern } from './one-pattern.ts';

/** Answers COUNT(*) over one pattern with the length of its range. */
export function countRange(planner: PatternPlanner, algebra: Algebra, scope: Scope): Operator | undefined {
  if (algebra.type !== 'group' || algebra.keys.length > 0 || algebra.aggregates.length !== 1) return undefined;
  const { input, aggregates } = algebra;
  const [{ variable, aggregate }] = aggregates;
  if (aggregate.function !== 'COUNT' || aggregate.distinct) return undefined;
  const inner = scope.subquery([]);
  const pattern = onePattern(planner, input, inner);
  if (!pattern) return undefined;
  const { argument } = aggregate;
  if (argument && !(argument.type === 'variable' && pattern.slots.includes(inner.slot(argument.name))))
    return undefined;
  return new CountRange(pattern, scope.slot(variable));
}
