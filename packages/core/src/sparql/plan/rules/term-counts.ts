import type { Algebra } from '../../algebra/algebra.ts';
import type { Operator } from '../../exec/operator.ts';
import { TermCountScan } from '../../exec/term-count-scan.ts';
import type { PatternPlanner } from '../pattern-planner.ts';
import type { Scope } from '../scope.ts';
import { onePattern } from './one-pattern.ts';

/**
 * Plans a scan of the distinct terms of one variable of one pattern, with their match counts, from
 * range lengths. Returns undefined if the source does not provide them.
 *
 * @param countSlots slots that receive the match count
 * @param slot slot that receives the term
 */
export function termCounts(
  planner: PatternPlanner,
  input: Algebra,
  variable: string,
  scope: Scope,
  countSlots: readonly number[],
  slot = scope.slot(variable),
): Operator | undefined {
  const inner = scope.subquery([variable]);
  const pattern = onePattern(planner, input, inner);
  if (!pattern || pattern.impossible) return undefined;
  const position = pattern.slots.indexOf(inner.slot(variable));
  if (position < 0 || !planner.source.termCounts?.(...pattern.ids, position)) return undefined;
  // Whether a source provides them may change with its quads.
  planner.basis.bindToQuads();
  const estimate = planner.statistics.distinctTerms(pattern, position);
  return new TermCountScan(pattern, position, slot, countSlots, estimate);
}
