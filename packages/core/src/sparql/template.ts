import type * as RDF from '@rdfjs/types';
import { BlankNode } from '../model/term.ts';
import { DEFAULT_GRAPH, NO_TERM, type TermId, type TermSource } from '../storage/term-source.ts';
import type { PatternTerm, TemplateQuad } from './algebra/algebra.ts';
import type { Batch } from './exec/batch.ts';
import type { Scope } from './plan/scope.ts';

/** A position of a template: gives the id for a row; NO_TERM where the row has none. */
type Part = (batch: Batch | undefined, row: number) => TermId;

/** A blank node of the data in a template: not a label, which would be a new node for each solution. */
export class KnownBlankNode extends BlankNode {}

/** Receives the quads of a template. */
export type EmitQuad = (subject: TermId, predicate: TermId, object: TermId, graph: TermId) => void;

/** Makes quads of solutions: the templates of CONSTRUCT and of updates. */
export class Template {
  private readonly terms: TermSource;
  private readonly scope: Scope | undefined;
  private readonly quads: readonly (readonly [Part, Part, Part, Part])[];
  /** The blank nodes of the template's labels, for the current solution. */
  private readonly blankNodes = new Map<string, TermId>();

  /** @param defaultGraph where triples outside of a GRAPH go (WITH) */
  constructor(quads: readonly TemplateQuad[], terms: TermSource, scope?: Scope, defaultGraph: TermId = DEFAULT_GRAPH) {
    this.terms = terms;
    this.scope = scope;
    this.quads = quads.map(({ subject, predicate, object, graph }) => [
      this.part(subject),
      this.part(predicate),
      this.part(object),
      graph ? this.part(graph) : () => defaultGraph,
    ]);
  }

  /** Each label is one new blank node for each solution (SPARQL 1.1 section 16.2.1). Quads that no dataset can hold are left out. */
  instantiate(batch: Batch | undefined, row: number, emit: EmitQuad): void {
    this.blankNodes.clear();
    for (const [subject, predicate, object, graph] of this.quads) {
      const s = subject(batch, row);
      const p = predicate(batch, row);
      const o = object(batch, row);
      const g = graph(batch, row);
      if (s !== NO_TERM && p !== NO_TERM && o !== NO_TERM && g !== NO_TERM && this.isLegal(s, p, g)) emit(s, p, o, g);
    }
  }

  private isLegal(subject: TermId, predicate: TermId, graph: TermId): boolean {
    const { terms } = this;
    const kind = terms.kind(subject);
    if (kind !== 'iri' && kind !== 'blank') return false;
    return terms.kind(predicate) === 'iri' && (graph === DEFAULT_GRAPH || terms.kind(graph) === 'iri');
  }

  private part(term: PatternTerm): Part {
    const { terms, blankNodes } = this;
    switch (term.termType) {
      case 'Variable': {
        const slot = this.scope?.find(term.value);
        if (slot === undefined) return () => NO_TERM;
        return (batch, row) => batch?.columns[slot]?.[row] ?? NO_TERM;
      }
      case 'BlankNode':
        if (term instanceof KnownBlankNode) {
          const known = terms.intern(term);
          return () => known;
        }
        return () => {
          let id = blankNodes.get(term.value);
          if (id === undefined) {
            id = terms.blankNode();
            blankNodes.set(term.value, id);
          }
          return id;
        };
      case 'TriplePattern': {
        const [subject, predicate, object] = [term.subject, term.predicate, term.object].map((part) => this.part(part));
        return (batch, row) => {
          const ids = [subject(batch, row), predicate(batch, row), object(batch, row)];
          if (ids.includes(NO_TERM) || !this.isLegal(ids[0], ids[1], DEFAULT_GRAPH)) return NO_TERM;
          const [s, p, o] = ids.map((id) => terms.term(id));
          return terms.intern({ termType: 'Quad', value: '', subject: s, predicate: p, object: o } as RDF.Quad);
        };
      }
      default: {
        const id = terms.intern(term as RDF.Term);
        return () => id;
      }
    }
  }
}
