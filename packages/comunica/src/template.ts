import { dataFactory } from '@rdf-worlds/core';
import type * as RDF from '@rdfjs/types';
import type { Pattern } from './algebra.ts';
import { mapNestedTerm } from './pattern-terms.ts';

/**
 * The values that fill a template: those of variables, and a node for each of its own blank nodes.
 */
export interface Filling {
  variable(name: string): RDF.Term | undefined;
  blankNode(label: string): RDF.Term;
}

/** A blank node of the template itself, as opposed to one of the store that a binding supplied. */
class TemplateBlankNode implements RDF.BlankNode {
  readonly termType = 'BlankNode' as const;
  readonly value: string;
  constructor(value: string) {
    this.value = value;
  }
  equals(other: RDF.Term | null | undefined): boolean {
    return other instanceof TemplateBlankNode && other.value === this.value;
  }
}

/**
 * Returns whether terms are allowed in their positions (RDF 1.1 Concepts 3.1; triple terms by RDF
 * 1.2, as objects only).
 */
function isQuad(subject: RDF.Term, predicate: RDF.Term, object: RDF.Term, graph: RDF.Term): boolean {
  return (
    (subject.termType === 'NamedNode' || subject.termType === 'BlankNode') &&
    predicate.termType === 'NamedNode' &&
    object.termType !== 'DefaultGraph' &&
    (graph.termType === 'NamedNode' || graph.termType === 'BlankNode' || graph.termType === 'DefaultGraph') &&
    (object.termType !== 'Quad' || isQuad(object.subject, object.predicate, object.object, object.graph))
  );
}

/** The quads of a CONSTRUCT, INSERT or DELETE, to be filled with one solution at a time. */
export class Template {
  private readonly quads: readonly RDF.BaseQuad[];

  /** `substitute` replaces variables by external bindings. */
  constructor(quads: readonly Pattern[], substitute: (term: RDF.Term) => RDF.Term) {
    const compile = (term: RDF.Term) =>
      mapNestedTerm(term, (part) =>
        part.termType === 'BlankNode' ? new TemplateBlankNode(part.value) : substitute(part),
      );
    this.quads = quads.map(({ subject, predicate, object, graph }) => ({
      termType: 'Quad',
      value: '',
      subject: compile(subject),
      predicate: compile(predicate),
      object: compile(object),
      graph: compile(graph),
      equals: () => false,
    }));
  }

  get isEmpty(): boolean {
    return this.quads.length === 0;
  }

  /**
   * Yields the quads of one solution. Skips quads with an unbound variable or a term in a position
   * where it is not allowed (SPARQL 1.1 section 16.2, Update section 3.1.3).
   */
  *fill(filling: Filling): Generator<RDF.Quad> {
    let unbound: boolean;
    const value = (term: RDF.Term): RDF.Term =>
      mapNestedTerm(term, (part) => {
        if (part instanceof TemplateBlankNode) return filling.blankNode(part.value);
        if (part.termType !== 'Variable') return part;
        const bound = filling.variable(part.value);
        if (!bound) unbound = true;
        return bound ?? part;
      });
    for (const quad of this.quads) {
      unbound = false;
      const [subject, predicate, object, graph] = [quad.subject, quad.predicate, quad.object, quad.graph].map(value);
      if (unbound || !isQuad(subject, predicate, object, graph)) continue;
      yield dataFactory.quad(
        subject as RDF.Quad_Subject,
        predicate as RDF.Quad_Predicate,
        object as RDF.Quad_Object,
        graph as RDF.Quad_Graph,
      );
    }
  }
}
