import type { DocId } from '../contracts/doc-set.ts';
import { NO_TERM, type TermId } from '../contracts/term-source.ts';
import { DocumentChains } from './document-chains.ts';
import { IdMap, mixId } from './id-map.ts';
import { grown } from './text/grown.ts';
import { BLOCK_BITS, BLOCK_SIZE, WorldBlocks } from './world-blocks.ts';

const INITIAL_CAPACITY = 8;
const INITIAL_SLOTS = 16;
/** Documents per page as a power of two: the unit in which a table is stored. */
const PAGE_BITS = 16;
export const DOCUMENTS_PER_PAGE = 1 << PAGE_BITS;
/** A table that was restored has no hash table until it is needed: searches do not need it. */
const NO_SLOTS = new Uint32Array(0);

/**
 * Documents as four columns, unordered, possibly with duplicates. `world` is the world's number
 * within its namespace.
 */
export interface DocumentColumns {
  readonly length: number;
  readonly world: Uint32Array;
  readonly subject: Uint32Array;
  readonly predicate: Uint32Array;
  readonly object: Uint32Array;
}

export interface DocumentTableOptions {
  /** Whether documents can be looked up by literal, at a cost of 16 bytes or more per document. */
  readonly byLiteral?: boolean;
}

/**
 * The documents of one namespace: one for each (world, subject, predicate, literal) in any graph of
 * the world. A document is a row number in typed columns, found through an open-addressing hash
 * over its four ids; there is no object per document. Takes 20 to 28 bytes per document (ids 12 to
 * 15, world blocks 1, hash 5 to 11), about 3 KB when empty. A world has up to sixteen more rows
 * than documents.
 *
 * Numbers of removed documents are reused, so they depend on history: anything visible to a caller
 * is ordered by {@link compare}. Columns are replaced when the table grows: read them again after a
 * pause.
 */
export class DocumentTable {
  private subjectColumn = new Uint32Array(INITIAL_CAPACITY);
  private predicateColumn = new Uint32Array(INITIAL_CAPACITY);
  private objectColumn = new Uint32Array(INITIAL_CAPACITY);
  /** Document + 1; 0 is a free slot. At most three quarters full. */
  private slots: Uint32Array = new Uint32Array(INITIAL_SLOTS);
  private readonly worldBlocks = new WorldBlocks();
  private readonly byObject: DocumentChains | undefined;
  private readonly worldSizes = new IdMap();
  private count = 0;
  private retired = 0;
  /** Names under which the pages are stored; undefined for those that changed since. */
  storedPages: (string | undefined)[] = [];

  constructor({ byLiteral = false }: DocumentTableOptions = {}) {
    this.byObject = byLiteral ? new DocumentChains(INITIAL_CAPACITY) : undefined;
  }

  /** Number of documents. */
  get size(): number {
    return this.count;
  }

  /** All numbers in use are below this. */
  get end(): number {
    return this.worldBlocks.end;
  }

  get memoryBytes(): number {
    const columns = this.subjectColumn.byteLength * 3 + this.slots.byteLength + this.worldSizes.memoryBytes;
    return columns + this.worldBlocks.memoryBytes + (this.byObject?.memoryBytes ?? 0);
  }

  /** Returns the world of a document. */
  worldOf(doc: DocId): number {
    return this.worldBlocks.worldOf(doc);
  }

  /** NO_TERM at unused numbers. */
  get subject(): Uint32Array {
    return this.subjectColumn;
  }

  get predicate(): Uint32Array {
    return this.predicateColumn;
  }

  get object(): Uint32Array {
    return this.objectColumn;
  }

  /** The blocks of documents of each world. */
  get blocks(): Pick<WorldBlocks, 'end' | 'size' | 'first' | 'next' | 'worldOfBlock' | 'docsIn'> {
    return this.worldBlocks;
  }

  /** Whether the table can be stored: false once an index failed on a document. */
  get isStorable(): boolean {
    return this.worldBlocks.isStorable;
  }

  /** Copies the world and the documents of each block. */
  blockColumns(): [worlds: Uint32Array, taken: Uint16Array] {
    return this.worldBlocks.columns();
  }

  /** Copies subjects, predicates and objects of a page; the last one may be shorter. */
  page(page: number): [Uint32Array, Uint32Array, Uint32Array] {
    const start = page * DOCUMENTS_PER_PAGE;
    const length = Math.min(DOCUMENTS_PER_PAGE, this.end - start);
    const copy = (column: Uint32Array) => {
      const rows = new Uint32Array(length);
      rows.set(column.subarray(start, start + length));
      return rows;
    };
    return [copy(this.subjectColumn), copy(this.predicateColumn), copy(this.objectColumn)];
  }

  /** Begins to fill an empty table with the blocks of a stored one; its pages must follow. */
  beginRestore(worlds: Uint32Array, taken: Uint16Array): void {
    this.worldBlocks.restore(worlds, taken);
    const length = Math.max(INITIAL_CAPACITY, this.end);
    this.subjectColumn = new Uint32Array(length);
    this.predicateColumn = new Uint32Array(length);
    this.objectColumn = new Uint32Array(length);
    this.byObject?.grow(length);
    this.slots = NO_SLOTS;
    for (let block = 0; block < worlds.length; block++) {
      let documents = 0;
      for (let left = taken[block]; left !== 0; left &= left - 1) documents++;
      if (documents === 0) continue;
      this.worldSizes.set(worlds[block], this.worldSize(worlds[block]) + documents);
      this.count += documents;
    }
  }

  /**
   * Sets the rows of a page. Throws a RangeError unless there is a row for each document, and for
   * no other number.
   *
   * @param largest the largest id of a term
   */
  restorePage(page: number, columns: readonly [Uint32Array, Uint32Array, Uint32Array], largest: number): void {
    const start = page * DOCUMENTS_PER_PAGE;
    const [subject, predicate, object] = columns;
    if (subject.length !== Math.min(DOCUMENTS_PER_PAGE, this.end - start))
      throw new RangeError('A stored page of documents has the wrong length.');
    for (let row = 0; row < subject.length; row++) {
      const isThere = (this.worldBlocks.docsIn((start + row) >>> BLOCK_BITS) & (1 << (row & (BLOCK_SIZE - 1)))) !== 0;
      const isSound = isThere
        ? isTerm(subject[row], largest) && isTerm(predicate[row], largest) && isTerm(object[row], largest)
        : subject[row] === NO_TERM;
      if (!isSound) throw new RangeError('A stored page of documents has a row of no document.');
      if (isThere) this.byObject?.append(object[row], start + row);
    }
    this.subjectColumn.set(subject, start);
    this.predicateColumn.set(predicate, start);
    this.objectColumn.set(object, start);
  }

  /** Returns the first document of a world, in no particular order, or NO_DOC. */
  firstOf(world: number): DocId {
    return this.worldBlocks.firstDoc(world);
  }

  /** Returns the next document of the same world, or NO_DOC. */
  nextOf(doc: DocId): DocId {
    return this.worldBlocks.nextDoc(doc);
  }

  /** The documents of each literal, oldest first; undefined without `byLiteral`. */
  get objects(): Pick<DocumentChains, 'first' | 'next' | 'has' | 'size'> | undefined {
    return this.byObject;
  }

  /** Returns the number of documents of a world. */
  worldSize(world: number): number {
    return Math.max(0, this.worldSizes.get(world));
  }

  has(doc: DocId): boolean {
    return doc < this.subjectColumn.length && this.subjectColumn[doc] !== NO_TERM;
  }

  /** Returns the number of a document, or -1. */
  find(world: number, subject: TermId, predicate: TermId, object: TermId): DocId {
    this.fillSlots();
    return this.slots[this.slotOf(world, subject, predicate, object)] - 1;
  }

  /** Adds a document, which must not be present, and returns its number. */
  add(world: number, subject: TermId, predicate: TermId, object: TermId): DocId {
    this.fillSlots();
    if ((this.count + 1) * 4 > this.slots.length * 3) this.growSlots();
    const doc = this.worldBlocks.take(world);
    if (doc >= this.subjectColumn.length) this.growColumns(doc + 1);
    // Find the slot before writing the columns: the new document must not be found in another slot.
    const slot = this.slotOf(world, subject, predicate, object);
    this.subjectColumn[doc] = subject;
    this.predicateColumn[doc] = predicate;
    this.objectColumn[doc] = object;
    this.slots[slot] = doc + 1;
    this.storedPages[doc >>> PAGE_BITS] = undefined;
    this.byObject?.append(object, doc);
    this.worldSizes.set(world, this.worldSize(world) + 1);
    this.count++;
    return doc;
  }

  remove(doc: DocId): void {
    this.unlink(doc);
    this.worldBlocks.giveBack(doc);
    if (this.count === 0 && this.retired === 0) this.clear();
  }

  /**
   * Removes a document and never reuses its number: an index failed on it and may still hold part
   * of it.
   */
  retire(doc: DocId): void {
    this.unlink(doc);
    this.worldBlocks.retire(doc);
    this.retired++;
  }

  /**
   * Compares documents of equal rank by literal, world, subject, predicate. Depends only on ids,
   * not on the history of the table.
   */
  compare(a: DocId, b: DocId): number {
    return (
      this.objectColumn[a] - this.objectColumn[b] ||
      this.worldOf(a) - this.worldOf(b) ||
      this.subjectColumn[a] - this.subjectColumn[b] ||
      this.predicateColumn[a] - this.predicateColumn[b]
    );
  }

  private unlink(doc: DocId): void {
    this.fillSlots();
    const world = this.worldOf(doc);
    const object = this.objectColumn[doc];
    this.freeSlot(this.slotOf(world, this.subjectColumn[doc], this.predicateColumn[doc], object));
    this.byObject?.remove(object, doc);
    const left = this.worldSize(world) - 1;
    if (left > 0) this.worldSizes.set(world, left);
    else this.worldSizes.delete(world);
    this.subjectColumn[doc] = NO_TERM;
    this.storedPages[doc >>> PAGE_BITS] = undefined;
    this.count--;
  }

  private hashOf(doc: DocId): number {
    return hashDocument(this.worldOf(doc), this.subjectColumn[doc], this.predicateColumn[doc], this.objectColumn[doc]);
  }

  /** Returns the slot of a document, or the free slot where it belongs. */
  private slotOf(world: number, subject: TermId, predicate: TermId, object: TermId): number {
    const { slots, worldBlocks: blocks, subjectColumn, predicateColumn, objectColumn } = this;
    const mask = slots.length - 1;
    let slot = hashDocument(world, subject, predicate, object) & mask;
    for (; slots[slot] !== 0; slot = (slot + 1) & mask) {
      const doc = slots[slot] - 1;
      if (
        objectColumn[doc] === object &&
        subjectColumn[doc] === subject &&
        predicateColumn[doc] === predicate &&
        blocks.worldOf(doc) === world
      )
        return slot;
    }
    return slot;
  }

  /** Frees a slot: Knuth 6.4, algorithm R, as in IdMap. */
  private freeSlot(hole: number): void {
    const { slots } = this;
    const mask = slots.length - 1;
    for (let slot = (hole + 1) & mask; slots[slot] !== 0; slot = (slot + 1) & mask) {
      const home = this.hashOf(slots[slot] - 1) & mask;
      if (((slot - home) & mask) < ((slot - hole) & mask)) continue;
      slots[hole] = slots[slot];
      hole = slot;
    }
    slots[hole] = 0;
  }

  private growColumns(needed: number): void {
    this.subjectColumn = grown(this.subjectColumn, needed);
    this.predicateColumn = grown(this.predicateColumn, needed);
    this.objectColumn = grown(this.objectColumn, needed);
    this.byObject?.grow(this.subjectColumn.length);
  }

  private growSlots(): void {
    this.rehash(this.slots.length * 2);
  }

  /** Fills the hash table of a table that was restored. */
  private fillSlots(): void {
    if (this.slots.length > 0) return;
    let length = INITIAL_SLOTS;
    while ((this.count + 1) * 4 > length * 3) length *= 2;
    this.rehash(length);
  }

  private rehash(length: number): void {
    const slots = new Uint32Array(length);
    const mask = slots.length - 1;
    // Iterate in document order, which reads the columns sequentially.
    for (let doc = 0; doc < this.end; doc++) {
      if (!this.has(doc)) continue;
      let slot = this.hashOf(doc) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = doc + 1;
    }
    this.slots = slots;
  }

  /** Frees the memory of an emptied table, so that deleted data does not linger in memory. */
  private clear(): void {
    this.worldBlocks.clear();
    this.storedPages = [];
    if (this.subjectColumn.length === INITIAL_CAPACITY) return;
    this.subjectColumn = new Uint32Array(INITIAL_CAPACITY);
    this.predicateColumn = new Uint32Array(INITIAL_CAPACITY);
    this.objectColumn = new Uint32Array(INITIAL_CAPACITY);
    this.slots = new Uint32Array(INITIAL_SLOTS);
    this.byObject?.clear(INITIAL_CAPACITY);
  }
}

function isTerm(id: TermId, largest: number): boolean {
  return id !== NO_TERM && id <= largest;
}

function hashDocument(world: number, subject: TermId, predicate: TermId, object: TermId): number {
  // Each id is mixed into the hash of its predecessors, so swapping two of them changes the hash.
  return mixId(mixId(mixId(mixId(object) ^ subject) ^ predicate) ^ world);
}
