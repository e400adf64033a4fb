import type { Operator } from '../../exec/operator.ts';
import { CONSTANT } from '../../exec/quad-pattern.ts';
import { SlotSet } from '../../exec/slot-set.ts';
import type { PatternPlanner } from '../pattern-planner.ts';
import type { Planning } from '../planning.ts';
import type { Scope } from '../scope.ts';
import type { Unit } from '../unit.ts';
import { joinApart, MAX_UNITS } from './join-apart.ts';
import type { GroupParts } from './join-equal-values.ts';

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
  return yield* joinApart(group, pair, whole, scope, planPart);
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
