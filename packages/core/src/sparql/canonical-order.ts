import type { Algebra, Expression, OrderCondition, Query, UpdateOperation } from './algebra/algebra.ts';
import { mapInputs } from './algebra/map-inputs.ts';
import { variablesOf } from './plan/variables.ts';
import { templateVariables } from './template.ts';

type Modify = Extract<UpdateOperation, { type: 'modify' }>;

/**
 * Rewrites a query so that its answer depends on the terms of the data alone, never on ids or on
 * the order in which operators produce rows (docs/decisions/0012): wherever SPARQL leaves an order
 * open and an answer can show it, an ORDER BY over all variables decides. ORDER BY compares terms
 * totally, so rows that tie look the same.
 */
export function canonicalQuery(query: Query): Query {
  switch (query.type) {
    case 'select':
      return { ...query, algebra: ordered(canonical(query.algebra), query.variables) };
    case 'ask':
      return { ...query, algebra: canonical(query.algebra) };
    case 'construct':
      return { ...query, algebra: ordered(canonical(query.algebra), templateVariables(query.template)) };
    case 'describe': {
      if (!query.algebra) return query;
      const names = query.targets.flatMap((target) => (target.termType === 'Variable' ? [target.value] : []));
      return { ...query, algebra: ordered(canonical(query.algebra), names) };
    }
  }
}

/**
 * As {@link canonicalQuery}, for WHERE: new blank nodes of the templates are numbered in the order
 * of its solutions.
 */
export function canonicalModify(operation: Modify): Modify {
  const names = templateVariables([...operation.delete, ...operation.insert]);
  return { ...operation, where: ordered(canonical(operation.where), names) };
}

/** The same solutions, with every choice inside made by the terms. */
function canonical(algebra: Algebra): Algebra {
  switch (algebra.type) {
    case 'slice': {
      const input = canonical(algebra.input);
      return { ...algebra, input: ordered(input, visible(input)) };
    }
    case 'group': {
      const input = canonical(algebra.input);
      const keys = algebra.keys.map((key) => ({ ...key, expression: canonicalExpression(key.expression) }));
      const aggregates = algebra.aggregates.map(({ variable, aggregate }) => {
        const { argument } = aggregate;
        return {
          variable,
          aggregate: argument ? { ...aggregate, argument: canonicalExpression(argument) } : aggregate,
        };
      });
      return { ...algebra, input: ordered(input, groupOrder(algebra, input)), keys, aggregates };
    }
    case 'extend': {
      const input = canonical(algebra.input);
      const expression = canonicalExpression(algebra.expression);
      return { ...algebra, expression, input: makesNodes(expression) ? ordered(input, visible(input)) : input };
    }
    case 'orderBy': {
      const input = canonical(algebra.input);
      const conditions = algebra.conditions.map((condition) => ({
        ...condition,
        expression: canonicalExpression(condition.expression),
      }));
      // The labels of new nodes follow the order in which they are made.
      const isNumbering = conditions.some(({ expression }) => makesNodes(expression));
      return { ...algebra, input: isNumbering ? ordered(input, visible(input)) : input, conditions };
    }
    case 'filter':
      return { ...algebra, input: canonical(algebra.input), condition: canonicalExpression(algebra.condition) };
    case 'leftJoin': {
      const { left, right, condition } = algebra;
      const inner = { ...algebra, left: canonical(left), right: canonical(right) };
      return condition ? { ...inner, condition: canonicalExpression(condition) } : inner;
    }
    default:
      return mapInputs(algebra, canonical);
  }
}

/** Orders solutions by some variables, after the conditions that the text gives. */
function ordered(algebra: Algebra, names: readonly string[]): Algebra {
  if (names.length === 0) return algebra;
  const own = textOrder(algebra);
  if (!own) return sorted(algebra, names);
  // Its input was ordered before it was cut.
  if (own.type === 'slice') return algebra;
  return withOrder(algebra, own, sorted(own, names));
}

function sorted(algebra: Algebra, names: readonly string[]): Algebra {
  const ties = names.map((name): OrderCondition => ({ expression: { type: 'variable', name }, descending: false }));
  if (algebra.type !== 'orderBy') return { type: 'orderBy', input: algebra, conditions: ties };
  return { ...algebra, conditions: [...algebra.conditions, ...ties] };
}

/** What decides the order of solutions, where something does: below operators that keep it. */
function textOrder(algebra: Algebra): Extract<Algebra, { type: 'orderBy' | 'slice' }> | undefined {
  switch (algebra.type) {
    case 'orderBy':
    case 'slice':
      return algebra;
    case 'project':
    case 'distinct':
    case 'reduced':
      return textOrder(algebra.input);
    default:
      return undefined;
  }
}

function withOrder(algebra: Algebra, own: Algebra, changed: Algebra): Algebra {
  return algebra === own ? changed : mapInputs(algebra, (input) => withOrder(input, own, changed));
}

/**
 * What the input of a grouping must be ordered by, so that it does not matter in which order rows
 * come.
 */
function groupOrder({ keys, aggregates }: Extract<Algebra, { type: 'group' }>, input: Algebra): readonly string[] {
  const expressions = [
    ...keys.map(({ expression }) => expression),
    ...aggregates.flatMap(({ aggregate }) => aggregate.argument ?? []),
  ];
  if (expressions.some(makesNodes)) return visible(input);
  // Counts, least and greatest are the same in any order. Sums of doubles are not: each addition
  // rounds.
  const isOpen = aggregates.some(({ aggregate }) => !['COUNT', 'MIN', 'MAX'].includes(aggregate.function));
  return isOpen ? visible(input) : [];
}

/** The variables that a text can name. */
function visible(algebra: Algebra): readonly string[] {
  return [...variablesOf(algebra)].filter((name) => !name.startsWith('.'));
}

/** Patterns of EXISTS may hold subqueries, whose choices show. */
function canonicalExpression(expression: Expression): Expression {
  switch (expression.type) {
    case 'call':
    case 'iriCall':
      return { ...expression, arguments: expression.arguments.map(canonicalExpression) };
    case 'exists':
      return { ...expression, pattern: canonical(expression.pattern) };
    default:
      return expression;
  }
}

/** Whether evaluating an expression makes blank nodes. */
function makesNodes(expression: Expression): boolean {
  if (expression.type !== 'call' && expression.type !== 'iriCall') return false;
  return (expression.type === 'call' && expression.function === 'BNODE') || expression.arguments.some(makesNodes);
}
