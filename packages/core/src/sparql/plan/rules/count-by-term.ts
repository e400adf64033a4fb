import type { Algebra } from '../../algebra/algebra.ts';
import type { Operator } from '../../exec/operator.ts';
import type { PatternPlanner } from '../pattern-planner.ts';
import type { Scope } from '../scope.ts';
import { variablesOf } from '../variables.ts';
import { termCounts } from './term-counts.ts';

/**
 * Answers GROUP BY one variable over one pattern, with only match counts as aggregates, from range
 * lengths.
 */
export function countByTerm(planner: PatternPlanner, algebra: Algebra, scope: Scope): Operator | undefined {
  if (algebra.type !== 'group' || algebra.keys.length !== 1) return undefined;
  const { input, aggregates } = algebra;
  const [{ variable, expression }] = algebra.keys;
  if (expression.type !== 'variable') return undefined;
  const bound = variablesOf(input);
  const areCounts = aggregates.every(({ aggregate: { function: name, distinct, argument } }) => {
    if (name !== 'COUNT' || distinct) return false;
    return !argument || (argument.type === 'variable' && bound.has(argument.name));
  });
  if (!areCounts) return undefined;
  const counts = aggregates.map((one) => scope.slot(one.variable));
  return termCounts(planner, input, expression.name, scope.subquery([]), counts, scope.slot(variable));
}
