import type * as RDF from '@rdfjs/types';
import { dataFactory } from '../../model/term.ts';
import { XSD_BOOLEAN } from '../../model/vocabulary.ts';
import type { Algebra, Expression, PatternTerm } from '../algebra/algebra.ts';

/** Terms by variable name. */
export type Substitution = ReadonlyMap<string, RDF.Term>;

/**
 * Replaces variables by terms throughout a pattern (SPARQL 1.1 section 18.6, substitute). Used for
 * EXISTS and for query parameters. In a subquery, only the projected variables are those of the
 * outer query.
 */
export function substitute(algebra: Algebra, terms: Substitution): Algebra {
  if (terms.size === 0) return algebra;
  if (algebra.type === 'project') {
    const visible = new Map([...terms].filter(([name]) => algebra.variables.includes(name)));
    return { ...algebra, input: substitute(algebra.input, visible) };
  }
  return substituteIn(algebra, terms, (input) => substitute(input, terms));
}

/**
 * Replaces the variables of one node of a pattern, and its inputs by what `again` makes of them.
 */
export function substituteIn(algebra: Algebra, terms: Substitution, again: (input: Algebra) => Algebra): Algebra {
  switch (algebra.type) {
    case 'bgp':
      return {
        type: 'bgp',
        patterns: algebra.patterns.map(({ subject, predicate, object }) => ({
          subject: substituteTerm(subject, terms),
          predicate: substituteTerm(predicate, terms),
          object: substituteTerm(object, terms),
        })),
      };
    case 'path':
      return {
        ...algebra,
        subject: substituteTerm(algebra.subject, terms),
        object: substituteTerm(algebra.object, terms),
      };
    case 'join':
    case 'union':
      return { ...algebra, operands: algebra.operands.map(again) };
    case 'leftJoin':
      return {
        ...algebra,
        left: again(algebra.left),
        right: again(algebra.right),
        ...(algebra.condition ? { condition: substituteExpression(algebra.condition, terms) } : {}),
      };
    case 'minus':
      return { ...algebra, left: again(algebra.left), right: again(algebra.right) };
    case 'filter':
      return { ...algebra, input: again(algebra.input), condition: substituteExpression(algebra.condition, terms) };
    case 'graph':
    case 'service': {
      const name = substituteTerm(algebra.name, terms);
      return { ...algebra, name: name as RDF.NamedNode, input: again(algebra.input) };
    }
    case 'extend':
      return { ...algebra, input: again(algebra.input), expression: substituteExpression(algebra.expression, terms) };
    case 'values':
      return {
        ...algebra,
        rows: algebra.rows.filter((row) =>
          row.every((term, column) => {
            const given = terms.get(algebra.variables[column]);
            return given === undefined || term === undefined || given.equals(term);
          }),
        ),
      };
    case 'group':
      return {
        ...algebra,
        input: again(algebra.input),
        keys: algebra.keys.map(({ variable, expression }) => ({
          variable,
          expression: substituteExpression(expression, terms),
        })),
        aggregates: algebra.aggregates.map(({ variable, aggregate }) => ({
          variable,
          aggregate: aggregate.argument
            ? { ...aggregate, argument: substituteExpression(aggregate.argument, terms) }
            : aggregate,
        })),
      };
    case 'orderBy':
      return {
        ...algebra,
        input: again(algebra.input),
        conditions: algebra.conditions.map(({ expression, descending }) => ({
          expression: substituteExpression(expression, terms),
          descending,
        })),
      };
    default:
      return { ...algebra, input: again(algebra.input) };
  }
}

export function substituteExpression(expression: Expression, terms: Substitution): Expression {
  switch (expression.type) {
    case 'variable': {
      const term = terms.get(expression.name);
      return term ? { type: 'term', term } : expression;
    }
    case 'call':
    case 'iriCall':
      // BOUND of a substituted variable is true; there is no variable left to test.
      if (expression.type === 'call' && expression.function === 'BOUND') {
        const [argument] = expression.arguments;
        return argument.type === 'variable' && terms.has(argument.name) ? TRUE : expression;
      }
      return { ...expression, arguments: expression.arguments.map((one) => substituteExpression(one, terms)) };
    case 'exists':
      return { ...expression, pattern: substitute(expression.pattern, terms) };
    default:
      return expression;
  }
}

const TRUE: Expression = {
  type: 'term',
  term: dataFactory.literal('true', dataFactory.namedNode(XSD_BOOLEAN)),
};

export function substituteTerm(term: PatternTerm, terms: Substitution): PatternTerm {
  if (term.termType === 'Variable') return (terms.get(term.value) as PatternTerm | undefined) ?? term;
  if (term.termType !== 'TriplePattern') return term;
  const [subject, predicate, object] = [term.subject, term.predicate, term.object].map((part) =>
    substituteTerm(part, terms),
  );
  return { termType: 'TriplePattern', subject, predicate, object };
}
