import type { Algebra, Expression } from '../../algebra/algebra.ts';
import type { Operator } from '../../exec/operator.ts';
import { needsSolutionNumber } from '../conditions.ts';
import { extend } from '../extend.ts';
import type { PatternPlanner } from '../pattern-planner.ts';
import type { Planning } from '../planning.ts';
import type { Scope } from '../scope.ts';
import { expressionVariables, isDeterministic, mentionsExists } from '../variables.ts';

/** More rows are ranked by their terms, which they must have then. */
const MAX_KEPT = 1 << 12;

/**
 * ORDER BY with LIMIT below BIND: a term is computed only for the rows that are kept, and a key
 * that is the variable becomes the expression. Unbound variables and errors are sorted alike
 * (section 15.1).
 *
 * @param keep number of rows that will be read
 */
export function* orderBeforeBind(
  planner: PatternPlanner,
  { input, conditions }: Algebra & { readonly type: 'orderBy' },
  scope: Scope,
  keep: number,
): Planning<Operator | undefined> {
  if (input.type !== 'extend' || keep > MAX_KEPT) return undefined;
  const { variable, expression } = input;
  if (mentionsExists(expression) || needsSolutionNumber(expression) || !isDeterministic(expression)) return undefined;
  const keys: { readonly expression: Expression; readonly descending: boolean }[] = [];
  for (const { expression: key, descending } of conditions) {
    const isVariable = key.type === 'variable' && key.name === variable;
    // Within a larger key, the expression would be computed as often as it is mentioned.
    if (!isVariable && (mentionsExists(key) || expressionVariables(key).has(variable))) return undefined;
    keys.push({ expression: isVariable ? expression : key, descending });
  }
  const sorted: Algebra = { type: 'orderBy', input: input.input, conditions: keys };
  return yield* extend(planner, yield* planner.plan(sorted, scope, keep), variable, expression, scope);
}
