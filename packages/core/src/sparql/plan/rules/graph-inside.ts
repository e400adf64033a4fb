import type { Algebra, Expression, Variable } from '../../algebra/algebra.ts';
import { isPlain } from '../seedable.ts';
import { expressionVariables, mentionsExists, variablesOf } from '../variables.ts';

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
  if (isPlain(algebra)) return hasTriples(algebra) ? { type: 'graph', name, input: algebra } : undefined;
  switch (algebra.type) {
    case 'filter':
    case 'extend': {
      const expression = algebra.type === 'filter' ? algebra.condition : algebra.expression;
      const input = isWithout(expression, name) ? inside(algebra.input, name) : undefined;
      return input && { ...algebra, input };
    }
    case 'union': {
      const operands = algebra.operands.map((operand) => inside(operand, name));
      return operands.every((operand) => operand !== undefined) ? { type: 'union', operands } : undefined;
    }
    case 'leftJoin': {
      const left = inside(algebra.left, name);
      const right = left && inside(algebra.right, name);
      if (!right || (algebra.condition && !isWithout(algebra.condition, name))) return undefined;
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

/** Whether every solution of plain patterns has a triple of the graph. */
function hasTriples(algebra: Algebra): boolean {
  switch (algebra.type) {
    case 'bgp':
      return algebra.patterns.length > 0;
    case 'join':
      return algebra.operands.some(hasTriples);
    default:
      return false;
  }
}

function isWithout(expression: Expression, { value }: Variable): boolean {
  return !mentionsExists(expression) && !expressionVariables(expression).has(value);
}
