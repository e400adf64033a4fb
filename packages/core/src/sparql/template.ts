import type * as RDF from '@rdfjs/types';
import { DEFAULT_GRAPH, NO_TERM, type TermId, type TermSource } from '../contracts/term-source.ts';
import { BlankNode } from '../model/term.ts';
import type { PatternTerm, TemplateQuad } from './algebra/algebra.ts';
import { BlankNodes } from './blank-nodes.ts';
import type { Batch } from './exec/batch.ts';
import type { Scope } from './plan/scope.ts';

/** One position of a template quad. */
interface Part {
  /** Returns the id for a row; NO_TERM if the row has none. */
  readonly at: (batch: Batch, row: number) => TermId;
  /**
   * Slot of a variable, or the constant term in `id`. Both are undefined for terms created per row.
   */
  readonly slot?: number;
  readonly id?: TermId;
}

type Parts = readonly [subject: Part, predicate: Part, object: Part, graph: Part];

/** Quads between two yields. */
const STRIDE = 64;

/**
 * A blank node of the data used in a template, as opposed to a label, which is a new node per
 * solution.
 */
export class KnownBlankNode extends BlankNode {}

/** Receives the quads of a template. */
export interface QuadReceiver {
  add(subject: TermId, predicate: TermId, object: TermId, graph: TermId): void;
}

/** Returns the variables of a template. */
export function templateVariables(quads: readonly TemplateQuad[]): string[] {
  const names = new Set<string>();
  const visit = (term: PatternTerm): void => {
    if (term.termType === 'Variable') names.add(term.value);
    else if (term.termType === 'TriplePattern')
      for (const part of [term.subject, term.predicate, term.object]) visit(part);
  };
  for (const { subject, predicate, object, graph } of quads) {
    for (const term of [subject, predicate, object]) visit(term);
    if (graph) visit(graph);
  }
  return [...names];
}

/** Instantiates quads from solutions: templates of CONSTRUCT and of updates. */
export class Template {
  private readonly terms: TermSource;
  private readonly scope: Scope;
  private readonly defaultGraph: Part;
  /** Quads of constants and variables only, and all other quads. */
  private readonly plain: readonly Parts[];
  private readonly others: readonly Parts[];
  /** Blank nodes by template label, for the current solution. */
  private readonly blankNodes: BlankNodes;

  /** @param defaultGraph graph of triples outside GRAPH (WITH) */
  constructor(quads: readonly TemplateQuad[], terms: TermSource, scope: Scope, defaultGraph: TermId = DEFAULT_GRAPH) {
    this.terms = terms;
    this.blankNodes = new BlankNodes(terms);
    this.scope = scope;
    this.defaultGraph = constantPart(defaultGraph);
    const parts = quads.map((quad) => this.parts(quad));
    this.plain = parts.filter(isPlain);
    this.others = parts.filter((quad) => !isPlain(quad));
  }

  /**
   * Whether rows that differ in these slots never make the same triple: each triple of the template
   * has all the slots, and no two have the same predicate.
   */
  isOneToOne(slots: readonly number[]): boolean {
    const { plain } = this;
    if (this.others.length > 0) return false;
    const hasAll = plain.every((triple) => slots.every((slot) => triple.some((part) => part.slot === slot)));
    if (!hasAll) return false;
    const predicates = plain.map(([, predicate]) => predicate.id);
    return plain.length === 1 || (!predicates.includes(undefined) && new Set(predicates).size === plain.length);
  }

  private parts({ subject, predicate, object, graph }: TemplateQuad): Parts {
    return [this.part(subject), this.part(predicate), this.part(object), graph ? this.part(graph) : this.defaultGraph];
  }

  /**
   * Passes the quads for all rows of a batch to `receiver`, in no particular order. Each label is a
   * new blank node per solution (SPARQL 1.1 section 16.2.1). Skips quads that are not valid RDF.
   * Yields periodically so that the driver can pause.
   */
  *instantiateAll(batch: Batch, receiver: QuadReceiver): Generator<void, void, void> {
    for (const quad of this.plain) {
      this.fillPlain(quad, batch, receiver);
      yield;
    }
    if (this.others.length === 0) return;
    for (let row = 0; row < batch.length; row++) {
      this.blankNodes.clear();
      for (let from = 0; from < this.others.length; from += STRIDE) {
        this.fillRow(from, Math.min(from + STRIDE, this.others.length), batch, row, receiver);
        if (this.others.length > STRIDE || row % STRIDE === 0) yield;
      }
    }
  }

  /** Instantiates the quads `from .. to - 1` of {@link others} for one row. */
  private fillRow(from: number, to: number, batch: Batch, row: number, receiver: QuadReceiver): void {
    for (let at = from; at < to; at++) {
      const [subject, predicate, object, graph] = this.others[at];
      const s = subject.at(batch, row);
      const p = predicate.at(batch, row);
      const o = object.at(batch, row);
      const g = graph.at(batch, row);
      if (o !== NO_TERM && g !== NO_TERM && isLegalQuad(s, p, g, this.terms)) receiver.add(s, p, o, g);
    }
  }

  private fillPlain(parts: Parts, batch: Batch, receiver: QuadReceiver): void {
    const columns = parts.map(({ slot }) => (slot === undefined ? undefined : (batch.columns[slot] ?? null)));
    if (columns.includes(null)) return;
    const [subjects, predicates, objects, graphs] = columns as (Uint32Array | undefined)[];
    const [subject, predicate, object, graph] = parts.map(({ id }) => id ?? NO_TERM);
    let last = [NO_TERM, NO_TERM, NO_TERM];
    let isLegal = false;
    for (let row = 0; row < batch.length; row++) {
      const s = subjects ? subjects[row] : subject;
      const p = predicates ? predicates[row] : predicate;
      const o = objects ? objects[row] : object;
      const g = graphs ? graphs[row] : graph;
      if (s === NO_TERM || p === NO_TERM || o === NO_TERM || g === NO_TERM) continue;
      if (s !== last[0] || p !== last[1] || g !== last[2]) {
        last = [s, p, g];
        isLegal = isLegalQuad(s, p, g, this.terms);
      }
      if (isLegal) receiver.add(s, p, o, g);
    }
  }

  private part(term: PatternTerm): Part {
    const { terms, blankNodes } = this;
    switch (term.termType) {
      case 'Variable': {
        const slot = this.scope.find(term.value);
        if (slot === undefined) return constantPart(NO_TERM);
        return { at: (batch, row) => batch.columns[slot]?.[row] ?? NO_TERM, slot };
      }
      case 'BlankNode':
        if (term instanceof KnownBlankNode) return constantPart(terms.intern(term));
        return { at: () => blankNodes.of(term.value) };
      case 'TriplePattern': {
        const [subject, predicate, object] = [term.subject, term.predicate, term.object].map((part) => this.part(part));
        const at = (batch: Batch, row: number): TermId => {
          const p = predicate.at(batch, row);
          return tripleTerm(subject.at(batch, row), p, object.at(batch, row), terms);
        };
        return { at };
      }
      default: {
        return constantPart(terms.intern(term as RDF.Term));
      }
    }
  }
}

/** Whether quads with these terms are valid RDF; NO_TERM is not a term. */
export function isLegalQuad(subject: TermId, predicate: TermId, graph: TermId, terms: TermSource): boolean {
  if (subject === NO_TERM || predicate === NO_TERM) return false;
  const kind = terms.kind(subject);
  if (kind !== 'iri' && kind !== 'blank') return false;
  return terms.kind(predicate) === 'iri' && (graph === DEFAULT_GRAPH || terms.kind(graph) === 'iri');
}

/** Returns the triple term of three terms, or NO_TERM if it would not be valid RDF. */
export function tripleTerm(subject: TermId, predicate: TermId, object: TermId, terms: TermSource): TermId {
  if (object === NO_TERM || !isLegalQuad(subject, predicate, DEFAULT_GRAPH, terms)) return NO_TERM;
  const [s, p, o] = [subject, predicate, object].map((id) => terms.term(id));
  return terms.intern({ termType: 'Quad', value: '', subject: s, predicate: p, object: o } as RDF.Quad);
}

function constantPart(id: TermId): Part {
  return { at: () => id, id };
}

function isPlain(parts: readonly Part[]): boolean {
  return parts.every(({ slot, id }) => slot !== undefined || id !== undefined);
}
