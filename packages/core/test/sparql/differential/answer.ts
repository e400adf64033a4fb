import type * as RDF from '@rdfjs/types';
import { isomorphic } from 'rdf-isomorphic';
import { dataFactory, type QueryResult, WorldsError, type WorldsErrorCode } from '../../../src/index.ts';
import type { Algebra, OrderCondition } from '../../../src/sparql/algebra/algebra.ts';
import { prepareOperation } from '../../../src/sparql/prepare-operation.ts';
import { type ExpressionContext, evaluate } from './naive/expressions.ts';
import { keyOf } from './naive/naive-dataset.ts';
import { compareTerms } from './naive/order.ts';
import { SPECIFIED } from './naive/semantics.ts';
import type { WorldState } from './switched-engine.ts';

/** The result of a query or update, in a form that can be compared. */
export type Answer =
  | { readonly type: 'rows'; readonly variables: readonly string[]; readonly rows: readonly Row[] }
  | { readonly type: 'boolean'; readonly value: boolean }
  | { readonly type: 'quads'; readonly quads: readonly RDF.BaseQuad[] }
  | { readonly type: 'state'; readonly state: WorldState }
  | { readonly type: 'error'; readonly code: WorldsErrorCode | 'crash'; readonly message: string };

export interface Row {
  readonly terms: readonly (RDF.Term | undefined)[];
  readonly key: string;
}

/** Separates the terms of a row's key. */
const SEPARATOR = '  ';

/** Blank nodes of the data keep their labels, which all engines share; new ones lose theirs. */
function rowKey(
  variables: readonly string[],
  terms: readonly (RDF.Term | undefined)[],
  labels: ReadonlySet<string>,
): string {
  return terms
    .map((term, at) => {
      if (!term) return '-';
      // The order of GROUP_CONCAT is undefined.
      if (variables[at].startsWith('concat') && term.termType === 'Literal')
        return keyOf({ ...term, value: term.value.split('|').sort().join('|') } as RDF.Literal);
      // So is the order of SUM, on which the last digits of a sum of doubles depend.
      if (
        variables[at].startsWith('sum') &&
        term.termType === 'Literal' &&
        /#(?:double|float)$/.test(term.datatype.value)
      )
        return keyOf({ ...term, value: Number(term.value).toPrecision(6) } as RDF.Literal);
      return keyOf(withoutNewLabels(term, labels));
    })
    .join(SEPARATOR);
}

/** Replaces new blank nodes, also inside triple terms. */
function withoutNewLabels(term: RDF.Term, labels: ReadonlySet<string>): RDF.Term {
  if (term.termType === 'BlankNode') return labels.has(term.value) ? term : NEW;
  if (term.termType !== 'Quad') return term;
  const [subject, predicate, object] = [term.subject, term.predicate, term.object].map((part) =>
    withoutNewLabels(part, labels),
  );
  return dataFactory.quad(subject as never, predicate as never, object as never);
}

const NEW = dataFactory.blankNode('new');

export async function answerOf(result: QueryResult, labels: ReadonlySet<string>): Promise<Answer> {
  switch (result.type) {
    case 'bindings': {
      const { variables } = result;
      const rows: Row[] = [];
      for await (const batch of result.batches) {
        for (const row of batch) {
          const terms = variables.map((name) => row.get(name));
          rows.push({ terms, key: rowKey(variables, terms, labels) });
        }
      }
      return { type: 'rows', variables, rows };
    }
    case 'boolean':
      return { type: 'boolean', value: result.value };
    case 'quads': {
      const quads: RDF.BaseQuad[] = [];
      for await (const batch of result.batches) for (const quad of batch) quads.push(anchored(quad, labels));
      return { type: 'quads', quads };
    }
    case 'update':
      throw new Error('The answer of an update is its state.');
  }
}

export function errorAnswer(error: unknown): Answer {
  if (error instanceof WorldsError && error.code !== 'INTERNAL')
    return { type: 'error', code: error.code, message: error.message };
  return {
    type: 'error',
    code: 'crash',
    message: error instanceof Error ? (error.stack ?? error.message) : String(error),
  };
}

/** Replaces known blank nodes with IRIs, so that isomorphism concerns new ones only. */
function anchored(quad: RDF.BaseQuad, labels: ReadonlySet<string>): RDF.Quad {
  const fix = (term: RDF.Term): RDF.Term =>
    term.termType === 'BlankNode' && labels.has(term.value) ? dataFactory.namedNode(`urn:known:${term.value}`) : term;
  return dataFactory.quad(
    fix(quad.subject) as never,
    fix(quad.predicate) as never,
    fix(quad.object) as never,
    fix(quad.graph) as never,
  );
}

export function stateAnswer(state: WorldState, labels: ReadonlySet<string>): Answer {
  return { type: 'state', state: { graphs: state.graphs, quads: state.quads.map((quad) => anchored(quad, labels)) } };
}

function sameQuads(one: readonly RDF.BaseQuad[], other: readonly RDF.BaseQuad[]): boolean {
  return (
    one.length === other.length &&
    new Set(one.map(keyOfQuad)).size === one.length &&
    isomorphic([...one] as RDF.Quad[], [...other] as RDF.Quad[])
  );
}

const keyOfQuad = ({ subject, predicate, object, graph }: RDF.BaseQuad) =>
  [subject, predicate, object, graph].map(keyOf).join(' ');

/**
 * Normalizes what engines may choose: the order of the variables of `*`, the lexical forms of
 * numbers and the case of language tags.
 */
export function loosely(answer: Answer): Answer {
  if (answer.type === 'quads') return { type: 'quads', quads: looseQuads(answer.quads) };
  if (answer.type === 'state')
    return { type: 'state', state: { ...answer.state, quads: looseQuads(answer.state.quads) } };
  if (answer.type !== 'rows') return answer;
  const order = answer.variables
    .map((name, at) => [name, at] as const)
    .sort(([one], [other]) => (one < other ? -1 : 1));
  const rows = answer.rows.map(({ key, terms }) => {
    const parts = key.split(SEPARATOR);
    return { terms: order.map(([, at]) => terms[at]), key: order.map(([, at]) => looseKey(parts[at])).join(SEPARATOR) };
  });
  return { type: 'rows', variables: order.map(([name]) => name), rows };
}

const NUMBER_KEY = /^"([^"]*)"@-\^http:\/\/www\.w3\.org\/2001\/XMLSchema#(double|float|decimal)$/u;

/**
 * Numbers by value, since section 17 leaves open whether a computed double is 1.5E0 or 1.5;
 * language tags in lower case, which RDF 1.1 Concepts 3.3 permits.
 */
function looseKey(key: string): string {
  const number = NUMBER_KEY.exec(key);
  if (number && Number.isFinite(Number(number[1]))) return `${roundedNumber(number[1], number[2])} ${number[2]}`;
  return key.replace(/"@[A-Za-z0-9-]+\^/u, (tag) => tag.toLowerCase());
}

/** Drops the digits that depend on the precision of an engine, and the sign of a zero. */
function roundedNumber(text: string, type: string): string {
  return String(Number((Number(text) + 0).toPrecision(type === 'float' ? 6 : 12)));
}

/** Normalizes quads, and merges those that are then equal. */
function looseQuads(quads: readonly RDF.BaseQuad[]): RDF.Quad[] {
  return [...new Map(quads.map(looseQuad).map((quad) => [keyOfQuad(quad), quad])).values()];
}

function looseQuad(quad: RDF.BaseQuad): RDF.Quad {
  const { object } = quad;
  if (object.termType !== 'Literal') return quad as RDF.Quad;
  const number = NUMBER_KEY.exec(keyOf(object));
  const value = number && Number.isFinite(Number(number[1])) ? roundedNumber(number[1], number[2]) : object.value;
  const loose = dataFactory.literal(
    value,
    object.language === '' ? object.datatype : { language: object.language.toLowerCase(), direction: object.direction },
  );
  return dataFactory.quad(quad.subject as never, quad.predicate as never, loose as never, quad.graph as never);
}

/** Whether two answers agree. Rows are compared as bags. */
export function agree(one: Answer, other: Answer): boolean {
  if (one.type === 'rows' && other.type === 'rows') {
    if (one.variables.join() !== other.variables.join() || one.rows.length !== other.rows.length) return false;
    const keys = ({ rows }: { rows: readonly Row[] }) => rows.map(({ key }) => key).sort();
    const others = keys(other);
    return keys(one).every((key, at) => key === others[at]);
  }
  if (one.type === 'boolean' && other.type === 'boolean') return one.value === other.value;
  if (one.type === 'error' && other.type === 'error') return one.code === other.code && one.code !== 'crash';
  if (one.type === 'quads' && other.type === 'quads') return sameQuads(one.quads, other.quads);
  if (one.type === 'state' && other.type === 'state') {
    return one.state.graphs.join() === other.state.graphs.join() && sameQuads(one.state.quads, other.state.quads);
  }
  return false;
}

/** Whether `one` is a REDUCED answer: at least one of each set of equal rows (section 15.3). */
export function agreeReduced(one: Answer, all: Answer): boolean {
  if (one.type !== 'rows' || all.type !== 'rows') return agree(one, all);
  return (
    isSubBag(one, all) && new Set(one.rows.map(({ key }) => key)).size === new Set(all.rows.map(({ key }) => key)).size
  );
}

/** Whether every row or quad of `one` occurs in `all` at least as often. */
export function isSubBag(one: Answer, all: Answer): boolean {
  const keys = keysOf(one);
  const allKeys = keysOf(all);
  if (one.type !== all.type || !keys || !allKeys) return false;
  const counts = new Map<string, number>();
  for (const key of allKeys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return keys.every((key) => {
    const left = (counts.get(key) ?? 0) - 1;
    counts.set(key, left);
    return left >= 0;
  });
}

function keysOf(answer: Answer): readonly string[] | undefined {
  if (answer.type === 'rows') return answer.rows.map(({ key }) => key);
  return answer.type === 'quads' ? answer.quads.map(keyOfQuad) : undefined;
}

/** The conditions of the ORDER BY of a SELECT query. */
function orderOf(text: string): readonly OrderCondition[] | undefined {
  const query = prepareOperation(text);
  if (query.type !== 'select') return undefined;
  let algebra: Algebra = query.algebra;
  while (algebra.type === 'slice' || algebra.type === 'distinct' || algebra.type === 'reduced') algebra = algebra.input;
  if (algebra.type !== 'project' || algebra.input.type !== 'orderBy') return undefined;
  return algebra.input.conditions;
}

const fail = () => {
  throw new Error('Random queries do not order by this.');
};
const PLAIN: ExpressionContext = {
  now: new Date(0),
  baseIri: undefined,
  exists: fail,
  blankNode: fail,
  gave: () => {},
  semantics: SPECIFIED,
};

type Terms = readonly (RDF.Term | undefined)[];

/** The values of the ORDER BY expressions, per row. */
function orderValues({ variables, rows }: Answer & { type: 'rows' }, conditions: readonly OrderCondition[]): Terms[] {
  return rows.map(({ terms }) => {
    const solution = new Map<string, RDF.Term>();
    for (const [at, term] of terms.entries()) if (term) solution.set(variables[at], term);
    return conditions.map(({ expression }) => evaluate(expression, solution, PLAIN));
  });
}

/** Whether rows are in the order of the query's ORDER BY. */
export function isOrdered(text: string, answer: Answer): boolean {
  const conditions = answer.type === 'rows' && orderOf(text);
  if (!conditions) return true;
  const values = orderValues(answer, conditions);
  return values.every((row, at) => at === 0 || compareOrder(values[at - 1], row, conditions) <= 0);
}

/** Whether two slices of the same ordered rows agree, row by row, in the values of ORDER BY. */
export function sameOrder(text: string, one: Answer, other: Answer): boolean {
  if (one.type !== 'rows' || other.type !== 'rows') return false;
  const conditions = orderOf(text);
  if (one.rows.length !== other.rows.length) return false;
  if (!conditions) return true;
  const others = orderValues(other, conditions);
  return orderValues(one, conditions).every((row, at) => compareOrder(row, others[at], conditions) === 0);
}

function compareOrder(one: Terms, other: Terms, conditions: readonly OrderCondition[]): number {
  for (const [at, { descending }] of conditions.entries()) {
    const order = compareTerms(one[at], other[at]);
    if (order !== 0) return descending ? -order : order;
  }
  return 0;
}

/** Whether an answer can reveal a fault: it is neither empty, nor false, nor an error. */
export function isTelling(answer: Answer): boolean {
  switch (answer.type) {
    case 'rows':
      return answer.rows.length > 0;
    case 'boolean':
      return answer.value;
    case 'quads':
      return answer.quads.length > 0;
    case 'state':
      return true;
    case 'error':
      return false;
  }
}

export function show(answer: Answer): string {
  switch (answer.type) {
    case 'rows':
      return `${answer.variables.join(' ')}\n${answer.rows
        .map(({ key }) => `    ${key}`)
        .sort()
        .join('\n')}`;
    case 'boolean':
      return String(answer.value);
    case 'quads':
      return answer.quads
        .map((quad) => `    ${keyOfQuad(quad)}`)
        .sort()
        .join('\n');
    case 'state':
      return `graphs ${answer.state.graphs.join(' ')}\n${answer.state.quads
        .map((quad) => `    ${keyOfQuad(quad)}`)
        .sort()
        .join('\n')}`;
    case 'error':
      return `${answer.code}: ${answer.message}`;
  }
}
