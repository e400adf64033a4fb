import type { Algebra, Expression, OrderCondition, Query, UpdateOperation } from './algebra/algebra.ts';
import { mapInputs } from './algebra/map-inputs.ts';
import { variablesOf } from './plan/variables.ts';
import { templateVariables } from './template.ts';

type Modify = Extract<UpdateOperation, { type: 'modify' }>;

/**
 * Rewrites a query so that its result depends only on the terms of the data, never on ids or on the
 * order in which operators produce rows (docs/decisions/0012). Wherever SPARQL leaves an order open
 * and the result can show it, an ORDER BY over all variables is added. ORDER BY is a total order of
 * terms, so tied rows are indistinguishable.
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
 * Like {@link canonicalQuery}, for the WHERE of an update: new blank nodes of the templates are
 * numbered in the order of its solutions.
 */
export function canonicalModify(operation: Modify): Modify {
  const names = templateVariables([...operation.delete, ...operation.insert]);
  return { ...operation, where: ordered(canonical(operation.where), names) };
}

/** Returns algebra with the same solutions in which terms determine every inner choice. */
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
      // Labels of new nodes follow the order of their creation.
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

/** Orders solutions by the given variables, after the query's own conditions. */
function ordered(algebra: Algebra, names: readonly string[]): Algebra {
  if (names.length === 0) return algebra;
  const own = textOrder(algebra);
  if (!own) return sorted(algebra, names);
  // The input was ordered before slicing.
  if (own.type === 'slice') return algebra;
  return withOrder(algebra, own, sorted(own, names));
}

function sorted(algebra: Algebra, names: readonly string[]): Algebra {
  const ties = names.map((name): OrderCondition => ({ expression: { type: 'variable', name }, descending: false }));
  if (algebra.type !== 'orderBy') return { type: 'orderBy', input: algebra, conditions: ties };
  return { ...algebra, conditions: [...algebra.conditions, ...ties] };
}

/**
 * Returns the node that determines the order of solutions, if any, looking through operators that
 * preserve it.
 */
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
 * Returns the variables by which to order the input of a grouping, so that the order of its rows
 * does not matter.
 */
function groupOrder({ keys, aggregates }: Extract<Algebra, { type: 'group' }>, input: Algebra): readonly string[] {
  const expressions = [
    ...keys.map(({ expression }) => expression),
    ...aggregates.flatMap(({ aggregate }) => aggregate.argument ?? []),
  ];
  if (expressions.some(makesNodes)) return visible(input);
  // Counts, minimum and maximum do not depend on the order. Sums of doubles do, because each
  // addition rounds.
  const isOpen = aggregates.some(({ aggregate }) => !['COUNT', 'MIN', 'MAX'].includes(aggregate.function));
  return isOpen ? visible(input) : [];
}

/** Returns the variables that a query text can name. */
function visible(algebra: Algebra): readonly string[] {
  return [...variablesOf(algebra)].filter((name) => !name.startsWith('.'));
}

/** Rewrites EXISTS patterns too: they may contain subqueries whose choices are visible. */
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

/** Whether evaluating an expression creates blank nodes. */
function makesNodes(expression: Expression): boolean {
  if (expression.type !== 'call' && expression.type !== 'iriCall') return false;
  return (expression.type === 'call' && expression.function === 'BNODE') || expression.arguments.some(makesNodes);
}
