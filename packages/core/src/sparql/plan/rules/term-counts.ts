import type { Algebra } from '../../algebra/algebra.ts';
import type { Operator } from '../../exec/operator.ts';
import { TermCountScan } from '../../exec/term-count-scan.ts';
import type { ActiveGraph } from '../active-graph.ts';
import type { PatternPlanner } from '../pattern-planner.ts';
import type { Scope } from '../scope.ts';
import { onePattern } from './one-pattern.ts';

/**
 * The different terms of one variable of one pattern, and how many matches each has, from the
 * lengths of ranges; undefined where the source does not have them so.
 *
 * @param countSlots what gets the number of matches
 * @param slot what gets the term
 */
export function termCounts(
  planner: PatternPlanner,
  input: Algebra,
  variable: string,
  scope: Scope,
  graph: ActiveGraph,
  countSlots: readonly number[],
  slot = scope.slot(variable),
): Operator | undefined {
  const inner = scope.subquery([variable]);
  const pattern = onePattern(planner, input, inner, graph);
  if (!pattern || pattern.impossible) return undefined;
  const position = pattern.slots.indexOf(inner.slot(variable));
  if (position < 0 || !planner.source.termCounts?.(...pattern.ids, position)) return undefined;
  const estimate = planner.statistics.distinctTerms(pattern, position);
  return new TermCountScan(pattern, position, slot, countSlots, estimate);
}
