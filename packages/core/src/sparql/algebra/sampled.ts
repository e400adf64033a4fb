import type { Expression } from './algebra.ts';

/**
 * Replaces variables of a grouped expression that are neither keys nor inside an aggregate by
 * samples (section 18.2.4.1). `sample` returns the variable of the SAMPLE aggregate, or undefined
 * to keep the variable.
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
