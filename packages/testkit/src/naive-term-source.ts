import { dataFactory } from '@rdf-worlds/core';
import { DEFAULT_GRAPH, NO_TERM, type TermId, type TermKind, type TermSource } from '@rdf-worlds/core/plugin';
import type * as RDF from '@rdfjs/types';
import { termKey } from './term-key.ts';

const KINDS: ReadonlyMap<string, TermKind> = new Map([
  ['NamedNode', 'iri'],
  ['BlankNode', 'blank'],
  ['Literal', 'literal'],
  ['Quad', 'triple'],
  ['DefaultGraph', 'defaultGraph'],
]);

/**
 * The simplest {@link TermSource}: a Map from N-Triples to numbers. It has no overlay: interned
 * terms are never removed.
 */
export class NaiveTermSource implements TermSource {
  private readonly terms: RDF.Term[] = [];
  private readonly ids = new Map<string, TermId>();
  private blankNodes = 0;

  constructor() {
    // NO_TERM is not a term; its slot is never read.
    this.terms[NO_TERM] = dataFactory.defaultGraph();
    this.terms[DEFAULT_GRAPH] = dataFactory.defaultGraph();
    this.ids.set(termKey(dataFactory.defaultGraph()), DEFAULT_GRAPH);
  }

  term(id: TermId): RDF.Term {
    const term = id === NO_TERM ? undefined : this.terms[id];
    if (!term) throw new RangeError(`No term has the id ${id}.`);
    return term;
  }

  find(term: RDF.Term): TermId {
    return this.ids.get(termKey(term)) ?? NO_TERM;
  }

  intern(term: RDF.Term): TermId {
    if (!KINDS.has(term.termType)) throw new TypeError(`A ${term.termType} is not an RDF term.`);
    const key = termKey(term);
    const known = this.ids.get(key);
    if (known !== undefined) return known;
    const id = this.terms.length;
    this.terms.push(term);
    this.ids.set(key, id);
    return id;
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
    let label: string;
    do label = `naive${++this.blankNodes}`;
    while (this.ids.has(`_:${label}`));
    return this.intern(dataFactory.blankNode(label));
  }

  /** Returns the kind of a term. Throws RangeError for an id that no term has. */
  kind(id: TermId): TermKind {
    return KINDS.get(this.term(id).termType)!;
  }
}
