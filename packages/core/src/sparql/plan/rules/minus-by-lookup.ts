import type { Algebra } from '../../algebra/algebra.ts';
import { Apply, Seed } from '../../exec/apply.ts';
import { estimatedRows, type Operator } from '../../exec/operator.ts';
import { SlotSet } from '../../exec/slot-set.ts';
import type { PatternPlanner } from '../pattern-planner.ts';
import type { Planning } from '../planning.ts';
import type { Scope } from '../scope.ts';
import { isSeedable, type NameSet } from '../seedable.ts';
import { certainVariablesOf } from '../variables.ts';
import { firstMatches, seededNames } from '../without-exists.ts';

/**
 * Evaluates the pattern of a MINUS by index lookups for the rows of the left side, where that reads
 * less than evaluating it as a whole. Both must always bind a variable, so that a compatible row
 * shares one (SPARQL 1.1 section 18.5, Minus). Returns undefined if it does not apply.
 *
 * @param whole the plan of the pattern on its own
 */
export function* minusByLookup(
  planner: PatternPlanner,
  pattern: Algebra,
  left: Operator,
  whole: Operator,
  scope: Scope,
): Planning<Operator | undefined> {
  if (!planner.optimize || planner.substituted !== SlotSet.EMPTY || left.estimate > estimatedRows(whole))
    return undefined;
  const known = seededNames(left, scope);
  if (![...certainVariablesOf(pattern)].some((name) => known.certain.has(name))) return undefined;
  if (!isSeedable(pattern, known, false) || repeatsRows(pattern, known.all)) return undefined;
  const seed = new Seed(left, scope.counter.take());
  const part = firstMatches(yield* planner.planSeeded(pattern, seed, scope));
  return estimatedRows(part) < estimatedRows(whole) ? new Apply(left, seed, part, 'anti') : undefined;
}

/**
 * Whether a triple pattern has several variables and the rows bind all of them. It often repeats
 * one that made the rows, and then matches each of them, though it is estimated to match few.
 */
function repeatsRows(algebra: Algebra, known: NameSet): boolean {
  switch (algebra.type) {
    case 'bgp':
      return algebra.patterns.some(({ subject, predicate, object }) => {
        const names = [subject, predicate, object].flatMap((term) =>
          term.termType === 'Variable' ? [term.value] : [],
        );
        return names.length > 1 && names.every((name) => known.has(name));
      });
    case 'join':
    case 'union':
      return algebra.operands.some((operand) => repeatsRows(operand, known));
    case 'graph':
    case 'filter':
      return repeatsRows(algebra.input, known);
    default:
      return false;
  }
}
