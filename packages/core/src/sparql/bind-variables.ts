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
import { substituteIn, substituteTerm } from './plan/substitute.ts';
import { variablesOf } from './plan/variables.ts';
import { KnownBlankNode } from './template.ts';

type Bindings = ReadonlyMap<string, RDF.Term>;

/** Term types that may replace a variable. */
const TERM_TYPES: readonly string[] = ['NamedNode', 'BlankNode', 'Literal', 'Quad'];

/** Throws INVALID_ARGUMENT if a binding is not a term. */
export function requireTerms(bindings: Bindings): void {
  for (const [name, term] of bindings) {
    if (!TERM_TYPES.includes(term.termType)) {
      throw new WorldsError(
        'INVALID_ARGUMENT',
        `bindings.${name}: a ${term.termType} is not a value; pass one of ${TERM_TYPES.join(', ')}.`,
      );
    }
  }
}

/**
 * Replaces variables by given terms throughout a query. A projected variable remains in the result,
 * with the given term as its value. Throws INVALID_ARGUMENT if the query itself assigns the
 * variable.
 *
 * @param bindings see {@link requireTerms}
 */
export function bindQuery(query: Query, bindings: Bindings): Query {
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
 * A blank node passed as a binding stands for itself; a blank node of the template is fresh for
 * each solution.
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
 * Substitutes everywhere, including subqueries without regard to projection: a parameter applies
 * wherever its name occurs. Re-binds substituted variables that a projection names.
 */
function bindAlgebra(algebra: Algebra, bindings: Bindings): Algebra {
  if (bindings.size === 0) return algebra;
  const bind = (input: Algebra): Algebra => bindAlgebra(input, bindings);
  switch (algebra.type) {
    case 'project': {
      let input = bind(algebra.input);
      for (const name of algebra.variables) {
        const term = bindings.get(name);
        if (term) input = extendBy(input, name, term);
      }
      return { type: 'project', variables: algebra.variables, input };
    }
    case 'minus':
      return bindMinus(algebra, bindings);
    case 'extend':
      requireFree(algebra.variable, bindings);
      return substituteIn(algebra, bindings, bind);
    case 'group':
      for (const { variable } of algebra.aggregates) requireFree(variable, bindings);
      return substituteIn(algebra, bindings, bind);
    default:
      return substituteIn(algebra, bindings, bind);
  }
}

/**
 * MINUS removes only solutions that share a variable (section 18.5). If a shared variable is
 * substituted, a hidden variable with its value on both sides preserves that.
 */
function bindMinus({ left, right }: Algebra & { type: 'minus' }, bindings: Bindings): Algebra {
  const ofRight = variablesOf(right);
  const shared = [...variablesOf(left)].filter((name) => ofRight.has(name) && bindings.has(name));
  const bind = (side: Algebra): Algebra =>
    shared.reduce((input, name) => extendBy(input, `.given.${name}`, bindings.get(name)!), bindAlgebra(side, bindings));
  return { type: 'minus', left: bind(left), right: bind(right) };
}

function extendBy(input: Algebra, variable: string, term: RDF.Term): Algebra {
  return { type: 'extend', input, variable, expression: { type: 'term', term } };
}

function requireFree(variable: string, bindings: Bindings): void {
  if (bindings.has(variable)) {
    throw new WorldsError(
      'INVALID_ARGUMENT',
      `bindings.${variable}: the query itself assigns ?${variable}; bind another variable.`,
    );
  }
}
