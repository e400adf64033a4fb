import type * as RDF from '@rdfjs/types';
import type { QuadBatch } from '../../src/contracts/quad-batch.ts';
import type { QuadCursor, QuadSource } from '../../src/contracts/quad-source.ts';
import { TERM_KIND, type TermBytes, type TermBytesSource } from '../../src/contracts/term-bytes.ts';
import {
  ANY_NAMED_GRAPH,
  DEFAULT_GRAPH,
  NO_TERM,
  type TermId,
  type TermKind,
} from '../../src/contracts/term-source.ts';
import { dataFactory } from '../../src/model/term.ts';

const KINDS: Readonly<Record<string, TermKind>> = {
  NamedNode: 'iri',
  BlankNode: 'blank',
  Literal: 'literal',
  Quad: 'triple',
  DefaultGraph: 'defaultGraph',
};

/**
 * A language tag is no RDF term, but has an id: it is kept as a variable with this before its name.
 */
const TAG = 'tag ';

type Row = readonly [TermId, TermId, TermId, TermId];

/** A small dictionary over a Map; enough of {@link TermBytesSource} for the writers. */
export class ArrayTerms implements TermBytesSource {
  private readonly terms: RDF.Term[] = [dataFactory.variable('no term'), dataFactory.defaultGraph()];
  private readonly ids = new Map<string, TermId>([['DefaultGraph', DEFAULT_GRAPH]]);

  term(id: TermId): RDF.Term {
    return this.terms[id];
  }

  find(term: RDF.Term): TermId {
    return this.ids.get(termKey(term)) ?? NO_TERM;
  }

  intern(term: RDF.Term): TermId {
    const key = termKey(term);
    let id = this.ids.get(key);
    if (id === undefined) {
      id = this.terms.push(term) - 1;
      this.ids.set(key, id);
      if (term.termType === 'Quad') for (const part of [term.subject, term.predicate, term.object]) this.intern(part);
    }
    return id;
  }

  findTriple(...parts: readonly [TermId, TermId, TermId]): TermId {
    const [subject, predicate, object] = parts.map((id) => this.terms[id]);
    return this.find(
      dataFactory.quad(subject as RDF.Quad_Subject, predicate as RDF.Quad_Predicate, object as RDF.Quad_Object),
    );
  }

  blankNode(): TermId {
    return this.intern(dataFactory.blankNode());
  }

  kind(id: TermId): TermKind {
    return KINDS[this.terms[id].termType];
  }

  locate(id: TermId, at: TermBytes): void {
    const term = this.terms[id];
    at.kind = byteKind(term);
    at.buffer = Buffer.from(term.termType === 'Variable' ? term.value.slice(TAG.length) : term.value);
    at.view = new DataView(at.buffer.buffer, at.buffer.byteOffset, at.buffer.length);
    at.start = 0;
    at.end = at.buffer.length;
    at.reference = NO_TERM;
    if (term.termType !== 'Literal') return;
    const tag = `${TAG}${term.language}${term.direction ? `--${term.direction}` : ''}`;
    at.reference = term.language ? this.intern(dataFactory.variable(tag)) : this.intern(term.datatype);
  }

  blankNodeLabel(id: TermId): string {
    return this.terms[id].value;
  }

  tripleOf(id: TermId): readonly [TermId, TermId, TermId] {
    const { subject, predicate, object } = this.terms[id] as RDF.Quad;
    return [this.find(subject), this.find(predicate), this.find(object)];
  }
}

function byteKind(term: RDF.Term): number {
  switch (term.termType) {
    case 'NamedNode':
      return TERM_KIND.iri;
    case 'BlankNode':
      return TERM_KIND.blankNode;
    case 'Literal':
      return term.language ? TERM_KIND.languageLiteral : TERM_KIND.literal;
    case 'Quad':
      return TERM_KIND.triple;
    case 'DefaultGraph':
      return TERM_KIND.defaultGraph;
    default:
      return TERM_KIND.internal;
  }
}

/**
 * A dataset in an array, sorted as the contract of {@link QuadSource} says. `emptyGraphs` are named
 * graphs without quads.
 */
export class ArraySource implements QuadSource {
  readonly terms = new ArrayTerms();
  readonly graphs: Uint32Array;
  private readonly rows: readonly Row[];
  private readonly indexes = new Map<number, Map<TermId, Row[]>>();

  constructor(quads: readonly RDF.Quad[], emptyGraphs: readonly RDF.Term[] = [], firstTerms: readonly RDF.Term[] = []) {
    for (const term of firstTerms) this.terms.intern(term);
    const rows = new Map<string, Row>();
    for (const { subject, predicate, object, graph } of quads) {
      const [s, p, o, g] = [subject, predicate, object, graph].map((term) => this.terms.intern(term));
      rows.set(`${s} ${p} ${o} ${g}`, [s, p, o, g]);
    }
    this.rows = [...rows.values()].sort((a, b) => a[3] - b[3] || a[0] - b[0] || a[1] - b[1] || a[2] - b[2]);
    const graphs = new Set([
      ...this.rows.map((row) => row[3]),
      ...emptyGraphs.map((graph) => this.terms.intern(graph)),
    ]);
    graphs.delete(DEFAULT_GRAPH);
    this.graphs = Uint32Array.from(graphs).sort();
  }

  count(subject: TermId, predicate: TermId, object: TermId, graph: TermId): number {
    return this.matching(subject, predicate, object, graph).length;
  }

  estimate(subject: TermId, predicate: TermId, object: TermId, graph: TermId): number {
    return this.count(subject, predicate, object, graph);
  }

  cursor(): QuadCursor {
    let rows: readonly Row[] = [];
    let next = 0;
    return {
      seek: (subject, predicate, object, graph) => {
        rows = this.matching(subject, predicate, object, graph);
        next = 0;
      },
      next(batch: QuadBatch) {
        batch.length = 0;
        for (; next < rows.length && batch.length < batch.capacity; next++, batch.length++) {
          [
            batch.subject[batch.length],
            batch.predicate[batch.length],
            batch.object[batch.length],
            batch.graph[batch.length],
          ] = rows[next];
        }
        return batch.length;
      },
    };
  }

  dataset(defaultGraphs: readonly TermId[]): QuadSource {
    const merged = new Map<string, Row>();
    for (const [s, p, o, g] of this.rows)
      if (defaultGraphs.includes(g)) merged.set(`${s} ${p} ${o}`, [s, p, o, DEFAULT_GRAPH]);
    const rows = [...merged.values()].sort((a, b) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2]);
    return Object.assign(Object.create(this), { rows, graphs: new Uint32Array(0), indexes: new Map() }) as QuadSource;
  }

  merged(): QuadSource {
    return this.dataset([DEFAULT_GRAPH, ...this.graphs]);
  }

  /** Returns the rows by the term at a position. */
  private indexOf(position: number): ReadonlyMap<TermId, readonly Row[]> {
    let index = this.indexes.get(position);
    if (index) return index;
    index = new Map<TermId, Row[]>();
    for (const row of this.rows) {
      const rows = index.get(row[position]);
      if (rows) rows.push(row);
      else index.set(row[position], [row]);
    }
    this.indexes.set(position, index);
    return index;
  }

  private matching(subject: TermId, predicate: TermId, object: TermId, graph: TermId) {
    const pattern = [subject, predicate, object];
    const position = subject !== NO_TERM ? 0 : object !== NO_TERM ? 2 : -1;
    const rows = position < 0 ? this.rows : (this.indexOf(position).get(pattern[position]) ?? []);
    return rows.filter(
      (row) =>
        pattern.every((id, position) => id === NO_TERM || id === row[position]) &&
        (graph === NO_TERM || graph === row[3] || (graph === ANY_NAMED_GRAPH && row[3] !== DEFAULT_GRAPH)),
    );
  }
}

/** A string that is the same for equal terms alone. */
export function termKey(term: RDF.Term): string {
  switch (term.termType) {
    case 'Literal':
      return JSON.stringify(['Literal', term.value, term.language, term.direction ?? '', term.datatype.value]);
    case 'Quad':
      return JSON.stringify([termKey(term.subject), termKey(term.predicate), termKey(term.object)]);
    case 'DefaultGraph':
      return 'DefaultGraph';
    default:
      return JSON.stringify([term.termType, term.value]);
  }
}
