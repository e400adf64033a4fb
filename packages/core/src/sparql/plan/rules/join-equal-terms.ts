import type { Algebra, Expression } from '../../algebra/algebra.ts';
import { Rows } from '../../exec/rows.ts';
import { MAX_FILTERS } from '../conditions.ts';
import type { Scope } from '../scope.ts';
import type { Unit } from '../unit.ts';
import { certainVariablesOf } from '../variables.ts';
import { termEquality } from './term-equality.ts';

/**
 * Turns conditions of the form "variable is one of these terms" into a join with those terms, so
 * that patterns look them up. Returns the remaining conditions.
 */
export function joinEqualTerms(
  algebra: Algebra,
  conditions: readonly Expression[],
  scope: Scope,
  units: Unit[],
): readonly Expression[] {
  if (conditions.length === 0 || conditions.length > MAX_FILTERS) return conditions;
  /** Computed lazily for the first condition that needs it. */
  let certain: ReadonlySet<string> | undefined;
  return conditions.filter((condition) => {
    const equality = termEquality(condition);
    // The variable must be bound: an unbound variable equals nothing, but would join with any term.
    if (!equality) return true;
    certain ??= certainVariablesOf(algebra);
    if (!certain.has(equality.variable)) return true;
    const slots = [scope.slot(equality.variable)];
    const operator = new Rows(
      slots,
      equality.terms.map((term) => [term]),
    );
    units.push({ kind: 'operator', operator, slots });
    return false;
  });
}
