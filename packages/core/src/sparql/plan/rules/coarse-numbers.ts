import type { Expression } from '../../algebra/algebra.ts';
import { ANY_SLOT, isNumberExpression } from '../../vectors/programs.ts';

/** Functions with fewer results than arguments. */
const COARSE: ReadonlySet<string> = new Set([
  ...['YEAR', 'MONTH', 'DAY', 'HOURS', 'MINUTES', 'FLOOR', 'CEIL', 'ROUND'],
]);
/** Numbers that are bound to variables of their own. */
const MAX_NUMBERS = 3;

/** Numbers that an expression is computed from, and the expression with variables for them. */
export interface CoarseNumbers {
  readonly numbers: readonly { readonly variable: string; readonly expression: Expression }[];
  readonly rest: Expression;
}

/**
 * Finds the parts of an expression that are numbers with few results, as in `CONCAT(STR(YEAR(?t)),
 * "-", STR(MONTH(?t)))`. Bound to variables first, they are computed for whole batches, and the
 * rest once for each of their combinations. Returns undefined if there are none, or too many.
 *
 * @param newVariable returns the name of a new variable
 */
export function coarseNumbers(expression: Expression, newVariable: () => string): CoarseNumbers | undefined {
  if (!isCall(expression) || isNumberExpression(expression, ANY_SLOT)) return undefined;
  const numbers: { variable: string; expression: Expression }[] = [];
  let isCoarse = true;
  const visit = (part: Expression): Expression => {
    if (part.type === 'term') return part;
    if (part.type === 'call' && isNumberExpression(part, ANY_SLOT) && mentionsCoarse(part)) {
      const variable = newVariable();
      numbers.push({ variable, expression: part });
      return { type: 'variable', name: variable };
    }
    // All other variables may have a term for each row.
    if (!isCall(part)) isCoarse = false;
    return isCall(part) && isCoarse ? { ...part, arguments: part.arguments.map(visit) } : part;
  };
  const rest = visit(expression);
  return isCoarse && numbers.length > 0 && numbers.length <= MAX_NUMBERS ? { numbers, rest } : undefined;
}

type Call = Expression & { readonly type: 'call' | 'iriCall' };

function isCall(expression: Expression): expression is Call {
  return expression.type === 'call' || expression.type === 'iriCall';
}

function mentionsCoarse(expression: Expression): boolean {
  if (!isCall(expression)) return false;
  return (expression.type === 'call' && COARSE.has(expression.function)) || expression.arguments.some(mentionsCoarse);
}
