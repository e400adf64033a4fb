import type * as RDF from '@rdfjs/types';
import type { Algebra } from '../../../src/sparql/algebra/algebra.ts';
import { boundNames, type Node, nodesIn, nodesOf, optionalNames } from './algebra-nodes.ts';
import { type Answer, agree, isSubBag, loosely } from './answer.ts';
import type { Trial } from './arena.ts';

/** Where another engine differs in more than the value of an expression. */
export interface Deviation {
  readonly name: string;
  /** What proves it wrong, or leaves it free. */
  readonly reason: string;
  /** `trial` has the answer that it should give with its own way to compute. */
  applies(trial: Trial, actual: Answer): boolean;
}

export const has = ({ text }: Trial, test: (node: Node) => boolean): boolean => nodesOf(text).some(test);
export const failedWith = (answer: Answer, message: RegExp) => answer.type === 'error' && message.test(answer.message);
/** Whether an answer has nothing that it should not have. */
export const onlyMisses = ({ expected, all }: Trial, actual: Answer) =>
  isSubBag(loosely(actual), loosely(all ?? expected));

const SIMPLE_PATTERNS: readonly string[] = ['bgp', 'join', 'graph', 'union'];

/** EXISTS of something in which it matters whether its variables are replaced or joined. */
export function isCorrelated(node: Node): boolean {
  if (node.type !== 'exists') return false;
  const isSimple = (pattern: Algebra): boolean => {
    if (!SIMPLE_PATTERNS.includes(pattern.type)) return false;
    if (pattern.type === 'join' || pattern.type === 'union') return pattern.operands.every(isSimple);
    return pattern.type !== 'graph' || isSimple(pattern.input);
  };
  return !isSimple(node.pattern);
}

/** A join in which a variable that both sides share may be unbound on one. */
export function joinsUnbound(node: Node): boolean {
  const parts =
    node.type === 'join'
      ? node.operands
      : node.type === 'leftJoin' || node.type === 'minus'
        ? [node.left, node.right]
        : [];
  return parts.some((one) =>
    [...optionalNames(one)].some((name) => parts.some((other) => other !== one && boundNames(other).has(name))),
  );
}

const values = (answer: Answer): string[] =>
  answer.type === 'rows' ? answer.rows.flatMap(({ terms }) => terms.map((term) => term?.value ?? '')) : [];

/** The state without graphs that no IRI names, and what is in them. */
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
 * Each was seen, and decided for the reason beside it; what Comunica computes otherwise is in
 * `comunica-semantics.ts`.
 */
export const COMUNICA_DEVIATIONS: readonly Deviation[] = [
  {
    name: 'cannot join',
    reason:
      'Comunica has no actor for some OPTIONALs with expressions, and says so; section 18.5 defines LeftJoin for all.',
    applies: (trial, actual) =>
      failedWith(actual, /RDF joining failed/) && has(trial, ({ type }) => type === 'leftJoin'),
  },
  {
    name: 'graphs named by blank nodes',
    reason:
      'Section 13 of the query language: graphs are named by IRIs; a template that names another makes no quad (Update 3.1.3).',
    applies: ({ expected }, actual) =>
      expected.type === 'state' && agree(withoutOddGraphs(loosely(expected)), withoutOddGraphs(loosely(actual))),
  },
  {
    name: 'REDUCED',
    reason: 'Section 15.3: at least one of equal solutions stays; Comunica drops some that are different.',
    applies: (trial, actual) => has(trial, ({ type }) => type === 'reduced') && onlyMisses(trial, actual),
  },
  {
    name: 'blank nodes in COUNT(DISTINCT *)',
    reason:
      'Section 18.3.1: blank nodes of a pattern are not in the domain of its solutions; Comunica counts them apart.',
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
      'Section 18.6: every occurrence of a variable is replaced by its value, in filters, OPTIONAL and MINUS inside too; Comunica joins afterwards where it cannot.',
    applies: (trial) => has(trial, isCorrelated),
  },
  {
    name: 'BNODE(label)',
    reason:
      'Section 17.4.2.9: one blank node for each label and solution; Comunica makes one for each label and query.',
    applies: (trial) =>
      has(trial, (node) => node.type === 'call' && node.function === 'BNODE' && node.arguments.length > 0),
  },
  {
    name: 'the variables of VALUES without rows',
    reason:
      'Section 18.2.1: the variables of VALUES are in scope, and so in the result of SELECT *, whatever its rows.',
    applies: (trial, actual) =>
      has(trial, (node) => node.type === 'values' && node.rows.length === 0) &&
      trial.expected.type === 'rows' &&
      actual.type === 'rows' &&
      trial.expected.rows.length + actual.rows.length === 0,
  },
  {
    name: 'groups of unbound keys',
    reason:
      'Section 18.5.1, ListEval: a key without a value is a place of its own in the list; Comunica takes (1, unbound) for (unbound, 1).',
    applies: (trial, actual) =>
      has(trial, (node) => node.type === 'group' && node.keys.length > 1 && optionalNames(node.input).size > 1) &&
      onlyMisses(trial, actual),
  },
  {
    name: 'joins of unbound variables',
    reason: 'Section 18.3: an unbound variable is compatible with every value.',
    applies: (trial) => has(trial, joinsUnbound),
  },
  {
    name: 'the name of a graph inside of it',
    reason:
      'Section 18.6: GRAPH ?g P joins the solutions of P with ?g afterwards, so that an expression in P does not see it.',
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
    name: 'path + in a variable graph',
    reason: 'Section 18.4: ?a path+ <b> has no zero length; in GRAPH ?g Comunica lets it have one.',
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
      'XPath F&O 10.8.1, op:subtract-dateTimes (which section 17.3.1 lets us add); Comunica miscounts across months, and takes milliseconds for seconds.',
    applies: (trial) =>
      trial.features.has('function -') &&
      trial.expected.type === 'rows' &&
      trial.expected.rows.some(({ key }) => key.includes('#dayTimeDuration')),
  },
  {
    name: 'GROUP_CONCAT of blank nodes',
    reason: 'Section 18.5.1.7 with 17.4.2.5: STR of a blank node is an error; Comunica gives its inner label.',
    applies: (trial, actual) =>
      has(trial, (node) => node.type === 'group') && values(actual).some((value) => value.includes('bc_')),
  },
  {
    name: 'paths from a variable to itself',
    reason:
      'Section 18.4: ?a path+ ?a, or path*, is the pairs with two equal ends; Comunica gives none, and for path+ any end of the path.',
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
    name: 'zero-length paths of terms in no graph',
    reason:
      'Section 18.4, ZeroLengthPath: two variables are bound to the nodes of the graph only; where one of them has a value from before, Comunica takes it, whether a triple has it or not.',
    applies: (trial) =>
      has(trial, (node) => node.type === 'path' && node.path.type !== 'link' && /[*?]/.test(trial.text)),
  },
  {
    name: 'MIN and MAX of values without an order',
    reason: 'Section 18.5.1.5 refers to ORDER BY, which leaves open whether a string or a number comes first (15.1).',
    applies: (trial) =>
      has(
        trial,
        (node) =>
          node.type === 'group' && node.aggregates.some(({ aggregate }) => /^(?:MIN|MAX)$/.test(aggregate.function)),
      ),
  },
  {
    name: 'a decimal divided by zero',
    reason:
      'XPath F&O 4.2: "division by zero" is an error for decimals (err:FOAR0001); Comunica has an infinite decimal there, whose LANG and DATATYPE have values.',
    applies: ({ text }) => /\/ (?:0|"0"\^\^\S+)\b/.test(text),
  },
  {
    name: 'ill-typed literals as strings',
    reason:
      'Section 17.5 leaves open what xsd:string makes of a literal without a value: here its lexical form; Comunica has an error, and "0" for "" as a double.',
    applies: (trial) =>
      has(trial, (node) => node.type === 'call' && node.function === 'STRDT') &&
      trial.text.includes('XMLSchema#string>(STRDT('),
  },
  {
    name: 'negated property sets',
    reason: 'Section 18.4, NegatedPropertySet: Comunica loses pairs where such a path is joined with other patterns.',
    applies: (trial) => has(trial, ({ type }) => type === 'negated'),
  },
];
