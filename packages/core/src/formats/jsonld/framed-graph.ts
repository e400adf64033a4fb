import type * as RDF from '@rdfjs/types';
import { QuadBatch, WANT_OBJECT, WANT_PREDICATE, WANT_SUBJECT } from '../../contracts/quad-batch.ts';
import type { QuadSource } from '../../contracts/quad-source.ts';
import type { TermBytesSource } from '../../contracts/term-bytes.ts';
import { DEFAULT_GRAPH, NO_TERM, type TermId } from '../../contracts/term-source.ts';
import type { MemoryBudget } from '../../model/memory-budget.ts';
import { graphBatches } from '../graph-batches.ts';
import { DatasetLists, hasId } from './dataset-lists.ts';
import { DatasetNodes, type DatasetNodesOptions } from './dataset-nodes.ts';
import { sortedIds } from './sorted-ids.ts';

/** Rows read at a time where most nodes have fewer. */
const SMALL_BATCH = 32;
/** Names of types looked up per step. */
const NAMES_A_STEP = 256;
/** Estimated bytes per node in the set of all nodes. */
const NODE_BYTES = 64;

/**
 * One graph of a dataset as framing sees it: a "map of flattened subjects" (JSON-LD 1.1 Framing
 * section 2), which is read from the dataset on demand.
 */
export class FramedGraph {
  readonly source: QuadSource;
  readonly graph: TermId;
  readonly nodes: DatasetNodes;
  readonly lists: DatasetLists;
  /** Names of graphs that are nodes of this one, whether or not they have properties. */
  private readonly graphNames: Uint32Array;
  private readonly terms: TermBytesSource;
  private readonly memory: MemoryBudget | undefined;
  private all: Uint32Array | undefined;
  private heldNodes = 0;
  private readonly found = new Map<string, TermId>();

  constructor(
    source: QuadSource,
    terms: TermBytesSource,
    graph: TermId,
    graphNames: Uint32Array,
    options: DatasetNodesOptions,
  ) {
    this.source = source;
    this.terms = terms;
    this.graph = graph;
    this.graphNames = graph === DEFAULT_GRAPH ? graphNames : new Uint32Array(0);
    this.memory = options.memory;
    this.nodes = new DatasetNodes(source, terms, options);
    this.lists = new DatasetLists(source, terms, graph, options.memory);
  }

  kind(id: TermId): string {
    return this.terms.kind(id);
  }

  /** Returns the id of an IRI of the frame. */
  find(iri: string): TermId {
    let id = this.found.get(iri);
    if (id === undefined) {
      id = this.terms.find({ termType: 'NamedNode', value: iri } as RDF.NamedNode);
      this.found.set(iri, id);
    }
    return id;
  }

  count(subject: TermId, predicate: TermId, object: TermId): number {
    return this.source.count(subject, predicate, object, this.graph);
  }

  /** Yields the batches of the triples of a subject, sorted by predicate and object. */
  *triples(subject: TermId, predicate: TermId = NO_TERM): Generator<QuadBatch> {
    const cursor = this.source.cursor();
    const batch = new QuadBatch(SMALL_BATCH, WANT_PREDICATE + WANT_OBJECT);
    cursor.seek(subject, predicate, NO_TERM, this.graph);
    while (cursor.next(batch) > 0) yield batch;
  }

  /** Yields the batches of the triples with a predicate and object, sorted by subject. */
  *subjects(predicate: TermId, object: TermId): Generator<QuadBatch> {
    const cursor = this.source.cursor();
    const batch = new QuadBatch(SMALL_BATCH, WANT_SUBJECT);
    cursor.seek(NO_TERM, predicate, object, this.graph);
    while (cursor.next(batch) > 0) yield batch;
  }

  /**
   * Returns whether a term is a node of the graph: a subject, a reference or the name of a graph.
   */
  *isNode(id: TermId): Generator<undefined, boolean> {
    if (id === NO_TERM) return false;
    if (hasId(this.graphNames, id)) return true;
    if (this.count(id, NO_TERM, NO_TERM) > 0) return !(yield* this.isInline(id));
    return id !== this.lists.nil && this.count(NO_TERM, NO_TERM, id) > this.count(NO_TERM, this.nodes.type, id);
  }

  isInline(id: TermId): Generator<undefined, boolean> {
    return this.nodes.isInline(id, this.graph, this.lists);
  }

  /** Returns the nodes with one of the types, ascending. Their memory is held until {@link end}. */
  *withTypes(types: Iterable<string>): Generator<undefined, Uint32Array> {
    const { type } = this.nodes;
    const found = new Set<TermId>();
    let done = 0;
    for (const iri of types) {
      if (++done % NAMES_A_STEP === 0) yield;
      const id = this.find(iri);
      if (id === NO_TERM || type === NO_TERM) continue;
      for (const { subject, length } of this.subjects(type, id)) {
        this.hold(length);
        for (let row = 0; row < length; row++) found.add(subject[row]);
        yield;
      }
    }
    return yield* sortedIds(found);
  }

  /** Returns all nodes, ascending. Computed once; their memory is held until {@link end}. */
  *allNodes(): Generator<undefined, Uint32Array> {
    if (this.all) return this.all;
    const { terms, nodes } = this;
    const found = new Set<TermId>(this.graphNames);
    let last: TermId = NO_TERM;
    for (const { subject, predicate, object, length } of graphBatches(this.source, this.graph)) {
      const before = found.size;
      for (let row = 0; row < length; row++) {
        const node = subject[row];
        if (node !== last && (terms.kind(node) !== 'blank' || !(yield* this.isInline(node)))) found.add(node);
        last = node;
        const value = object[row];
        const kind = terms.kind(value);
        // Node map generation adds the objects, but not the types.
        if ((kind !== 'iri' && kind !== 'blank') || nodes.isType(predicate[row], value)) continue;
        if (value === this.lists.nil || found.has(value)) continue;
        if (kind === 'iri' || !(yield* this.isInline(value))) found.add(value);
      }
      this.hold(found.size - before);
      yield;
    }
    this.all = yield* sortedIds(found);
    return this.all;
  }

  /** Releases what was kept for this graph. */
  end(): void {
    this.nodes.release();
    this.lists.end();
    this.hold(-this.heldNodes);
    this.all = undefined;
  }

  private hold(nodes: number): void {
    this.heldNodes += nodes;
    this.memory?.claimMemory(nodes * NODE_BYTES);
  }
}
