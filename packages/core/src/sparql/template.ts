import type * as RDF from '@rdfjs/types';
import { DEFAULT_GRAPH, NO_TERM, type TermId, type TermSource } from '../contracts/term-source.ts';
import { BlankNode } from '../model/term.ts';
import type { PatternTerm, TemplateQuad, TemplateTriple } from './algebra/algebra.ts';
import { BlankNodes } from './blank-nodes.ts';
import type { Batch } from './exec/batch.ts';
import type { Scope } from './plan/scope.ts';

/** One position of a template quad: a variable, a constant, or a term created for each row. */
interface Part {
  /** Slot of a variable, otherwise -1. */
  readonly slot: number;
  /** The constant; NO_TERM for a variable that no row binds. */
  readonly id: TermId;
  /** Creates the term of a row; undefined for variables and constants. */
  readonly create: ((batch: Batch, row: number) => TermId) | undefined;
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
  for (const quad of quads) {
    collectVariables(quad, names);
    if (quad.graph?.termType === 'Variable') names.add(quad.graph.value);
  }
  return [...names];
}

function collectVariables({ subject, predicate, object }: TemplateTriple, names: Set<string>): void {
  collectVariable(subject, names);
  collectVariable(predicate, names);
  collectVariable(object, names);
}

function collectVariable(term: PatternTerm, names: Set<string>): void {
  if (term.termType === 'Variable') names.add(term.value);
  else if (term.termType === 'TriplePattern') collectVariables(term, names);
}

/** Instantiates quads from solutions: templates of CONSTRUCT and of updates. */
export class Template {
  private readonly quads: readonly TemplateQuad[];
  private readonly terms: TermSource;
  private readonly scope: Scope;
  private readonly defaultGraph: Part;
  /** Quads of constants and variables only, and all other quads, as far as they are resolved. */
  private readonly plain: Parts[] = [];
  private readonly others: Parts[] = [];
  /** Number of resolved quads. */
  private resolved = 0;
  private readonly variables = new Map<string, Part>();
  /** Blank nodes by template label, for the current solution. */
  private readonly blankNodes: BlankNodes;

  /** @param defaultGraph graph of triples outside GRAPH (WITH) */
  constructor(quads: readonly TemplateQuad[], terms: TermSource, scope: Scope, defaultGraph: TermId = DEFAULT_GRAPH) {
    this.quads = quads;
    this.terms = terms;
    this.blankNodes = new BlankNodes(terms);
    this.scope = scope;
    this.defaultGraph = constantPart(defaultGraph);
  }

  /**
   * Looks up slots and terms, for the first solution. Yields periodically, because a text may have
   * tens of thousands of quads in a template.
   */
  private *resolve(): Generator<void, void, void> {
    while (this.resolved < this.quads.length) {
      this.resolveNext();
      yield;
    }
  }

  private resolveNext(): void {
    const end = Math.min(this.resolved + STRIDE, this.quads.length);
    for (; this.resolved < end; this.resolved++) {
      const parts = this.parts(this.quads[this.resolved]);
      (isPlain(parts) ? this.plain : this.others).push(parts);
    }
  }

  /**
   * Whether rows that differ in these slots never make the same triple: each triple of the template
   * has all the slots, and no two have the same predicate. False for long templates, which cannot
   * be resolved in one step.
   */
  isOneToOne(slots: readonly number[]): boolean {
    if (this.quads.length > STRIDE) return false;
    this.resolveNext();
    const { plain } = this;
    if (this.others.length > 0) return false;
    const hasAll = plain.every((triple) => slots.every((slot) => triple.some((part) => part.slot === slot)));
    if (!hasAll) return false;
    const predicates = plain.map(([, predicate]) => predicate);
    const areConstant = predicates.every(({ slot }) => slot === -1);
    return plain.length === 1 || (areConstant && new Set(predicates.map(({ id }) => id)).size === plain.length);
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
    yield* this.resolve();
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
      const s = termAt(subject, batch, row);
      const p = termAt(predicate, batch, row);
      const o = termAt(object, batch, row);
      const g = termAt(graph, batch, row);
      if (o !== NO_TERM && g !== NO_TERM && isLegalQuad(s, p, g, this.terms)) receiver.add(s, p, o, g);
    }
  }

  private fillPlain(parts: Parts, batch: Batch, receiver: QuadReceiver): void {
    const columns = parts.map(({ slot }) => (slot < 0 ? undefined : (batch.columns[slot] ?? null)));
    if (columns.includes(null)) return;
    const [subjects, predicates, objects, graphs] = columns as (Uint32Array | undefined)[];
    const [subject, predicate, object, graph] = parts.map(({ id }) => id);
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
      case 'Variable':
        return this.variable(term.value);
      case 'BlankNode':
        if (term instanceof KnownBlankNode) return constantPart(terms.intern(term));
        return createdPart(() => blankNodes.of(term.value));
      case 'TriplePattern': {
        const subject = this.part(term.subject);
        const predicate = this.part(term.predicate);
        const object = this.part(term.object);
        return createdPart((batch, row) => {
          const s = termAt(subject, batch, row);
          return tripleTerm(s, termAt(predicate, batch, row), termAt(object, batch, row), terms);
        });
      }
      default:
        return constantPart(terms.intern(term as RDF.Term));
    }
  }

  private variable(name: string): Part {
    let part = this.variables.get(name);
    if (part === undefined) {
      const slot = this.scope.find(name);
      part = slot === undefined ? constantPart(NO_TERM) : { slot, id: NO_TERM, create: undefined };
      this.variables.set(name, part);
    }
    return part;
  }
}

/** Returns the id of a part for a row; NO_TERM if the row has none. */
function termAt({ slot, id, create }: Part, batch: Batch, row: number): TermId {
  if (create !== undefined) return create(batch, row);
  return slot < 0 ? id : (batch.columns[slot]?.[row] ?? NO_TERM);
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
  return { slot: -1, id, create: undefined };
}

function createdPart(create: Part['create']): Part {
  return { slot: -1, id: NO_TERM, create };
}

function isPlain(parts: Parts): boolean {
  return parts.every(({ create }) => create === undefined);
}
