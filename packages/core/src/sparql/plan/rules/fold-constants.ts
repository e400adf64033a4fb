import type { Expression } from '../../algebra/algebra.ts';
import { MAX_FOLDED_UNITS } from '../../expressions/long-calls.ts';
import type { PatternPlanner } from '../pattern-planner.ts';
import { isDeterministic } from '../variables.ts';

/** Planning steps charged per call that is computed. */
const CALL_STEPS = 8;
/** Length of a result that is charged as a step more, in UTF-16 code units. */
const UNITS_PER_STEP = 64;

/**
 * Constant folding: replaces the calls of which all operands are constants by their results, as in
 * `?time > xsd:dateTime("2024-01-01T00:00:00Z")`, so that the rules for comparisons with a term
 * apply. A call that is an error stays, and so does one of long texts, whose memory the running
 * plan claims.
 */
export function foldConstants(planner: PatternPlanner, expression: Expression): Expression {
  return (planner.optimize && folded(planner, expression)) || expression;
}

/** Returns undefined if nothing changes, so that most expressions are not copied. */
function folded(planner: PatternPlanner, expression: Expression): Expression | undefined {
  if (expression.type !== 'call' && expression.type !== 'iriCall') return undefined;
  const { arguments: operands } = expression;
  let changed: Expression[] | undefined;
  for (const [at, operand] of operands.entries()) {
    const result = folded(planner, operand);
    if (!result) continue;
    changed ??= [...operands];
    changed[at] = result;
  }
  const call = changed ? { ...expression, arguments: changed } : expression;
  if (!isConstantCall(call)) return changed && call;
  planner.claimSteps(CALL_STEPS);
  const term = planner.conditions.constantTerm(call);
  if (term) planner.claimSteps(Math.ceil(term.value.length / UNITS_PER_STEP));
  return term ? { type: 'term', term } : changed && call;
}

function isConstantCall(call: Expression & { readonly type: 'call' | 'iriCall' }): boolean {
  // A plan may be kept for later requests.
  if (!isDeterministic(call) || (call.type === 'call' && call.function === 'NOW')) return false;
  let units = 0;
  for (const operand of call.arguments) {
    if (operand.type !== 'term') return false;
    units += operand.term.value.length;
  }
  return units <= MAX_FOLDED_UNITS;
}
