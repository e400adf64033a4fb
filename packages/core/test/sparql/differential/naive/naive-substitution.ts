import type * as RDF from '@rdfjs/types';
import { dataFactory } from '../../../../src/index.ts';
import type { Algebra, Expression, PatternTerm } from '../../../../src/sparql/algebra/algebra.ts';
import { keyOf } from './naive-dataset.ts';

type Solution = ReadonlyMap<string, RDF.Term>;

const TRUE = dataFactory.literal('true', dataFactory.namedNode('http://www.w3.org/2001/XMLSchema#boolean'));

/**
 * Section 18.6, substitute(pattern, μ): "the graph pattern formed by replacing every occurrence of
 * a variable v in pattern by μ(v)". A variable that a subquery does not project is another one of
 * the same name (section 12); a name that is assigned to stays a name; a row of VALUES must agree.
 */
export function substituted(pattern: Algebra, solution: Solution): Algebra {
  const walk = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(walk);
    if (typeof node !== 'object' || node === null) return node;
    if ('termType' in node) return termOf(node as PatternTerm, solution);
    const one = node as Algebra | Expression;
    switch (one.type) {
      case 'variable': {
        const term = solution.get(one.name);
        return term ? { type: 'term', term } : one;
      }
      case 'call': {
        const [argument] = one.arguments;
        if (one.function === 'BOUND' && argument.type === 'variable') {
          return solution.has(argument.name) ? { type: 'term', term: TRUE } : one;
        }
        break;
      }
      case 'project': {
        const visible = new Map([...solution].filter(([name]) => one.variables.includes(name)));
        return { ...one, input: substituted(one.input, visible) };
      }
      case 'values':
        return {
          ...one,
          rows: one.rows.filter((row) =>
            row.every((term, at) => {
              const given = solution.get(one.variables[at]);
              return !term || !given || keyOf(term) === keyOf(given);
            }),
          ),
        };
      case 'term':
        return one;
    }
    return Object.fromEntries(Object.entries(one).map(([name, value]) => [name, walk(value)]));
  };
  return walk(pattern) as Algebra;
}

function termOf(term: PatternTerm, solution: Solution): PatternTerm {
  if (term.termType === 'Variable') return (solution.get(term.value) as PatternTerm | undefined) ?? term;
  if (term.termType !== 'TriplePattern') return term;
  const [subject, predicate, object] = [term.subject, term.predicate, term.object].map((part) =>
    termOf(part, solution),
  );
  return { termType: 'TriplePattern', subject, predicate, object };
}
