import type { Expression } from './algebra.ts';

/**
 * An expression over groups in which each variable outside of aggregates that is not the same in
 * all of its group stands for a sample of it (section 18.2.4.1). `sample` gives the name of the
 * aggregate for a variable, or undefined to leave it.
 */
export function sampled(expression: Expression, sample: (name: string) => string | undefined): Expression {
  switch (expression.type) {
    case 'variable': {
      const name = sample(expression.name);
      return name === undefined ? expression : { type: 'variable', name };
    }
    case 'call':
    case 'iriCall':
      return { ...expression, arguments: expression.arguments.map((argument) => sampled(argument, sample)) };
    default:
      return expression;
  }
}
