import type { Algebra } from '../algebra/algebra.ts';
import { expressionVariables, mentionsExists, variablesOf } from './variables.ts';

/**
 * Whether a pattern gives the same matches when it is run for given rows, with their bindings in place, as when it is run alone and joined with
 * them. Patterns and their joins do; what hides variables or looks at more than one row does not.
 *
 * @param seeded the variables that the rows bind
 * @param isExists for EXISTS the bindings are substituted (SPARQL 1.1 section 18.6), so that filters inside see them
 */
export function isSeedable(algebra: Algebra, seeded: ReadonlySet<string>, isExists: boolean): boolean {
  switch (algebra.type) {
    case 'bgp':
    case 'path':
    case 'values':
      return true;
    case 'join':
    case 'union':
      return algebra.operands.every((operand) => isSeedable(operand, seeded, isExists));
    case 'graph':
      return isSeedable(algebra.input, seeded, isExists);
    case 'filter': {
      if (!isSeedable(algebra.input, seeded, isExists)) return false;
      if (mentionsExists(algebra.condition)) return false;
      if (isExists) return true;
      // Alone, the filter would not see what the rows bind.
      const own = variablesOf(algebra.input);
      return [...expressionVariables(algebra.condition)].every((name) => own.has(name) || !seeded.has(name));
    }
    default:
      return false;
  }
}
