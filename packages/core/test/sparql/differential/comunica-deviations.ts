import type * as RDF from '@rdfjs/types';
import type { Algebra } from '../../../src/sparql/algebra/algebra.ts';
import { boundNames, type Node, nodesIn, nodesOf, optionalNames } from './algebra-nodes.ts';
import { type Answer, agree, isSubBag, loosely } from './answer.ts';
import type { Trial } from './arena.ts';

/** A difference of another engine in more than the value of an expression. */
export interface Deviation {
  readonly name: string;
  /** The text of the specification that proves it wrong or permits it, and what the engine does. */
  readonly reason: string;
  /**
   * Whether it can explain `actual`. `trial.expected` is the answer that follows from the engine's
   * own semantics of expressions, where that could be computed.
   */
  applies(trial: Trial, actual: Answer): boolean;
}

export const has = ({ text }: Trial, test: (node: Node) => boolean): boolean => nodesOf(text).some(test);
export const failedWith = (answer: Answer, message: RegExp) => answer.type === 'error' && message.test(answer.message);
/** Whether every row or quad of an answer is expected, though some may be missing. */
export const onlyMisses = ({ expected, all }: Trial, actual: Answer) =>
  isSubBag(loosely(actual), loosely(all ?? expected));

function partsOfJoin(node: Node): readonly Algebra[] {
  if (node.type === 'join') return node.operands;
  return node.type === 'leftJoin' || node.type === 'minus' ? [node.left, node.right] : [];
}

/**
 * Whether it is a join in which an operand has a subquery with a variable that it does not project,
 * but that another operand has, too.
 */
function hidesShared(node: Node): boolean {
  const hiddenNames = (one: Algebra) =>
    nodesIn(one).flatMap((inner) =>
      inner.type === 'project' ? [...boundNames(inner.input)].filter((name) => !inner.variables.includes(name)) : [],
    );
  const parts = partsOfJoin(node);
  return parts.some((one) =>
    hiddenNames(one).some((name) => parts.some((other) => other !== one && boundNames(other).has(name))),
  );
}

const SIMPLE_PATTERNS: readonly string[] = ['bgp', 'join', 'graph', 'union'];

/** Whether it is an EXISTS for which substituting variables and joining on them can differ. */
export function isCorrelated(node: Node): boolean {
  if (node.type !== 'exists') return false;
  const isSimple = (pattern: Algebra): boolean => {
    if (!SIMPLE_PATTERNS.includes(pattern.type)) return false;
    if (pattern.type === 'join' || pattern.type === 'union') return pattern.operands.every(isSimple);
    return pattern.type !== 'graph' || isSimple(pattern.input);
  };
  return !isSimple(node.pattern);
}

/**
 * Whether it is a join in which a variable shared by several operands may be unbound in one of
 * them.
 */
export function joinsUnbound(node: Node): boolean {
  const parts = partsOfJoin(node);
  return parts.some((one) =>
    [...optionalNames(one)].some((name) => parts.some((other) => other !== one && boundNames(other).has(name))),
  );
}

const values = (answer: Answer): string[] =>
  answer.type === 'rows' ? answer.rows.flatMap(({ terms }) => terms.map((term) => term?.value ?? '')) : [];

/** The state without the graphs that are not named by IRIs, and without their quads. */
export function withoutOddGraphs(answer: Answer): Answer {
  if (answer.type !== 'state') return answer;
  const isIri = (name: string) => name.includes(':');
  const quads = answer.state.quads.filter(
    ({ graph }: { graph: RDF.Term }) =>
      graph.termType === 'DefaultGraph' || (!graph.value.startsWith('urn:known:') && isIri(graph.value)),
  );
  return { type: 'state', state: { quads, graphs: answer.state.graphs.filter(isIri) } };
}

/**
 * The known deviations of patterns. Each was observed and decided by the text in its `reason`.
 * Those of expressions are in `comunica-semantics.ts`.
 */
export const COMUNICA_DEVIATIONS: readonly Deviation[] = [
  {
    name: 'OPTIONAL with expressions',
    reason:
      'Section 18.5 defines LeftJoin for all patterns. For some OPTIONALs with expressions, Comunica has no actor and fails with "RDF joining failed".',
    applies: (trial, actual) =>
      failedWith(actual, /RDF joining failed/) && has(trial, ({ type }) => type === 'leftJoin'),
  },
  {
    name: 'graphs named by blank nodes',
    reason:
      'Section 13 of the query language: graphs are named by IRIs, so a template with another term as the graph name produces no quad (Update 3.1.3). Comunica inserts quads into graphs named by blank nodes.',
    applies: ({ expected }, actual) =>
      expected.type === 'state' && agree(withoutOddGraphs(loosely(expected)), withoutOddGraphs(loosely(actual))),
  },
  {
    name: 'REDUCED',
    reason:
      'Section 15.3: at least one of several equal solutions remains. Comunica also drops solutions that have no equal.',
    applies: (trial, actual) => has(trial, ({ type }) => type === 'reduced') && onlyMisses(trial, actual),
  },
  {
    name: 'blank nodes in COUNT(DISTINCT *)',
    reason:
      'Section 18.3.1: the blank nodes of a pattern are not in the domain of its solutions. Comunica counts solutions as distinct if they differ only in such a blank node.',
    applies: (trial) =>
      /\[\]/.test(trial.text) &&
      has(
        trial,
        (node) =>
          node.type === 'group' && node.aggregates.some(({ aggregate }) => aggregate.distinct && !aggregate.argument),
      ),
  },
  {
    name: 'substitution in EXISTS',
    reason:
      'Section 18.6: every occurrence of a variable is replaced by its value, also inside filters, OPTIONAL and MINUS. Where Comunica cannot substitute, it evaluates the pattern first and joins afterwards.',
    applies: (trial) => has(trial, isCorrelated),
  },
  {
    name: 'BNODE with a label',
    reason:
      'Section 17.4.2.9: each label has one blank node per solution. Comunica may share one between solutions, for example in aggregates, in GROUP BY and across a subquery.',
    applies: (trial) =>
      has(trial, (node) => node.type === 'call' && node.function === 'BNODE' && node.arguments.length > 0),
  },
  {
    name: 'variables of VALUES without rows',
    reason:
      'Section 18.2.1: the variables of VALUES are in scope, so SELECT * projects them whether or not VALUES has rows. Comunica omits them if there are no rows.',
    applies: (trial, actual) =>
      has(trial, (node) => node.type === 'values' && node.rows.length === 0) &&
      trial.expected.type === 'rows' &&
      actual.type === 'rows' &&
      trial.expected.rows.length + actual.rows.length === 0,
  },
  {
    name: 'unbound keys of GROUP BY',
    reason:
      'Section 18.5.1, ListEval: an unbound key keeps its place in the list of keys. Comunica puts the keys (1, unbound) and (unbound, 1) into the same group.',
    applies: (trial, actual) =>
      has(trial, (node) => node.type === 'group' && node.keys.length > 1 && optionalNames(node.input).size > 1) &&
      onlyMisses(trial, actual),
  },
  {
    name: 'joins on unbound variables',
    reason:
      'Section 18.3: an unbound variable is compatible with every value. Comunica gives other solutions where a variable shared by both sides of a join, OPTIONAL or MINUS may be unbound on one side.',
    applies: (trial) => has(trial, joinsUnbound),
  },
  {
    name: 'variables that a subquery does not project',
    reason:
      'Section 12: "only variables projected out of the subquery will be visible, or in scope, to the outer query". Comunica may give such a variable the value of a variable with the same name outside, for example in OPTIONAL.',
    applies: (trial) => has(trial, hidesShared),
  },
  {
    name: 'the variable of GRAPH within its pattern',
    reason:
      'Section 18.6: `GRAPH ?g P` joins the solutions of P with ?g after evaluating P, so an expression in P does not see ?g. In Comunica, it does.',
    applies: (trial) =>
      has(
        trial,
        (node) =>
          node.type === 'graph' &&
          node.name.termType === 'Variable' &&
          nodesIn(node.input).some((inner) => inner.type === 'variable' && inner.name === node.name.value),
      ),
  },
  {
    name: 'path+ within GRAPH ?g',
    reason: 'Section 18.4: `?a path+ <b>` has no zero-length solution. Within `GRAPH ?g`, Comunica returns one.',
    applies: (trial) =>
      has(
        trial,
        (node) =>
          node.type === 'graph' &&
          node.name.termType === 'Variable' &&
          nodesIn(node.input).some(({ type }) => type === 'oneOrMore'),
      ),
  },
  {
    name: 'differences of dates',
    reason:
      'XPath F&O 10.8.1, op:subtract-dateTimes, an operator that section 17.3.1 permits as an extension. Comunica miscounts across months, and takes milliseconds for seconds.',
    applies: (trial) =>
      trial.features.has('function -') &&
      trial.expected.type === 'rows' &&
      trial.expected.rows.some(({ key }) => key.includes('#dayTimeDuration')),
  },
  {
    name: 'GROUP_CONCAT of blank nodes',
    reason:
      'Section 18.5.1.7 with 17.4.2.5: STR of a blank node is an error. Comunica concatenates its internal label.',
    applies: (trial, actual) =>
      has(trial, (node) => node.type === 'group') && values(actual).some((value) => value.includes('bc_')),
  },
  {
    name: 'paths from a variable to itself',
    reason:
      'Section 18.4: `?a path+ ?a` and `?a path* ?a` match the pairs whose two ends are equal. Comunica loses such pairs, and for `path+` it may return any end of the path.',
    applies: (trial, actual) =>
      has(
        trial,
        (node) =>
          node.type === 'path' &&
          node.subject.termType === 'Variable' &&
          node.subject.value === (node.object as RDF.Term).value,
      ) &&
      (onlyMisses(trial, actual) || actual.type === 'rows'),
  },
  {
    name: 'zero-length paths outside the graph',
    reason:
      'Section 18.4, ZeroLengthPath: two variables are bound only to nodes of the graph. If one of them already has a value, Comunica may use that value even if no triple contains it.',
    applies: (trial) =>
      has(trial, (node) => node.type === 'path' && node.path.type !== 'link' && /[*?]/.test(trial.text)),
  },
  {
    name: 'MIN and MAX of values without an order',
    reason:
      'Section 18.5.1.5 refers to ORDER BY, which leaves open whether a string or a number comes first (15.1). Comunica may choose another value.',
    applies: (trial) =>
      has(
        trial,
        (node) =>
          node.type === 'group' && node.aggregates.some(({ aggregate }) => /^(?:MIN|MAX)$/.test(aggregate.function)),
      ),
  },
  {
    name: 'division of a decimal by zero',
    reason:
      'XPath F&O 4.2: "division by zero" is an error for decimals (err:FOAR0001). Comunica returns an infinite decimal, whose LANG and DATATYPE have values.',
    applies: ({ text }) => /\/ (?:0|"0"\^\^\S+)\b/.test(text),
  },
  {
    name: 'ill-typed literals cast to strings',
    reason:
      'Section 17.5 leaves open what xsd:string returns for an ill-typed literal. Here it is the lexical form. Comunica raises an error, and returns "0" for "" as an xsd:double.',
    applies: (trial) =>
      has(trial, (node) => node.type === 'call' && node.function === 'STRDT') &&
      trial.text.includes('XMLSchema#string>(STRDT('),
  },
  {
    name: 'negated property sets',
    reason:
      'Section 18.4, NegatedPropertySet: every triple whose predicate is not in the set is a solution. Comunica loses some of them when such a path is joined with other patterns.',
    applies: (trial) => has(trial, ({ type }) => type === 'negated'),
  },
];
