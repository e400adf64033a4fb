import type * as RDF from '@rdfjs/types';
import type { Algebra, Expression, Query } from './algebra/algebra.ts';
import { canBeEmpty } from './plan/seedable.ts';
import { isWithout } from './plan/variables.ts';

type Bindings = ReadonlyMap<string, RDF.Term>;

/**
 * Rewrites a query so that one plan serves any values of its bindings: these variables remain, and
 * a row that the run provides is joined with the innermost pattern. Returns undefined if that might
 * differ from replacing the variables, which `bindQuery` does: where a part of the query does not
 * see the row, but names one of the variables.
 *
 * @param areRowsFew whether the plan is only used if it has few rows; see {@link searchesTexts}
 */
export function parameterised(query: Query, bindings: Bindings, areRowsFew = false): Query | undefined {
  if (query.type === 'describe') return undefined;
  const isSlow = (condition: Expression) => !areRowsFew && searchesTexts(condition, bindings);
  const algebra = withGivenRow(query.algebra, bindings, isSlow, query.type === 'select');
  return algebra && { ...query, algebra };
}

/**
 * @param isSlow whether a condition takes much longer with the row
 * @param isOutside whether this is outside of the projection: a further one is a subquery
 */
function withGivenRow(
  algebra: Algebra,
  given: Bindings,
  isSlow: (condition: Expression) => boolean,
  isOutside: boolean,
): Algebra | undefined {
  const below = <Node extends Algebra & { readonly input: Algebra }>(node: Node, outside = isOutside) => {
    const input = withGivenRow(node.input, given, isSlow, outside);
    return input && { ...node, input };
  };
  switch (algebra.type) {
    case 'project':
      if (!isOutside) return undefined;
      return isGrouped(algebra.input) && algebra.variables.some((name) => given.has(name))
        ? undefined
        : below(algebra, false);
    case 'distinct':
    case 'reduced':
    case 'slice':
    case 'group':
      return below(algebra);
    case 'orderBy':
      return sees(
        algebra.input,
        algebra.conditions.map(({ expression }) => expression),
        given,
      )
        ? below(algebra)
        : undefined;
    case 'extend':
      return sees(algebra.input, [algebra.expression], given) ? below(algebra) : undefined;
    case 'filter':
      return sees(algebra.input, [algebra.condition], given) && !isSlow(algebra.condition) ? below(algebra) : undefined;
    case 'leftJoin': {
      const left = isPattern(algebra.right, given) ? withGivenRow(algebra.left, given, isSlow, false) : undefined;
      return left && { ...algebra, left };
    }
    default:
      return isPattern(algebra, given) ? joinedWithRow(algebra, given) : undefined;
  }
}

function joinedWithRow(pattern: Algebra, given: Bindings): Algebra {
  const row: Algebra = { type: 'values', variables: [...given.keys()], rows: [[...given.values()]], isGiven: true };
  return { type: 'join', operands: pattern.type === 'join' ? [row, ...pattern.operands] : [row, pattern] };
}

/** Functions whose other operands say what is looked for in the text of the first. */
const TEXT_TESTS: ReadonlySet<string> = new Set(['CONTAINS', 'STRSTARTS', 'STRENDS', 'REGEX']);

/**
 * Whether a condition looks for a given text in those of the data. Stored bytes are searched for a
 * text that the plan knows, which saves far more than a plan costs.
 */
function searchesTexts(condition: Expression, given: Bindings): boolean {
  if (condition.type !== 'call') return false;
  const { function: name, arguments: operands } = condition;
  const isGiven = (operand: Expression) => operand.type !== 'term' && !isWithout(operand, given);
  if (TEXT_TESTS.has(name)) return operands.slice(1).some(isGiven);
  if (name === '=' || name === 'IN') return operands.some(isGiven) && operands.some(({ type }) => type === 'call');
  return operands.some((operand) => searchesTexts(operand, given));
}

/** Whether expressions over a pattern still see the given row: a group hides it. */
function sees(input: Algebra, expressions: readonly Expression[], given: Bindings): boolean {
  return !isGrouped(input) || expressions.every((expression) => isWithout(expression, given));
}

function isGrouped(algebra: Algebra): boolean {
  switch (algebra.type) {
    case 'group':
      return true;
    case 'distinct':
    case 'reduced':
    case 'slice':
    case 'orderBy':
    case 'extend':
    case 'filter':
      return isGrouped(algebra.input);
    default:
      return false;
  }
}

/**
 * Whether joining a pattern with a row is the same as replacing the row's variables in it: no
 * expression inside names them, nothing hides them, and a term that is not a node of the graph does
 * not matter (as for a zero-length path, section 18.4).
 */
function isPattern(algebra: Algebra, given: Bindings): boolean {
  switch (algebra.type) {
    case 'bgp':
      return true;
    case 'path':
      return !canBeEmpty(algebra.path);
    case 'join':
    case 'union':
      return algebra.operands.every((operand) => isPattern(operand, given));
    case 'leftJoin':
      return (
        isPattern(algebra.left, given) &&
        isPattern(algebra.right, given) &&
        (!algebra.condition || isWithout(algebra.condition, given))
      );
    case 'graph':
      return algebra.name.termType !== 'Variable' && isPattern(algebra.input, given);
    case 'filter':
      return isWithout(algebra.condition, given) && isPattern(algebra.input, given);
    default:
      return false;
  }
}
