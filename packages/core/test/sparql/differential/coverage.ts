import type { Algebra, Expression, Path, Query, Update, UpdateOperation } from '../../../src/sparql/algebra/algebra.ts';
import { FUNCTIONS, IRI_FUNCTIONS } from '../../../src/sparql/expressions/function-table.ts';
import { AGGREGATE_FUNCTIONS } from '../../../src/sparql/syntax/built-in-functions.ts';
import { nameOfAggregate, nameOfFunction } from './naive/expressions.ts';

/**
 * The features of a query or update: the names of its operators, functions, clauses and so on. Read
 * from the algebra, because that is what runs.
 */
export function featuresOf(operation: Query | Update): Set<string> {
  const used = new Set<string>();
  if (operation.type === 'update') {
    for (const one of operation.operations) ofUpdate(one, used);
    return used;
  }
  used.add(`form ${operation.type}`);
  if (operation.dataset) {
    if (operation.dataset.defaultGraphs.length > 0) used.add('FROM');
    if (operation.dataset.namedGraphs.length > 0) used.add('FROM NAMED');
  }
  if (operation.algebra) ofAlgebra(operation.algebra, used, true);
  return used;
}

function ofUpdate(operation: UpdateOperation, used: Set<string>): void {
  const { type } = operation;
  used.add(`update ${type}`);
  if ('silent' in operation && operation.silent) used.add('update SILENT');
  if (type === 'clear' || type === 'drop') {
    used.add(`update ${type} ${typeof operation.target === 'string' ? operation.target : 'graph'}`);
  }
  if (type !== 'modify') return;
  if (operation.delete.length > 0) used.add('update DELETE');
  if (operation.insert.length > 0) used.add('update INSERT');
  if (operation.with !== undefined) used.add('update WITH');
  if (operation.using && operation.using.defaultGraphs.length > 0) used.add('update USING');
  if (operation.using && operation.using.namedGraphs.length > 0) used.add('update USING NAMED');
  ofAlgebra(operation.where, used, false);
}

/** @param isTop whether the operator belongs to the query itself, not to a subquery or a group */
function ofAlgebra(algebra: Algebra, used: Set<string>, isTop: boolean): void {
  const { type } = algebra;
  used.add(`operator ${type}`);
  const expression = (one: Expression) => ofExpression(one, used);
  switch (type) {
    case 'path':
      ofPath(algebra.path, used);
      return;
    case 'join':
    case 'union':
      for (const operand of algebra.operands) ofAlgebra(operand, used, false);
      return;
    case 'leftJoin':
    case 'minus':
      if (type === 'leftJoin' && algebra.condition) {
        used.add('operator leftJoin with condition');
        expression(algebra.condition);
      }
      ofAlgebra(algebra.left, used, false);
      ofAlgebra(algebra.right, used, false);
      return;
    case 'filter':
      if (algebra.input.type === 'group') used.add('HAVING');
      expression(algebra.condition);
      break;
    case 'graph':
      used.add(algebra.name.termType === 'Variable' ? 'operator graph ?g' : 'operator graph <g>');
      break;
    case 'extend':
      expression(algebra.expression);
      break;
    case 'values':
      if (algebra.rows.some((row) => row.includes(undefined))) used.add('UNDEF');
      return;
    case 'group':
      used.add(algebra.keys.length > 0 ? 'GROUP BY' : 'GROUP BY nothing');
      for (const key of algebra.keys) expression(key.expression);
      for (const { aggregate } of algebra.aggregates) {
        const { argument } = aggregate;
        used.add(`aggregate ${nameOfAggregate(aggregate)}`);
        if (argument) expression(argument);
      }
      break;
    case 'orderBy':
      for (const condition of algebra.conditions) {
        used.add(condition.descending ? 'ORDER BY DESC' : 'ORDER BY');
        expression(condition.expression);
      }
      break;
    case 'project':
      if (!isTop) used.add('subquery');
      ofAlgebra(algebra.input, used, false);
      return;
    case 'slice':
      if (algebra.limit !== undefined) used.add('LIMIT');
      if (algebra.offset > 0) used.add('OFFSET');
      break;
    case 'bgp':
      return;
  }
  ofAlgebra(algebra.input, used, isTop);
}

function ofPath(path: Path, used: Set<string>): void {
  used.add(`path ${path.type}`);
  switch (path.type) {
    case 'link':
      return;
    case 'negated':
      if (path.forward) used.add('path negated forward');
      if (path.backward) used.add('path negated backward');
      return;
    case 'sequence':
    case 'alternative':
      for (const one of path.paths) ofPath(one, used);
      return;
    default:
      ofPath(path.path, used);
  }
}

function ofExpression(expression: Expression, used: Set<string>): void {
  switch (expression.type) {
    case 'exists':
      used.add(`function ${nameOfFunction(expression)}`);
      ofAlgebra(expression.pattern, used, false);
      return;
    case 'call':
    case 'iriCall':
      used.add(`function ${nameOfFunction(expression)}`);
      for (const argument of expression.arguments) ofExpression(argument, used);
  }
}

const OPERATORS = [
  'bgp',
  'path',
  'join',
  'leftJoin',
  'leftJoin with condition',
  'minus',
  'union',
  'filter',
  'graph',
  'graph ?g',
  'graph <g>',
  'service',
  'extend',
  'values',
  'group',
  'orderBy',
  'project',
  'distinct',
  'reduced',
  'slice',
];
const CLAUSES = ['UNDEF', 'HAVING', 'GROUP BY', 'GROUP BY nothing', 'ORDER BY', 'ORDER BY DESC', 'LIMIT', 'OFFSET'];
const PATHS = [
  'link',
  'inverse',
  'sequence',
  'alternative',
  'zeroOrMore',
  'oneOrMore',
  'zeroOrOne',
  'negated forward',
  'negated backward',
];
const TARGETS = ['default', 'named', 'all', 'graph'];
const UPDATES = [
  ...['insertData', 'deleteData', 'modify', 'load', 'create', 'add', 'move', 'copy', 'SILENT'],
  ...['DELETE', 'INSERT', 'WITH', 'USING', 'USING NAMED'],
  ...TARGETS.flatMap((target) => [`clear ${target}`, `drop ${target}`]),
];

/**
 * The functions of the engine's tables. URI and isURI are left out: the algebra has IRI and isIRI
 * instead.
 */
const FUNCTION_NAMES = [...FUNCTIONS.keys()].filter((name) => name !== 'URI' && name !== 'ISURI');
const CAST_NAMES = [...IRI_FUNCTIONS.keys()].map((iri) => nameOfFunction({ type: 'iriCall', iri }));
const CALLS = [...FUNCTION_NAMES, ...CAST_NAMES, 'EXISTS', 'NOT EXISTS'].map((name) => `function ${name}`);

const AGGREGATES = [
  ...[...AGGREGATE_FUNCTIONS].flatMap((name) => [`aggregate ${name}`, `aggregate ${name} DISTINCT`]),
  ...['aggregate COUNT *', 'aggregate COUNT DISTINCT *'],
];

/** The features that a campaign must cover. */
export const FEATURES: readonly string[] = [
  ...['select', 'ask', 'construct', 'describe'].map((form) => `form ${form}`),
  ...['FROM', 'FROM NAMED', 'subquery'],
  ...OPERATORS.map((name) => `operator ${name}`),
  ...CLAUSES,
  ...PATHS.map((name) => `path ${name}`),
  ...AGGREGATES,
  ...CALLS,
  ...UPDATES.map((name) => `update ${name}`),
];

/** The features that must also have returned values, not only errors. */
export const VALUED_FEATURES: readonly string[] = [...CALLS, ...AGGREGATES];

/** The features that occurred less than `least` times, with their counts. */
export function missing(
  features: readonly string[],
  counts: ReadonlyMap<string, number>,
  least: number,
): Record<string, number> {
  const few = features.map((name) => [name, counts.get(name) ?? 0] as const).filter(([, count]) => count < least);
  return Object.fromEntries(few);
}
