import type { Expression } from '../../algebra/algebra.ts';
import { estimatedRows, type Operator } from '../../exec/operator.ts';
import { CONSTANT } from '../../exec/quad-pattern.ts';
import { SlotSet } from '../../exec/slot-set.ts';
import { needsSolutionNumber } from '../conditions.ts';
import type { PatternPlanner } from '../pattern-planner.ts';
import type { Planning } from '../planning.ts';
import type { Scope } from '../scope.ts';
import type { Unit } from '../unit.ts';
import { mentionedSlots, mentionsExists } from '../variables.ts';
import type { GroupParts } from './join-equal-values.ts';

/** A plan with two more operators must have at most this share of the estimated rows. */
const MAX_SHARE = 0.5;
/** Parts that could be joined apart are looked for in groups of up to this many units. */
export const MAX_UNITS = 32;

export type PatternUnit = Unit & { readonly kind: 'pattern' };

/** The patterns of a group with one variable as their subject. */
export interface Star {
  readonly subject: number;
  readonly units: readonly PatternUnit[];
  readonly slots: SlotSet;
}

/**
 * Plans a group in which two stars share several variables, none of them a subject, as in
 * `?a :maker ?m ; :category ?c . ?b :maker ?m ; :category ?c`. One variable alone matches many
 * rows, most of which the other one drops. So each star is planned on its own, and both are joined
 * on all shared variables at once. Returns undefined if there are no such stars, or if that would
 * not save enough.
 *
 * @param whole the plan without this rule
 */
export function* joinStars(
  planner: PatternPlanner,
  group: GroupParts,
  whole: Operator,
  scope: Scope,
  planPart: (part: GroupParts) => Planning<Operator>,
): Planning<Operator | undefined> {
  const { units, start } = group;
  if (start || units.length < 4 || units.length > MAX_UNITS) return undefined;
  const pair = pairOf(starsOf(units));
  if (!pair) return undefined;
  planner.claimSteps(units.length ** 2);
  const most = estimatedRows(whole) * MAX_SHARE;
  let rest = group;
  const joined: Unit[] = [];
  for (const star of pair) {
    const part = partOf(rest, star.units, star.slots, scope);
    const operator = yield* planPart(part);
    if (estimatedRows(operator) > most) return undefined;
    joined.push({ kind: 'operator', operator, slots: operator.slots });
    rest = withoutPart(rest, part);
  }
  const plan = yield* planPart({ ...rest, units: [...joined, ...rest.units] });
  return estimatedRows(plan) <= most ? plan : undefined;
}

export function starsOf(units: readonly Unit[]): Star[] {
  const bySubject = new Map<number, PatternUnit[]>();
  for (const unit of units) {
    if (unit.kind !== 'pattern') continue;
    const [subject, , , graph] = unit.pattern.slots;
    if (subject === CONSTANT || graph !== CONSTANT) continue;
    const star = bySubject.get(subject);
    if (star) star.push(unit);
    else bySubject.set(subject, [unit]);
  }
  return Array.from(bySubject, ([subject, star]) => ({
    subject,
    units: star,
    slots: SlotSet.of(star.flatMap(({ slots }) => slots)),
  }));
}

/** Returns the two stars that share the most variables, at least two. */
function pairOf(stars: readonly Star[]): readonly [Star, Star] | undefined {
  let best: readonly [Star, Star] | undefined;
  let most = 1;
  for (const [at, one] of stars.entries()) {
    for (const other of stars.slice(at + 1)) {
      if (one.slots.has(other.subject) || other.slots.has(one.subject)) continue;
      const shared = one.slots.among(other.units.flatMap(({ slots }) => slots));
      const count = new Set(shared).size;
      if (count > most) {
        most = count;
        best = [one, other];
      }
    }
  }
  return best;
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
