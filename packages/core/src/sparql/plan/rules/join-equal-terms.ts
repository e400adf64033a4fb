import type { Algebra, Expression } from '../../algebra/algebra.ts';
import { Rows } from '../../exec/rows.ts';
import { MAX_FILTERS } from '../filter-all.ts';
import type { Scope } from '../scope.ts';
import type { Unit } from '../unit.ts';
import { certainVariablesOf } from '../variables.ts';
import { termEquality } from './term-equality.ts';

/**
 * A variable that must be one of some terms is joined with them, so that patterns look these up;
 * gives the other conditions.
 */
export function joinEqualTerms(
  algebra: Algebra,
  conditions: readonly Expression[],
  scope: Scope,
  units: Unit[],
): readonly Expression[] {
  if (conditions.length === 0 || conditions.length > MAX_FILTERS) return conditions;
  /** Collected for the first condition that may need them. */
  let certain: ReadonlySet<string> | undefined;
  return conditions.filter((condition) => {
    const equality = termEquality(condition);
    // An unbound variable is equal to nothing, but would join with anything.
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
