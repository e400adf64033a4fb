import type { Expression } from './algebra.ts';

/**
 * Connects many expressions by `||` or `&&`. Both are associative, including errors (section 17.2),
 * so a balanced tree keeps thousands of operands only a few levels deep. Requires at least one
 * operand.
 */
export function balanced(operator: '||' | '&&', operands: readonly Expression[]): Expression {
  const build = (from: number, to: number): Expression => {
    if (to - from === 1) return operands[from];
    const middle = (from + to) >>> 1;
    return { type: 'call', function: operator, arguments: [build(from, middle), build(middle, to)] };
  };
  return build(0, operands.length);
}
