import type { Algebra, Expression } from '../../algebra/algebra.ts';
import { ANY_SLOT, isNumberExpression } from '../../vectors/programs.ts';
import { replaceVariables } from '../variables.ts';

/**
 * Maximum number of BINDs whose expressions replace their variables: in a chain of them, each may
 * double the size of the next.
 */
const MAX_BOUND = 8;

/**
 * Returns the numbers that the last BINDs of a pattern compute, by variable. A sum of such a
 * variable is the sum of its expression, and no term is stored for each row. An error leaves the
 * variable unbound (section 18.5, Extend), and either is an error of the sum.
 */
export function boundNumbers(pattern: Algebra): ReadonlyMap<string, Expression> {
  const bound: (Algebra & { readonly type: 'extend' })[] = [];
  let part = pattern;
  while ((part.type === 'extend' || part.type === 'filter') && bound.length < MAX_BOUND) {
    if (part.type === 'extend') bound.push(part);
    part = part.input;
  }
  const numbers = new Map<string, Expression>();
  for (const { variable, expression } of bound.reverse()) {
    const replaced = isNumberExpression(expression, ANY_SLOT) ? replaceVariables(expression, numbers) : expression;
    if (isNumberExpression(replaced, ANY_SLOT)) numbers.set(variable, replaced);
  }
  return numbers;
}
