import type * as RDF from '@rdfjs/types';
import { QuadBatch } from '../../contracts/quad-batch.ts';
import type { QuadSource } from '../../contracts/quad-source.ts';
import type { TermBytesSource } from '../../contracts/term-bytes.ts';
import { NO_TERM, type TermId } from '../../contracts/term-source.ts';
import type { MemoryBudget } from '../../model/memory-budget.ts';
import { RDF_TYPE, RDF as RDF_VOCABULARY } from '../../model/vocabulary.ts';

/**
 * Nested lists are written as lists down to this level, since readers of JSON limit nesting too.
 */
const MAX_LEVEL = 16;
/** Estimated bytes per cell: an entry of a Map, the cell and an item. */
const CELL_BYTES = 96;

/** A chain of cells linked by rdf:rest. */
interface Chain {
  readonly items: TermId[];
  /**
   * The cell of another list that holds this list; NO_TERM if the list is the value of another
   * property.
   */
  outer: TermId;
  /** Whether it starts at a reference that JSON-LD can replace by a list and ends with rdf:nil. */
  isList: boolean;
  /** Number of enclosing lists; -1 if not computed yet. */
  level: number;
  readonly cells: TermId[];
  /** How often a writer still comes to it: at its reference, and at each cell. */
  pending: number;
}

/** Returns whether an id is in an ascending list, such as the graphs of a dataset. */
export function hasId(ids: Uint32Array, id: TermId): boolean {
  let [from, to] = [0, ids.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (ids[middle] < id) from = middle + 1;
    else to = middle;
  }
  return ids[from] === id;
}

/**
 * Finds the lists of one graph that `@list` can represent (JSON-LD 1.1 API section 8.5.2, step 6):
 * every cell is a blank node with one rdf:first and one rdf:rest, mentioned once and in no other
 * graph. Unlike in the algorithm, cells with an `rdf:type` do not qualify, so that nothing is lost.
 */
export class DatasetLists {
  private readonly source: QuadSource;
  private readonly terms: TermBytesSource;
  private readonly graph: TermId;
  private readonly memory: MemoryBudget | undefined;
  private readonly first: TermId;
  private readonly rest: TermId;
  private readonly type: TermId;
  readonly nil: TermId;
  private readonly chains = new Map<TermId, Chain>();
  private readonly batch = new QuadBatch(4);

  constructor(source: QuadSource, terms: TermBytesSource, graph: TermId, memory?: MemoryBudget) {
    const find = (iri: string) => terms.find({ termType: 'NamedNode', value: iri } as RDF.NamedNode);
    this.source = source;
    this.terms = terms;
    this.graph = graph;
    this.memory = memory;
    this.first = find(`${RDF_VOCABULARY}first`);
    this.rest = find(`${RDF_VOCABULARY}rest`);
    this.type = find(RDF_TYPE);
    this.nil = find(`${RDF_VOCABULARY}nil`);
  }

  /**
   * Returns the items of the list that a cell belongs to; undefined for any other term. A kernel.
   */
  *at(cell: TermId): Generator<undefined, readonly TermId[] | undefined> {
    const { first, rest, nil } = this;
    if (first === NO_TERM || rest === NO_TERM || nil === NO_TERM) return undefined;
    const chain = yield* this.chainOf(cell);
    if (!chain?.isList) return undefined;
    if (chain.level < 0) chain.level = yield* this.levelOf(chain);
    return chain.level < MAX_LEVEL ? chain.items : undefined;
  }

  /**
   * Tells that a writer which visits every subject once has written the list of this cell where it
   * is referenced, or has passed this cell. A list is forgotten after its last visit, so that only
   * lists that are begun are held.
   */
  visited(cell: TermId): void {
    const chain = this.chains.get(cell);
    if (!chain?.isList || --chain.pending > 0) return;
    for (const one of chain.cells) this.chains.delete(one);
    this.memory?.claimMemory(-chain.cells.length * CELL_BYTES);
  }

  /** Releases the cached lists and the memory claimed for them. */
  end(): void {
    this.memory?.claimMemory(-this.chains.size * CELL_BYTES);
    this.chains.clear();
  }

  private *levelOf(chain: Chain): Generator<undefined, number> {
    let level = 0;
    for (let outer: Chain | undefined = chain; outer && outer.outer !== NO_TERM && level < MAX_LEVEL; level++) {
      outer = yield* this.chainOf(outer.outer);
      // Nesting starts over inside a chain that is not a list.
      if (!outer?.isList) break;
    }
    return level;
  }

  private *chainOf(cell: TermId): Generator<undefined, Chain | undefined> {
    const known = this.chains.get(cell);
    if (known || !this.isCell(cell)) return known;
    const before: TermId[] = [];
    const chain: Chain = { items: [], outer: NO_TERM, isList: false, level: -1, cells: [], pending: 1 };
    let head = cell;
    for (;;) {
      this.seek(NO_TERM, NO_TERM, head);
      const [subject, predicate] = [this.batch.subject[0], this.batch.predicate[0]];
      if (predicate !== this.rest || !this.isCell(subject)) {
        chain.isList = predicate !== this.type;
        if (predicate === this.first && this.isCell(subject)) chain.outer = subject;
        break;
      }
      head = subject;
      // A cyclic chain has no head.
      if (head === cell) break;
      before.push(head);
      yield;
    }
    for (let at = before.length - 1; at >= 0; at--) {
      this.take(chain, before[at]);
      yield;
    }
    let next = cell;
    do {
      this.take(chain, next);
      this.seek(next, this.rest, NO_TERM);
      next = this.batch.object[0];
      yield;
    } while (next !== head && this.isCell(next));
    if (next !== this.nil) chain.isList = false;
    return chain;
  }

  private take(chain: Chain, cell: TermId): void {
    this.memory?.claimMemory(CELL_BYTES);
    this.chains.set(cell, chain);
    chain.cells.push(cell);
    chain.pending++;
    this.seek(cell, this.first, NO_TERM);
    chain.items.push(this.batch.object[0]);
  }

  private isCell(node: TermId): boolean {
    const { source, terms, first, rest, graph } = this;
    return (
      terms.kind(node) === 'blank' &&
      source.count(node, rest, NO_TERM, graph) === 1 &&
      source.count(node, first, NO_TERM, graph) === 1 &&
      source.count(node, NO_TERM, NO_TERM, NO_TERM) === 2 &&
      source.count(NO_TERM, NO_TERM, node, NO_TERM) === 1 &&
      source.count(NO_TERM, NO_TERM, node, graph) === 1 &&
      !hasId(source.graphs, node)
    );
  }

  private seek(subject: TermId, predicate: TermId, object: TermId): void {
    const cursor = this.source.cursor();
    cursor.seek(subject, predicate, object, this.graph);
    this.batch.length = cursor.next(this.batch);
  }
}
