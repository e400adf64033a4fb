import type { Expression } from '../../algebra/algebra.ts';
import { EqualityKey } from '../../exec/equality-key.ts';
import type { Operator } from '../../exec/operator.ts';
import { MAX_FILTERS, needsSolutionNumber } from '../conditions.ts';
import type { PatternPlanner } from '../pattern-planner.ts';
import type { Planning } from '../planning.ts';
import type { Scope } from '../scope.ts';
import type { Unit } from '../unit.ts';
import { isDeterministic, mentionedSlots, mentionsExists } from '../variables.ts';

/** What is left to plan of a group. */
export interface GroupParts {
  readonly units: readonly Unit[];
  readonly conditions: readonly Expression[];
  /** Rows for which the group runs. */
  readonly start: Operator | undefined;
}

/** A condition that two expressions are equal. */
interface Equality {
  readonly sides: readonly [Expression, Expression];
  readonly ofVariables: boolean;
}

/** Errors equal nothing, so they have another key on each side. */
const ERROR_KEYS = [0, 1] as const;

/**
 * Joins parts of a group that share no variable by the conditions that compare them, as in
 * `?a :name ?x . ?b :name ?y FILTER(?x = ?y)`: each part becomes a unit of its own, with a key that
 * both have. The conditions remain, since different values may have the same key.
 *
 * @param planPart plans the units and conditions of one part
 */
export function* joinEqualValues(
  planner: PatternPlanner,
  group: GroupParts,
  scope: Scope,
  planPart: (units: readonly Unit[], conditions: readonly Expression[]) => Planning<Operator>,
): Planning<GroupParts> {
  const { units, conditions, start } = group;
  if (conditions.length === 0 || conditions.length > MAX_FILTERS) return group;
  const equalities = conditions.map(equalityOf).filter((equality) => equality !== undefined);
  if (equalities.length === 0) return group;
  planner.claimSteps(units.length);
  const parts = new Parts(units, start);
  if (parts.count < 2) return group;

  const keyed = new Map<number, { readonly slot: number; readonly side: Expression; readonly key: KeyChoice }[]>();
  for (const { sides, ofVariables } of equalities) {
    const numbers = sides.map((side) => parts.containing(mentionedSlots(side, scope)));
    const [one, other] = numbers;
    if (one === undefined || other === undefined || one === other) continue;
    const slot = scope.counter.take();
    for (const [at, side] of sides.entries()) {
      const keys = keyed.get(numbers[at]!) ?? [];
      keys.push({ slot, side, key: { ofVariables, errorKey: ERROR_KEYS[at] } });
      keyed.set(numbers[at]!, keys);
    }
  }
  if (keyed.size === 0) return group;

  const rest = new Set(units);
  const open = new Set(conditions);
  const joined: Unit[] = [];
  let seeded = start;
  for (const [number, keys] of keyed) {
    const isStart = number === parts.ofStart;
    let operator: Operator;
    if (isStart) {
      operator = seeded!;
    } else {
      const own = units.filter((unit) => parts.has(number, unit));
      const tests = conditions.filter((condition) => isOwnCondition(condition, number, parts, scope));
      for (const unit of own) rest.delete(unit);
      for (const test of tests) open.delete(test);
      operator = yield* planPart(own, tests);
    }
    for (const { slot, side, key } of keys) {
      operator = new EqualityKey(operator, slot, planner.conditions.equalityKey(side, scope, key));
    }
    if (isStart) seeded = operator;
    else joined.push({ kind: 'operator', operator, slots: operator.slots });
  }
  return { units: [...joined, ...rest], conditions: [...open], start: seeded };
}

interface KeyChoice {
  readonly ofVariables: boolean;
  readonly errorKey: number;
}

/** Adds the keys of the equalities that compare values of the left rows with some of the right. */
export function withEqualityKeys(
  planner: PatternPlanner,
  [left, right]: readonly [Operator, Operator],
  conditions: readonly Expression[],
  scope: Scope,
): readonly [Operator, Operator] {
  let [one, other] = [left, right];
  for (const condition of conditions.slice(0, MAX_FILTERS)) {
    const equality = equalityOf(condition);
    if (!equality) continue;
    const { sides, ofVariables } = equality;
    for (const [first, second] of [sides, [sides[1], sides[0]] as const]) {
      if (!isOf(left, right, first, scope) || !isOf(right, left, second, scope)) continue;
      const slot = scope.counter.take();
      const keyOf = (side: Expression, at: 0 | 1) =>
        planner.conditions.equalityKey(side, scope, { ofVariables, errorKey: ERROR_KEYS[at] });
      one = new EqualityKey(one, slot, keyOf(first, 0));
      other = new EqualityKey(other, slot, keyOf(second, 1));
      break;
    }
  }
  return [one, other];
}

/**
 * Whether an expression has the same value for rows of `input` and for those joined with others.
 */
function isOf(input: Operator, others: Operator, side: Expression, scope: Scope): boolean {
  return mentionedSlots(side, scope).every(
    (slot) => input.slots.includes(slot) && (input.certain.has(slot) || !others.slots.includes(slot)),
  );
}

function equalityOf(condition: Expression): Equality | undefined {
  if (condition.type !== 'call' || (condition.function !== '=' && condition.function !== 'SAMETERM')) return undefined;
  if (mentionsExists(condition) || needsSolutionNumber(condition) || !isDeterministic(condition)) return undefined;
  const [one, other] = condition.arguments;
  return { sides: [one, other], ofVariables: one.type === 'variable' && other.type === 'variable' };
}

function isOwnCondition(condition: Expression, part: number, parts: Parts, scope: Scope): boolean {
  if (mentionsExists(condition) || needsSolutionNumber(condition)) return false;
  return parts.containing(mentionedSlots(condition, scope)) === part;
}

/** The parts of a group that share no variables with each other, by number. */
export class Parts {
  /** Number of the part with the rows for which the group runs; -1 if there are none. */
  readonly ofStart: number;
  readonly count: number;
  private readonly partOf: ReadonlyMap<Unit, number>;
  private readonly bySlot = new Map<number, number>();
  private readonly startSlots: readonly number[];
  private readonly parents: number[] = [];

  constructor(units: readonly Unit[], start: Operator | undefined) {
    this.startSlots = start?.slots ?? [];
    const begun = start && this.add(this.startSlots);
    const numbers = new Map(units.map((unit) => [unit, this.add(unit.slots)] as const));
    this.ofStart = begun === undefined ? -1 : this.root(begun);
    this.partOf = new Map(Array.from(numbers, ([unit, number]) => [unit, this.root(number)] as const));
    this.count = new Set([...this.partOf.values(), this.ofStart]).size - (begun === undefined ? 1 : 0);
  }

  has(part: number, unit: Unit): boolean {
    return this.partOf.get(unit) === part;
  }

  /**
   * Returns the part that binds all of these slots; undefined if none does. In the part of the
   * rows for which the group runs, only the slots of those rows count.
   */
  containing(slots: readonly number[]): number | undefined {
    let part: number | undefined;
    for (const slot of slots) {
      const number = this.bySlot.get(slot);
      if (number === undefined) return undefined;
      const root = this.root(number);
      if (root === this.ofStart && !this.startSlots.includes(slot)) return undefined;
      if (part !== undefined && part !== root) return undefined;
      part = root;
    }
    return part;
  }

  private add(slots: readonly number[]): number {
    const number = this.parents.push(this.parents.length) - 1;
    for (const slot of slots) {
      const other = this.bySlot.get(slot);
      if (other === undefined) this.bySlot.set(slot, number);
      else this.parents[this.root(other)] = this.root(number);
    }
    return number;
  }

  private root(number: number): number {
    const { parents } = this;
    while (parents[number] !== number) number = parents[number] = parents[parents[number]];
    return number;
  }
}
