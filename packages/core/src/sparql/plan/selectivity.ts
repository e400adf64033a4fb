import type { Expression } from '../algebra/algebra.ts';
import { MAX_FILTERS } from './conditions.ts';
import type { Scope } from './scope.ts';
import type { Unit } from './unit.ts';
import { mentionedSlots, mentionsExists } from './variables.ts';

/** Assumed share of the rows for which a condition is true, by its function. */
const KEPT: ReadonlyMap<string, number> = new Map([
  ['=', 0.1],
  ['!=', 0.9],
  ['!', 0.9],
  ['BOUND', 0.9],
]);
const KEPT_BY_OTHERS = 0.3;

/**
 * Returns, for each unit with conditions that mention only its variables, the assumed share of its
 * rows that pass them. Joins then start with the units that conditions make small. Empty for groups
 * with very many conditions.
 */
export function selectivities(
  units: readonly Unit[],
  conditions: readonly Expression[],
  scope: Scope,
): ReadonlyMap<Unit, number> {
  const shares = new Map<Unit, number>();
  if (conditions.length > MAX_FILTERS) return shares;
  for (const condition of conditions) {
    if (condition.type !== 'call' || mentionsExists(condition)) continue;
    const slots = mentionedSlots(condition, scope);
    if (slots.length === 0) continue;
    const share = KEPT.get(condition.function) ?? KEPT_BY_OTHERS;
    for (const unit of units) {
      if (slots.every((slot) => unit.slots.includes(slot))) shares.set(unit, (shares.get(unit) ?? 1) * share);
    }
  }
  return shares;
}
