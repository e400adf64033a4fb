import type { Algebra, Expression, Variable } from '../../algebra/algebra.ts';
import { isPlain, needsTriples } from '../seedable.ts';
import { isWithout, variablesOf } from '../variables.ts';

type Graph = Algebra & { readonly type: 'graph' };

/**
 * Moves a GRAPH with a variable into its pattern, down to triple patterns, which are looked up in
 * all graphs at once: otherwise the pattern is evaluated graph by graph (section 18.6). Every part
 * then binds the graph's variable, so that joins and OPTIONALs stay within one graph. Returns
 * undefined where that is not equivalent: for expressions and patterns that name the variable,
 * which must not see the graph, and for parts that match without a triple.
 */
export function graphInside({ name, input }: Graph): Algebra | undefined {
  if (name.termType !== 'Variable' || variablesOf(input).has(name.value)) return undefined;
  return inside(input, name);
}

function inside(algebra: Algebra, name: Variable): Algebra | undefined {
  const isBlind = (expression: Expression) => isWithout(expression, { has: (one) => one === name.value });
  if (isPlain(algebra)) return needsTriples(algebra) ? { type: 'graph', name, input: algebra } : undefined;
  switch (algebra.type) {
    case 'filter':
    case 'extend': {
      const expression = algebra.type === 'filter' ? algebra.condition : algebra.expression;
      const input = isBlind(expression) ? inside(algebra.input, name) : undefined;
      return input && { ...algebra, input };
    }
    case 'union': {
      const operands = algebra.operands.map((operand) => inside(operand, name));
      return operands.every((operand) => operand !== undefined) ? { type: 'union', operands } : undefined;
    }
    case 'leftJoin': {
      const left = inside(algebra.left, name);
      const right = left && inside(algebra.right, name);
      if (!right || (algebra.condition && !isBlind(algebra.condition))) return undefined;
      return { ...algebra, left, right };
    }
    case 'join': {
      const rows = algebra.operands.filter(({ type }) => type === 'values');
      const others = algebra.operands.filter(({ type }) => type !== 'values').map((operand) => inside(operand, name));
      const isWhole = others.length > 0 && others.every((operand) => operand !== undefined);
      return isWhole ? { type: 'join', operands: [...rows, ...others] } : undefined;
    }
    default:
      return undefined;
  }
}
