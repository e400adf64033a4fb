import type { Path } from '../../../src/sparql/algebra/algebra.ts';
import { type Answer, agree, isSubBag, loosely } from './answer.ts';
import {
  type Deviation,
  failedWith,
  has,
  isCorrelated,
  joinsUnbound,
  onlyMisses,
  withoutOddGraphs,
} from './comunica-deviations.ts';

const withoutGraphNames = (answer: Answer): Answer =>
  answer.type === 'state' ? { type: 'state', state: { ...answer.state, graphs: [] } } : answer;

/**
 * The known deviations of patterns. Each was observed and decided by the text in its `reason`.
 * Those of expressions are in `oxigraph-semantics.ts`.
 */
export const OXIGRAPH_DEVIATIONS: readonly Deviation[] = [
  {
    name: 'IN with an empty list',
    reason:
      'Section 17.4.1.9: IN is a chain of = joined by logical or, so with an empty list IN is false and NOT IN is true. Oxigraph raises an error if the left operand has no value.',
    applies: (trial) =>
      has(trial, (node) => node.type === 'call' && /IN$/.test(node.function) && node.arguments.length === 1),
  },
  {
    name: 'substitution in EXISTS',
    reason:
      'Section 18.6: every occurrence of a variable is replaced by its value, also inside filters, OPTIONAL and MINUS. Oxigraph does not replace all of them, for example in MINUS.',
    applies: (trial) => has(trial, isCorrelated),
  },
  {
    name: 'joins on unbound variables',
    reason:
      'Section 18.3: an unbound variable is compatible with every value; 18.2.2.2: a filter in a group of its own sees no variable from outside the group. Oxigraph gives other solutions for such joins, and lets a filter see variables from outside, for example in OPTIONAL.',
    applies: (trial) => has(trial, joinsUnbound) || /\{ \{ [^{}]*FILTER/.test(trial.text),
  },
  {
    name: 'errors in aggregates',
    reason:
      'Section 18.5.1: ListEval keeps errors, and COUNT ignores them (18.5.1.2). In Oxigraph, an aggregate has no value if its expression raises an error.',
    applies: (trial) =>
      has(
        trial,
        (node) =>
          node.type === 'group' &&
          node.aggregates.some(({ aggregate: { argument } }) => argument && argument.type !== 'variable'),
      ),
  },
  {
    name: 'a GROUP BY key with a second name',
    reason:
      'Section 11.2: `GROUP BY ?b (?b AS ?v)` brings both variables into scope. Oxigraph refuses ?v in SELECT as unbound.',
    // The second name may also be missing in aggregates. A syntax error lists some of the expected
    // tokens, in any order, so that the message about the unbound variable may be absent.
    applies: ({ text }, actual) =>
      failedWith(actual, /contains a variable that is unbound/) ||
      (/\bGROUP BY\b[^{}]*\(\s*\?\w+ AS \?\w+\s*\)/.test(text) &&
        (actual.type === 'rows' || failedWith(actual, /^Oxigraph: error at .*expected/s))),
  },
  {
    name: 'BNODE with a label',
    reason:
      'Section 17.4.2.9: each label has one blank node per solution, and any string is a label. In Oxigraph, a label has one blank node for all solutions, and a string that its grammar does not accept as a label is an error.',
    applies: (trial) =>
      has(trial, (node) => node.type === 'call' && node.function === 'BNODE' && node.arguments.length > 0),
  },
  {
    name: 'duplicates from alternative paths',
    reason:
      'Section 18.4: an alternative path is the Union of its parts, which keeps duplicates. Oxigraph returns each pair of ends once.',
    applies: (trial, actual) =>
      has(trial, (node) => node.type === 'path' && hasAlternative(node.path)) &&
      // New blank nodes are compared by number only, so that fewer solutions give other quads.
      (actual.type === 'quads' || onlyMisses(trial, actual)),
  },
  {
    name: 'literals at the start of a path',
    reason:
      'Section 18.4: a path with ^ or * may start at a literal. Oxigraph assumes that a path starts at an IRI or a blank node, and therefore evaluates = as sameTerm for the start.',
    applies: (trial) =>
      has(trial, (node) => node.type === 'path' && node.path.type !== 'link') &&
      has(trial, (node) => node.type === 'call' && /^(?:!?=|(?:NOT )?IN)$/.test(node.function)),
  },
  {
    name: 'zero-length paths outside the graph',
    reason:
      'Section 18.4, ZeroLengthPath: a term at one end is the solution for a variable at the other end, whether or not a triple contains it. Oxigraph returns no solution for a term that no triple contains.',
    applies: (trial) =>
      has(trial, (node) => node.type === 'path' && node.path.type !== 'link' && /[*?]/.test(trial.text)),
  },
  {
    name: 'GRAPH around VALUES or GRAPH',
    reason:
      'Section 18.6: `GRAPH ?g P` joins the solutions of P with each named graph. Oxigraph leaves ?g unbound if P is VALUES or another GRAPH.',
    applies: ({ text }) => /\bGRAPH \S+ \{ (?:VALUES|GRAPH)\b/.test(text),
  },
  {
    name: 'blank nodes in COUNT(DISTINCT *)',
    reason:
      'Section 18.3.1: the blank nodes of a pattern are not in the domain of its solutions. Oxigraph counts solutions as distinct if they differ only in such a blank node.',
    applies: ({ text }) => text.includes('[]') && /COUNT\(DISTINCT \*\)/.test(text),
  },
  {
    name: 'precision of quotients',
    reason:
      'XPath F&O 4.2 leaves the precision of decimal division to the implementation. Oxigraph keeps 18 digits after the decimal point, and raises an error for some products of quotients.',
    applies: (trial) =>
      has(trial, (node) => node.type === 'call' && node.function === '/') &&
      has(trial, (node) => node.type === 'call' && node.function === '*'),
  },
  {
    name: 'language tags in GROUP_CONCAT',
    reason:
      'Section 18.5.1.7: the result is a simple literal. Oxigraph gives it the language tag that all values share.',
    applies: ({ text }) => text.includes('GROUP_CONCAT('),
  },
  {
    name: 'unary minus for durations and NaN',
    reason:
      'Section 17.3 has no unary minus for durations. Oxigraph accepts it. It also distinguishes -NaN from NaN, so that an order comparison of the two is an error.',
    applies: (trial) => has(trial, (node) => node.type === 'call' && node.function === 'unary-'),
  },
  {
    name: 'graphs named by blank nodes',
    reason:
      'Section 13 of the query language: graphs are named by IRIs, so a template with another term as the graph name produces no quad (Update 3.1.3). Oxigraph inserts quads into graphs named by blank nodes.',
    applies: ({ expected }, actual) =>
      expected.type === 'state' && agree(withoutOddGraphs(loosely(expected)), withoutOddGraphs(loosely(actual))),
  },
  {
    name: 'empty graphs',
    reason:
      'Update section 3.2.1: a store may choose whether to record empty graphs. Oxigraph creates none for ADD, COPY and MOVE of an empty graph, and treats every IRI of FROM NAMED as a graph.',
    applies: ({ expected, text }, actual) =>
      (expected.type === 'state' && agree(withoutGraphNames(loosely(expected)), withoutGraphNames(loosely(actual)))) ||
      /\bFROM NAMED\b.*\bGRAPH\b/s.test(text),
  },
  {
    name: 'COPY SILENT and MOVE SILENT from an absent graph',
    reason:
      'Update sections 3.2.3 and 3.2.4: an absent source is an error, and an operation that fails with SILENT succeeds without effect. Oxigraph empties the destination.',
    applies: ({ text }) => /\b(?:COPY|MOVE)\s+SILENT\b/.test(text),
  },
  {
    name: 'ADD, COPY and MOVE from an absent graph',
    reason:
      'Update sections 3.2.3 to 3.2.5: an absent source is an error unless SILENT is given. Oxigraph treats it as an empty graph.',
    applies: ({ expected, text }) =>
      expected.type === 'error' && expected.code === 'NOT_FOUND' && /\b(?:ADD|COPY|MOVE)\b/.test(text),
  },
  {
    name: 'negated property sets in both directions',
    reason:
      'Section 18.4: every triple whose predicate is not in the set is a solution. Oxigraph returns each pair of ends once.',
    applies: (trial, actual) =>
      has(trial, (node) => node.type === 'path' && negatesBothWays(node.path)) && onlyMisses(trial, actual),
  },
  {
    name: 'aggregates of patterns known to be empty',
    reason:
      'Section 18.5.1: without GROUP BY there is one group, even if there are no solutions to aggregate. Oxigraph returns no solution if it knows in advance that there are none, as for VALUES without rows, or `FILTER(!BOUND(?v))` of a variable that is always bound.',
    applies: (trial, actual) =>
      has(
        trial,
        (node) =>
          (node.type === 'values' && node.rows.length === 0) ||
          (node.type === 'call' &&
            node.function === '!' &&
            node.arguments.some((part) => part.type === 'call' && part.function === 'BOUND')),
      ) &&
      has(trial, (node) => node.type === 'group' && node.keys.length === 0) &&
      actual.type === 'rows',
  },
  {
    name: 'triples of several default graphs',
    reason:
      'Section 13.2.1: with several FROM clauses, the default graph is the RDF merge of the graphs, which has each triple once. Oxigraph matches a triple once for each graph that has it.',
    applies: (trial, actual) =>
      (trial.text.match(/FROM </g)?.length ?? 0) > 1 &&
      trial.expected.type === 'rows' &&
      isSubBag(loosely(trial.expected), loosely(actual)),
  },
];

function hasAlternative(path: Path): boolean {
  switch (path.type) {
    case 'alternative':
      return true;
    case 'sequence':
      return path.paths.some(hasAlternative);
    case 'link':
    case 'negated':
      return false;
    default:
      return hasAlternative(path.path);
  }
}

function negatesBothWays(path: Path): boolean {
  switch (path.type) {
    case 'negated':
      return path.forward !== undefined && path.backward !== undefined;
    case 'sequence':
    case 'alternative':
      return path.paths.some(negatesBothWays);
    case 'link':
      return false;
    default:
      return negatesBothWays(path.path);
  }
}
