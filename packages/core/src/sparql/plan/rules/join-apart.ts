import type { Expression } from '../../algebra/algebra.ts';
import { estimatedRows, type Operator } from '../../exec/operator.ts';
import type { SlotSet } from '../../exec/slot-set.ts';
import { needsSolutionNumber } from '../conditions.ts';
import type { Planning } from '../planning.ts';
import type { Scope } from '../scope.ts';
import type { Unit } from '../unit.ts';
import { mentionedSlots, mentionsExists } from '../variables.ts';
import type { GroupParts } from './join-equal-values.ts';

/** A plan with two more operators must have at most this share of the estimated rows. */
export const MAX_SHARE = 0.5;
/** Parts that could be joined apart are looked for in groups of up to this many units. */
export const MAX_UNITS = 32;

/** Units that are planned apart from the rest of their group. */
export interface Part {
  readonly units: readonly Unit[];
  readonly slots: SlotSet;
}

/**
 * Plans parts of a group on their own, and joins them before the rest. Returns undefined if that
 * would not save enough.
 *
 * @param whole the plan of the group as one chain of joins
 */
export function* joinApart(
  group: GroupParts,
  parts: readonly Part[],
  whole: Operator,
  scope: Scope,
  planPart: (part: GroupParts) => Planning<Operator>,
): Planning<Operator | undefined> {
  const most = estimatedRows(whole) * MAX_SHARE;
  let rest = group;
  const joined: Unit[] = [];
  for (const { units, slots } of parts) {
    const part = partOf(rest, units, slots, scope);
    const operator = yield* planPart(part);
    if (estimatedRows(operator) > most) return undefined;
    joined.push({ kind: 'operator', operator, slots: operator.slots });
    rest = withoutPart(rest, part);
  }
  const plan = yield* planPart({ ...rest, units: [...joined, ...rest.units] });
  return estimatedRows(plan) <= most ? plan : undefined;
}

/** Returns units with these slots, and the conditions that can be tested on their rows alone. */
export function partOf({ conditions }: GroupParts, units: readonly Unit[], slots: SlotSet, scope: Scope): GroupParts {
  return { units, conditions: conditions.filter((condition) => isAbout(condition, slots, scope)), start: undefined };
}

function isAbout(condition: Expression, slots: SlotSet, scope: Scope): boolean {
  if (mentionsExists(condition) || needsSolutionNumber(condition)) return false;
  const mentioned = mentionedSlots(condition, scope);
  return mentioned.length > 0 && mentioned.every((slot) => slots.has(slot));
}

export function withoutPart({ units, conditions, start }: GroupParts, part: GroupParts): GroupParts {
  return {
    units: units.filter((unit) => !part.units.includes(unit)),
    conditions: conditions.filter((condition) => !part.conditions.includes(condition)),
    start,
  };
}
