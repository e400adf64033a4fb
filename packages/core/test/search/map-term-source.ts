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
