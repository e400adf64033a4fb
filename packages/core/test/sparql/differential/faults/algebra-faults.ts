import { dataFactory } from '../../../../src/index.ts';
import type { Aggregate, Algebra, Expression } from '../../../../src/sparql/algebra/algebra.ts';
import { XSD } from '../naive/meaning.ts';
import { changedEngine, type Node, type PlantedFault } from './planted-fault.ts';

type Kind<Type extends Node['type']> = Extract<Node, { type: Type }>;

/** A fault in what one kind of node is taken for. */
function fault<Type extends Node['type']>(
  name: string,
  type: Type,
  change: (node: Kind<Type>) => Node,
  needs?: string,
): PlantedFault {
  const engine = changedEngine({ node: (node) => (node.type === type ? change(node as Kind<Type>) : node) });
  return { name, engine, ...(needs === undefined ? {} : { needs }) };
}

const call = (name: string, ...args: readonly Expression[]): Expression => ({
  type: 'call',
  function: name,
  arguments: args,
});
const constant = (text: string, type: string): Expression => ({
  type: 'term',
  term: dataFactory.literal(text, dataFactory.namedNode(XSD + type)),
});
const TRUE = constant('true', 'boolean');
const ZERO = constant('0', 'integer');

function aggregateFault(name: string, needs: string, change: (aggregate: Aggregate) => Aggregate): PlantedFault {
  return fault(
    name,
    'group',
    (group) => ({
      ...group,
      aggregates: group.aggregates.map((one) => ({ ...one, aggregate: change(one.aggregate) })),
    }),
    needs,
  );
}

/** Changes the argument of one aggregate function. */
const argumentFault = (name: string, aggregate: Aggregate['function'], change: (argument: Expression) => Expression) =>
  aggregateFault(name, `aggregate ${aggregate}`, (one) =>
    one.function === aggregate && one.argument ? { ...one, argument: change(one.argument) } : one,
  );

/** The variables that a pattern binds, as far as a fault needs them. */
function namesOf(algebra: Algebra): string[] {
  const names = new Set<string>();
  const text = JSON.stringify(algebra);
  for (const [, name] of text.matchAll(/"termType":"Variable","value":"(\w+)"/g)) names.add(name);
  return [...names];
}

/** Faults of the planner and the operators, planted as another algebra. */
export const ALGEBRA_FAULTS: readonly PlantedFault[] = [
  fault(
    'OPTIONAL loses its condition',
    'leftJoin',
    ({ condition: _, ...rest }) => rest,
    'operator leftJoin with condition',
  ),
  fault(
    'a condition of OPTIONAL is a filter behind it',
    'leftJoin',
    ({ condition, ...rest }) => (condition ? { type: 'filter', input: rest, condition } : rest),
    'operator leftJoin with condition',
  ),
  fault('OPTIONAL is a join', 'leftJoin', ({ left, right, condition }) => {
    const join: Algebra = { type: 'join', operands: [left, right] };
    return condition ? { type: 'filter', input: join, condition } : join;
  }),
  fault('MINUS removes without a shared variable', 'minus', ({ left, right }) => ({
    type: 'filter',
    input: left,
    condition: { type: 'exists', negated: true, pattern: right },
  })),
  fault('MINUS removes nothing', 'minus', ({ left }) => left),
  fault('UNION gives no solution twice', 'union', (union) => ({ type: 'distinct', input: union })),
  fault('UNION forgets its last operand', 'union', ({ operands }) => ({
    type: 'union',
    operands: operands.slice(0, -1),
  })),
  fault('FILTER takes an error for true', 'filter', (filter) => ({
    ...filter,
    condition: call('COALESCE', call('!', call('!', filter.condition)), TRUE),
  })),
  fault('BIND of an error drops the solution', 'extend', (extend) => ({
    type: 'filter',
    input: extend,
    condition: call('BOUND', { type: 'variable', name: extend.variable }),
  })),
  fault('VALUES forgets rows with UNDEF', 'values', (values) => ({
    ...values,
    rows: values.rows.filter((row) => !row.includes(undefined)),
  })),
  fault('GRAPH ?g finds the default graph too', 'graph', (graph) =>
    graph.name.termType === 'Variable' ? { type: 'union', operands: [graph, graph.input] } : graph,
  ),
  fault('GRAPH ?g does not bind its variable', 'graph', (graph) => {
    if (graph.name.termType !== 'Variable') return graph;
    const variables = namesOf(graph.input).filter((name) => name !== graph.name.value);
    return { type: 'project', input: graph, variables };
  }),
  fault('GRAPH <g> looks everywhere', 'graph', (graph) =>
    graph.name.termType === 'Variable' ? graph : { ...graph, name: { termType: 'Variable', value: '.any' } },
  ),
  fault('NOT EXISTS is EXISTS', 'exists', (exists) => ({ ...exists, negated: false }), 'function NOT EXISTS'),
  fault('an inner variable of a subquery is seen outside', 'project', (project) => ({
    ...project,
    variables: [...new Set([...project.variables, ...namesOf(project.input)])],
  })),
  fault('DISTINCT looks at all columns but the last', 'distinct', (distinct) => {
    const { input } = distinct;
    if (input.type !== 'project' || input.variables.length < 2) return distinct;
    const last = input.variables[input.variables.length - 1];
    return {
      type: 'group',
      input,
      keys: input.variables.slice(0, -1).map((name) => ({ variable: name, expression: { type: 'variable', name } })),
      aggregates: [
        {
          variable: last,
          aggregate: { function: 'SAMPLE', distinct: false, argument: { type: 'variable', name: last } },
        },
      ],
    };
  }),
  fault('DISTINCT does nothing', 'distinct', ({ input }) => input),
  fault('LIMIT gives one more', 'slice', (slice) =>
    slice.limit === undefined ? slice : { ...slice, limit: slice.limit + 1 },
  ),
  fault('OFFSET skips one more', 'slice', (slice) => ({ ...slice, offset: slice.offset + 1 }), 'OFFSET'),
  fault('ORDER BY compares texts', 'orderBy', (order) => ({
    ...order,
    conditions: order.conditions.map((one) => ({ ...one, expression: call('STR', one.expression) })),
  })),
  fault('ORDER BY forgets DESC', 'orderBy', (order) => ({
    ...order,
    conditions: order.conditions.map((one) => ({ ...one, descending: false })),
  })),
  fault('ORDER BY looks at its first condition only', 'orderBy', (order) => ({
    ...order,
    conditions: order.conditions.slice(0, 1),
  })),
  fault('GROUP BY nothing of nothing is no group', 'group', (group) =>
    group.keys.length > 0
      ? group
      : {
          ...group,
          keys: [{ variable: '.all', expression: ZERO }],
        },
  ),
  fault('HAVING is ignored', 'filter', (filter) => (filter.input.type === 'group' ? filter.input : filter), 'HAVING'),
  aggregateFault('COUNT(DISTINCT ...) counts all', 'aggregate COUNT DISTINCT', (one) =>
    one.function === 'COUNT' ? { ...one, distinct: false } : one,
  ),
  aggregateFault('COUNT(?x) counts solutions', 'aggregate COUNT', ({ argument, ...one }) =>
    one.function === 'COUNT' && !one.distinct ? one : { ...one, ...(argument ? { argument } : {}) },
  ),
  argumentFault('SUM adds doubles', 'SUM', (argument) => ({
    type: 'iriCall',
    iri: `${XSD}double`,
    distinct: false,
    arguments: [argument],
  })),
  argumentFault('SUM leaves errors out', 'SUM', (argument) => call('COALESCE', call('+', argument, ZERO), ZERO)),
  argumentFault('AVG truncates', 'AVG', (argument) => call('FLOOR', argument)),
  argumentFault('MIN compares texts', 'MIN', (argument) => call('STR', argument)),
  argumentFault('MAX sees numbers only', 'MAX', (argument) =>
    call('IF', call('ISNUMERIC', argument), argument, call('/', ZERO, ZERO)),
  ),
  argumentFault('GROUP_CONCAT takes blank nodes', 'GROUP_CONCAT', (argument) =>
    call('COALESCE', call('STR', argument), constant('', 'string')),
  ),
  aggregateFault('GROUP_CONCAT forgets its separator', 'aggregate GROUP_CONCAT', (one) =>
    one.function === 'GROUP_CONCAT' ? { ...one, separator: ' ' } : one,
  ),
  fault('path + has a zero length', 'oneOrMore', (path) => ({ ...path, type: 'zeroOrMore' })),
  fault('path * has no zero length', 'zeroOrMore', (path) => ({ ...path, type: 'oneOrMore' })),
  fault('path ? goes on', 'zeroOrOne', (path) => ({ ...path, type: 'zeroOrMore' })),
  fault('path ^ goes forwards', 'inverse', ({ path }) => path),
  fault('a negated property set forgets what is backwards', 'negated', ({ backward: _, ...path }) =>
    path.forward ? path : { ...path, forward: [] },
  ),
  fault('a negated property set excludes its first member only', 'negated', (path) =>
    path.forward ? { ...path, forward: path.forward.slice(0, 1) } : path,
  ),
];
