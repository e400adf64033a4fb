import type * as RDF from '@rdfjs/types';
import { DEFAULT_GRAPH, NO_TERM, type TermId, type TermSource } from '../contracts/term-source.ts';
import type { PatternTerm, TemplateQuad } from './algebra/algebra.ts';
import { BlankNodes } from './blank-nodes.ts';
import { isLegalQuad, KnownBlankNode, type QuadReceiver, tripleTerm } from './template.ts';

/** Quads between two yields. */
const STRIDE = 64;

/** Instantiates quads without variables: INSERT DATA and DELETE DATA. */
export class DataTemplate {
  private readonly terms: TermSource;
  /** Blank nodes by label. */
  private blankNodes: BlankNodes | undefined;

  constructor(terms: TermSource) {
    this.terms = terms;
  }

  /**
   * Passes the quads to `receiver`, with one new blank node per label. Skips quads that are not
   * valid RDF. Yields periodically so that the driver can pause.
   */
  *instantiate(quads: readonly TemplateQuad[], receiver: QuadReceiver): Generator<void, void, void> {
    const { terms } = this;
    // Consecutive quads of data often share IRIs.
    let lastSubject: PatternTerm | undefined;
    let lastPredicate: PatternTerm | undefined;
    let s = NO_TERM;
    let p = NO_TERM;
    for (let i = 0; i < quads.length; i++) {
      const { subject, predicate, object, graph } = quads[i];
      if (!isSameIri(subject, lastSubject)) s = this.idOf(subject);
      if (!isSameIri(predicate, lastPredicate)) p = this.idOf(predicate);
      const o = this.idOf(object);
      const g = graph ? this.idOf(graph) : DEFAULT_GRAPH;
      if (o !== NO_TERM && g !== NO_TERM && isLegalQuad(s, p, g, terms)) receiver.add(s, p, o, g);
      lastSubject = subject;
      lastPredicate = predicate;
      if (i % STRIDE === STRIDE - 1) yield;
    }
  }

  private idOf(term: PatternTerm): TermId {
    switch (term.termType) {
      case 'BlankNode':
        if (term instanceof KnownBlankNode) return this.terms.intern(term);
        this.blankNodes ??= new BlankNodes(this.terms);
        return this.blankNodes.of(term.value);
      case 'TriplePattern': {
        const subject = this.idOf(term.subject);
        const predicate = this.idOf(term.predicate);
        return tripleTerm(subject, predicate, this.idOf(term.object), this.terms);
      }
      case 'Variable':
        return NO_TERM;
      default:
        return this.terms.intern(term as RDF.Term);
    }
  }
}

function isSameIri(term: PatternTerm, other: PatternTerm | undefined): boolean {
  return term.termType === 'NamedNode' && other?.termType === 'NamedNode' && term.value === other.value;
}
