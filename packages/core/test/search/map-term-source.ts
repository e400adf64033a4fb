import type * as RDF from '@rdfjs/types';
import {
  DEFAULT_GRAPH,
  NO_TERM,
  type TermId,
  type TermKind,
  type TermSource,
} from '../../src/contracts/term-source.ts';
import { dataFactory } from '../../src/model/term.ts';

const KINDS: Readonly<Record<string, TermKind>> = {
  NamedNode: 'iri',
  BlankNode: 'blank',
  Literal: 'literal',
  Quad: 'triple',
};

/** A TermSource over an array, which can be told to fail. */
export class MapTermSource implements TermSource {
  /** How many terms can still be decoded before decoding throws. */
  decodesLeft = Number.POSITIVE_INFINITY;
  private readonly terms: RDF.Term[] = [dataFactory.defaultGraph(), dataFactory.defaultGraph()];

  term(id: TermId): RDF.Term {
    if (this.decodesLeft-- <= 0) throw new Error('the term source failed');
    return this.terms[id];
  }

  find(term: RDF.Term): TermId {
    const at = this.terms.findIndex((known) => known.equals(term));
    return at <= DEFAULT_GRAPH ? NO_TERM : at;
  }

  intern(term: RDF.Term): TermId {
    return this.find(term) || this.terms.push(term) - 1;
  }

  findTriple(subject: TermId, predicate: TermId, object: TermId): TermId {
    const triple = dataFactory.quad(
      this.term(subject) as RDF.Quad_Subject,
      this.term(predicate) as RDF.Quad_Predicate,
      this.term(object) as RDF.Quad_Object,
    );
    return this.find(triple);
  }

  tripleOf(id: TermId): readonly [TermId, TermId, TermId] {
    const { subject, predicate, object } = this.term(id) as RDF.Quad;
    return [this.intern(subject), this.intern(predicate), this.intern(object)];
  }

  blankNode(): TermId {
    return this.intern(dataFactory.blankNode());
  }

  kind(id: TermId): TermKind {
    return KINDS[this.terms[id].termType];
  }

  iri(name: string): TermId {
    return this.intern(dataFactory.namedNode(`http://example.org/${name}`));
  }

  literal(value: string, language = ''): TermId {
    return this.intern(language ? dataFactory.literal(value, language) : dataFactory.literal(value));
  }
}
