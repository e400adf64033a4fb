import type { Expression } from '../../algebra/algebra.ts';
import { balanced } from '../../algebra/balanced.ts';
import { HashJoin } from '../../exec/hash-join.ts';
import { estimatedRows, type Operator } from '../../exec/operator.ts';
import { RangeSemiJoin } from '../../exec/range-semi-join.ts';
import { SlotSet } from '../../exec/slot-set.ts';
import { MAX_FILTERS, needsSolutionNumber } from '../conditions.ts';
import type { PatternPlanner } from '../pattern-planner.ts';
import type { Planning } from '../planning.ts';
import type { Scope } from '../scope.ts';
import { isIndependent } from '../seedable.ts';
import { conjuncts, mentionedSlots, mentionsExists, variablesOf } from '../variables.ts';
import { boundsOf, inequalitiesOf } from './inequalities.ts';
import { withEqualityKeys } from './join-equal-values.ts';

/** A pattern without conditions must have this many times fewer rows than its lookups. */
const MIN_GAIN = 2;

/** Fewer rows of lookups than this are not worth a table. */
const MIN_LOOKUPS = 64;

/**
 * Plans EXISTS and NOT EXISTS by evaluating their pattern once, where that reads less than looking
 * it up for each row. Conditions may compare the pattern with the row, as in `?a :of ?g ; :at ?t
 * FILTER NOT EXISTS { ?b :of ?g ; :at ?later FILTER(?later > ?t) }`: the rows of the pattern with
 * the same shared variables, and with equal values where a condition wants these, are tried until
 * one passes. Looked up for each row, all pairs of a group would be made before the first is
 * tested. Returns undefined if the lookups are cheaper, or if the pattern sees more of the row than
 * the shared variables.
 *
 * @param lookups the plan of the pattern that looks it up for each row
 */
export function* existsByKey(
  planner: PatternPlanner,
  input: Operator,
  { pattern, negated }: Expression & { readonly type: 'exists' },
  lookups: Operator,
  scope: Scope,
): Planning<Operator | undefined> {
  if (planner.substituted !== SlotSet.EMPTY) return undefined;
  const conditions: Expression[] = [];
  let core = pattern;
  for (; core.type === 'filter'; core = core.input) conditions.push(...conjuncts(core.condition));
  if (!isIndependent(core) || conditions.length > MAX_FILTERS) return undefined;
  if (conditions.some((condition) => mentionsExists(condition) || needsSolutionNumber(condition))) return undefined;
  const inner = SlotSet.of(Array.from(variablesOf(core), (name) => scope.slot(name)));
  const isOwn = (condition: Expression) => mentionedSlots(condition, scope).every((slot) => inner.has(slot));
  const own = conditions.filter(isOwn);
  const between = conditions.filter((condition) => !isOwn(condition));

  // Without conditions, a lookup ends at its first match.
  const rows = between.length > 0 ? estimatedRows(lookups) : leastRows(lookups, input.estimate) / MIN_GAIN;
  if (rows < MIN_LOOKUPS) return undefined;
  const perRow = rows / Math.max(1, input.estimate);
  // Of as many rows as a lookup finds, one passes, as the greatest of a group does.
  const cost = Math.min(rows, planner.keep * perRow ** 2);
  if (input.estimate > cost) return undefined;
  const right = yield* planner.plan(
    own.length > 0 ? { type: 'filter', input: core, condition: balanced('&&', own) } : core,
    scope,
  );
  if (estimatedRows(right) + input.estimate > cost) return undefined;
  const [one, other] = withEqualityKeys(planner, [input, right], between, scope);
  const shared = SlotSet.of(one.slots).among(other.slots);
  if (!shared.every((slot) => one.certain.has(slot) && other.certain.has(slot))) return undefined;
  const condition = between.length > 0 ? planner.conditions.test(balanced('&&', between), scope, planner) : undefined;
  const inequalities = between.flatMap((comparison) => inequalitiesOf(comparison, scope));
  const bounds = boundsOf(planner, inequalities, [SlotSet.of(input.slots), SlotSet.of(right.slots)], scope);
  if (condition && bounds.length > 0) return new RangeSemiJoin(one, other, negated, bounds, condition);
  // Without a key, each row would be tried with all.
  if (shared.length === 0) return undefined;
  return new HashJoin(one, other, negated ? 'anti' : 'semi', input.estimate / 2, condition);
}

/** Estimates the rows of lookups of which each gives one match for each of the rows, at most. */
function leastRows(lookups: Operator, rows: number): number {
  return lookups.inputs.reduce((sum, input) => sum + leastRows(input, rows), Math.min(lookups.estimate, rows));
}
