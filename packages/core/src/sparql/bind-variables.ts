import type * as RDF from '@rdfjs/types';
import { WorldsError } from '../model/worlds-error.ts';
import type {
  Algebra,
  PatternTerm,
  Query,
  TemplateQuad,
  TemplateTriple,
  Update,
  UpdateOperation,
  Variable,
} from './algebra/algebra.ts';
import { mapInputs } from './algebra/map-inputs.ts';
import { substitute, substituteTerm } from './plan/substitute.ts';
import { variablesOf } from './plan/variables.ts';
import { KnownBlankNode } from './template.ts';

type Bindings = ReadonlyMap<string, RDF.Term>;

/** What may stand for a variable. */
const TERM_TYPES: readonly string[] = ['NamedNode', 'BlankNode', 'Literal', 'Quad'];

function requireTerms(bindings: Bindings): void {
  for (const [name, term] of bindings) {
    if (!TERM_TYPES.includes(term.termType)) {
      throw new WorldsError(
        'INVALID_ARGUMENT',
        `bindings.${name}: a ${term.termType} is no value; pass one of ${TERM_TYPES.join(', ')}.`,
      );
    }
  }
}

/**
 * Puts given terms in the place of variables, in every part of a query. A variable that the query
 * projects stays a variable of the result, with the given term as its value.
 */
export function bindQuery(query: Query, bindings: Bindings): Query {
  requireTerms(bindings);
  switch (query.type) {
    case 'select':
      return { ...query, algebra: bindAlgebra(query.algebra, bindings) };
    case 'ask':
      return { ...query, algebra: bindAlgebra(query.algebra, bindings) };
    case 'construct':
      return {
        ...query,
        algebra: bindAlgebra(query.algebra, bindings),
        template: query.template.map((triple) => bindTriple(triple, bindings)),
      };
    case 'describe':
      return {
        ...query,
        ...(query.algebra ? { algebra: bindAlgebra(query.algebra, bindings) } : {}),
        targets: query.targets.map((target) => bindName(target, bindings)),
      };
  }
}

export function bindUpdate(update: Update, bindings: Bindings): Update {
  requireTerms(bindings);
  return { type: 'update', operations: update.operations.map((operation) => bindOperation(operation, bindings)) };
}

function bindOperation(operation: UpdateOperation, bindings: Bindings): UpdateOperation {
  if (operation.type !== 'modify') return operation;
  return {
    ...operation,
    delete: operation.delete.map((quad) => bindQuad(quad, bindings)),
    insert: operation.insert.map((quad) => bindQuad(quad, bindings)),
    where: bindAlgebra(operation.where, bindings),
  };
}

function bindTriple({ subject, predicate, object }: TemplateTriple, bindings: Bindings): TemplateTriple {
  const [s, p, o] = [subject, predicate, object].map((term) => bindTemplateTerm(term, bindings));
  return { subject: s, predicate: p, object: o };
}

/**
 * A blank node that was passed in is that node; a blank node of the template is a new one for each
 * solution.
 */
function bindTemplateTerm(term: PatternTerm, bindings: Bindings): PatternTerm {
  const bound = substituteTerm(term, bindings);
  return term.termType === 'Variable' && bound.termType === 'BlankNode' ? new KnownBlankNode(bound.value) : bound;
}

function bindQuad(quad: TemplateQuad, bindings: Bindings): TemplateQuad {
  return { ...bindTriple(quad, bindings), ...(quad.graph ? { graph: bindName(quad.graph, bindings) } : {}) };
}

function bindName(name: Variable | RDF.NamedNode, bindings: Bindings): Variable | RDF.NamedNode {
  return name.termType === 'Variable' ? ((bindings.get(name.value) as RDF.NamedNode | undefined) ?? name) : name;
}

/**
 * Substitutes everywhere, also in subqueries, and gives the variables that a projection names their
 * values back.
 */
function bindAlgebra(algebra: Algebra, bindings: Bindings): Algebra {
  const visit = (one: Algebra): Algebra => {
    if (one.type === 'extend') requireFree(one.variable, bindings);
    if (one.type === 'group') for (const { variable } of one.aggregates) requireFree(variable, bindings);
    const visited = mapInputs(one, visit);
    if (visited.type !== 'project') return visited;
    const given = visited.variables.filter((name) => bindings.has(name));
    return {
      ...visited,
      input: given.reduce((input, name) => extendBy(input, name, bindings.get(name)!), visited.input),
    };
  };
  return visit(deepSubstitute(keepShared(algebra, bindings), bindings));
}

/**
 * MINUS takes away only what shares a variable (section 18.5). Where both sides share one that is
 * given a value, they go on sharing something: a hidden variable with that value on both.
 */
function keepShared(algebra: Algebra, bindings: Bindings): Algebra {
  const kept = mapInputs(algebra, (input) => keepShared(input, bindings));
  if (algebra.type !== 'minus' || kept.type !== 'minus') return kept;
  const right = variablesOf(algebra.right);
  const shared = [...variablesOf(algebra.left)].filter((name) => right.has(name) && bindings.has(name));
  const marked = (side: Algebra): Algebra =>
    shared.reduce((input, name) => extendBy(input, `.given.${name}`, bindings.get(name)!), side);
  return { type: 'minus', left: marked(kept.left), right: marked(kept.right) };
}

function extendBy(input: Algebra, variable: string, term: RDF.Term): Algebra {
  return { type: 'extend', input, variable, expression: { type: 'term', term } };
}

/**
 * As `substitute`, but into subqueries whole: a parameter means its variable wherever the name
 * stands.
 */
function deepSubstitute(algebra: Algebra, bindings: Bindings): Algebra {
  const visit = (one: Algebra): Algebra =>
    mapInputs(one, one.type === 'project' ? (input) => deepSubstitute(input, bindings) : visit);
  return visit(substitute(algebra, bindings));
}

function requireFree(variable: string, bindings: Bindings): void {
  if (bindings.has(variable)) {
    throw new WorldsError(
      'INVALID_ARGUMENT',
      `bindings.${variable}: the query itself gives ?${variable} a value; bind another variable.`,
    );
  }
}
