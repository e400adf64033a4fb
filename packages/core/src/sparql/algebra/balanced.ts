import type { Expression } from './algebra.ts';

/**
 * One expression of many that `||` or `&&` connects. Both are associative, errors included (section
 * 17.2), so the tree is built flat: thousands of alternatives are a few levels deep.
 */
export function balanced(operator: '||' | '&&', operands: readonly Expression[]): Expression {
  const build = (from: number, to: number): Expression => {
    if (to - from === 1) return operands[from];
    const middle = (from + to) >>> 1;
    return { type: 'call', function: operator, arguments: [build(from, middle), build(middle, to)] };
  };
  return build(0, operands.length);
}
