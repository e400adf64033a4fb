import type { Algebra } from '../../algebra/algebra.ts';
import { Group } from '../../exec/group.ts';
import type { Operator } from '../../exec/operator.ts';
import type { PatternPlanner } from '../pattern-planner.ts';
import type { Scope } from '../scope.ts';
import { termCounts } from './term-counts.ts';

/** Answers COUNT(DISTINCT ?v) over one pattern from range lengths. */
export function countDistinctTerms(planner: PatternPlanner, algebra: Algebra, scope: Scope): Operator | undefined {
  if (algebra.type !== 'group' || algebra.keys.length > 0 || algebra.aggregates.length !== 1) return undefined;
  const [{ variable, aggregate }] = algebra.aggregates;
  const { function: name, distinct, argument } = aggregate;
  if (name !== 'COUNT' || !distinct || argument?.type !== 'variable') return undefined;
  const inner = scope.subquery([]);
  const terms = termCounts(planner, algebra.input, argument.name, inner, []);
  if (!terms) return undefined;
  const slot = scope.slot(variable);
  return new Group(terms, [], [{ slot, aggregate, argumentSlot: inner.slot(argument.name) }]);
}
