import { dataFactory } from '@rdf-worlds/core';
import type * as RDF from '@rdfjs/types';
import { type Expression, mapExpression, mapOperation, type Operation, type Pattern } from './algebra.ts';
import type { VariableNames } from './variable-names.ts';

/** Replaces terms in an operation's triple patterns at every depth, including those of EXISTS. */
export function mapPatternTerms(operation: Operation, map: (term: RDF.Term) => RDF.Term): Operation {
  const pattern = (op: Operation): Operation => {
    if (op.type === 'bgp') return { ...op, patterns: op.patterns.map((each) => mapPattern(each, map)) };
    if (op.type === 'path') return { ...op, subject: map(op.subject), object: map(op.object), graph: map(op.graph) };
    return mapOperation(op, pattern, expression);
  };
  const expression = (part: Expression): Expression => mapExpression(part, expression, pattern);
  return pattern(operation);
}

/** Returns a quad pattern in Comunica's form: a quad with a type. */
function patternOf(subject: RDF.Term, predicate: RDF.Term, object: RDF.Term, graph: RDF.Term): Pattern {
  const quad = dataFactory.quad(
    subject as RDF.Quad_Subject,
    predicate as RDF.Quad_Predicate,
    object as RDF.Quad_Object,
    graph as RDF.Quad_Graph,
  );
  return Object.assign(quad, { type: 'pattern' as const }) as unknown as Pattern;
}

export function mapPattern({ subject, predicate, object, graph }: Pattern, map: (term: RDF.Term) => RDF.Term): Pattern {
  return patternOf(map(subject), map(predicate), map(object), map(graph));
}

/** Returns the triple pattern in another graph. */
export function inGraph({ subject, predicate, object }: Pattern, graph: RDF.Term): Pattern {
  return patternOf(subject, predicate, object, graph);
}

/** Maps the parts of a triple term; other terms are mapped themselves. */
export function mapNestedTerm(term: RDF.Term, map: (term: RDF.Term) => RDF.Term): RDF.Term {
  if (term.termType !== 'Quad') return map(term);
  return dataFactory.quad(
    mapNestedTerm(term.subject, map) as RDF.Quad_Subject,
    mapNestedTerm(term.predicate, map) as RDF.Quad_Predicate,
    mapNestedTerm(term.object, map) as RDF.Quad_Object,
  );
}

/**
 * Replaces blank nodes of a pattern by variables that cannot be named (SPARQL 1.1 section 4.1.4).
 * One label is one variable: the parser ensures that a label stays within one basic graph pattern.
 */
export function blankNodesToVariables(operation: Operation, names: VariableNames): Operation {
  const variables = new Map<string, RDF.Variable>();
  return mapPatternTerms(operation, (term) =>
    mapNestedTerm(term, (part) => {
      if (part.termType !== 'BlankNode') return part;
      let variable = variables.get(part.value);
      if (!variable) variables.set(part.value, (variable = dataFactory.variable(names.fresh())));
      return variable;
    }),
  );
}
