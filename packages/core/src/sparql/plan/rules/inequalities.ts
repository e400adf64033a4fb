import type { Expression } from '../../algebra/algebra.ts';
import type { RangeBound } from '../../exec/range-candidates.ts';
import type { SlotSet } from '../../exec/slot-set.ts';
import { isNumberExpression } from '../../vectors/programs.ts';
import type { PatternPlanner } from '../pattern-planner.ts';
import type { Scope } from '../scope.ts';
import { mentionedSlots } from '../variables.ts';

/** A condition that implies that one number is at most another. */
export interface Inequality {
  readonly lesser: Expression;
  readonly greater: Expression;
  /** Whether it also implies that the two differ. False if a number was moved. */
  readonly isStrict: boolean;
  /** Whether a number was moved to the other side. */
  readonly isMoved: boolean;
}

/** The comparisons: whether the left side is the lesser one, and whether both may be equal. */
const ORDERS: ReadonlyMap<string, { readonly isLesser: boolean; readonly isStrict: boolean }> = new Map([
  ['<', { isLesser: true, isStrict: true }],
  ['<=', { isLesser: true, isStrict: false }],
  ['>', { isLesser: false, isStrict: true }],
  ['>=', { isLesser: false, isStrict: false }],
]);

/** Returns the inequalities that follow from a condition. */
export function inequalitiesOf(condition: Expression, scope: Scope): readonly Inequality[] {
  const order = condition.type === 'call' ? ORDERS.get(condition.function) : undefined;
  if (order === undefined || condition.type !== 'call') return [];
  const { isLesser, isStrict } = order;
  const [one, other] = condition.arguments;
  const [lesser, greater] = isLesser ? [one, other] : [other, one];
  const slotOf = (name: string) => scope.find(name);
  const found = [{ lesser, greater, isStrict, isMoved: false }, ...moved(lesser, greater)];
  return found.filter((one) =>
    [one.lesser, one.greater].every(
      (side) => isNumberExpression(side, slotOf) && mentionedSlots(side, scope).length > 0,
    ),
  );
}

/** Returns the inequalities between two parts as bounds of the numbers of the right one. */
export function boundsOf(
  planner: PatternPlanner,
  inequalities: readonly Inequality[],
  [left, right]: readonly [SlotSet, SlotSet],
  scope: Scope,
): readonly RangeBound[] {
  const value = (expression: Expression) => planner.conditions.value(expression, scope);
  const isOf = (slots: SlotSet, expression: Expression) =>
    mentionedSlots(expression, scope).every((slot) => slots.has(slot));
  const all = inequalities.flatMap(({ lesser, greater, isStrict, isMoved }) => {
    if (isOf(left, lesser) && isOf(right, greater))
      return [{ left: value(lesser), right: value(greater), isLower: true, isStrict, isMoved }];
    if (isOf(left, greater) && isOf(right, lesser))
      return [{ left: value(greater), right: value(lesser), isLower: false, isStrict, isMoved }];
    return [];
  });
  // Of two forms of one bound, the one with the variable alone, which may be bounded on both sides.
  const ofVariables = all.filter(({ right, isMoved }) => !isMoved || right.expression.type === 'variable');
  return ofVariables.length > 0 ? ofVariables : all;
}

/**
 * Moves parts of a difference to the other side: `?a - ?b < 5` is `?a < ?b + 5` and `?a - 5 < ?b`,
 * so that either variable is alone. Within ABS, both signs are bounded.
 */
function moved(lesser: Expression, greater: Expression): readonly Inequality[] {
  const size = callOf('ABS', lesser)?.[0];
  const difference = callOf('-', size ?? lesser);
  const found: Inequality[] = [];
  const atMost = ([minuend, subtrahend]: readonly Expression[], most: Expression) => {
    found.push({ lesser: minuend, greater: call('+', subtrahend, most), ...MOVED });
    found.push({ lesser: call('-', minuend, most), greater: subtrahend, ...MOVED });
  };
  if (difference) atMost(difference, greater);
  if (difference && size) atMost([difference[1], difference[0]], greater);
  const other = callOf('-', greater);
  if (other) {
    const [minuend, subtrahend] = other;
    found.push({ lesser: call('+', subtrahend, lesser), greater: minuend, ...MOVED });
    found.push({ lesser: subtrahend, greater: call('-', minuend, lesser), ...MOVED });
  }
  return found;
}

/** A moved number may be rounded differently, so both sides may be equal. */
const MOVED = { isStrict: false, isMoved: true };

function callOf(name: string, expression: Expression): readonly Expression[] | undefined {
  return expression.type === 'call' && expression.function === name ? expression.arguments : undefined;
}

function call(name: '+' | '-', one: Expression, other: Expression): Expression {
  return { type: 'call', function: name, arguments: [one, other] };
}
